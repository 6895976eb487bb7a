#pragma once

#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <vector>

namespace hearth {

/// Functions, what each cost by itself, line by line, and what its calls of others cost with all that they
/// call.
///
/// That is less than stacks: who called the caller is not known. What a function cost by itself is put under
/// its callers in proportion to what their calls of it cost; in sum it is exactly what was measured.
class CallgrindGraph {
public:
    explicit CallgrindGraph(ProfileBuilder &builder) : m_builder(builder) {}

    struct Cost {
        FrameId frame; ///< the function at a line
        std::vector<std::int64_t> values;
    };

    std::uint32_t addFunction(FrameId frame);
    Cost &self(std::uint32_t function, FrameId frame, std::size_t events);
    void addCall(std::uint32_t caller, std::uint32_t callee, std::int64_t cost);

    /// Adds samples of these series, one an event.
    void finish(const BlockText &series);

private:
    struct Call {
        std::uint32_t callee = 0;
        double cost = 0;
    };
    struct Function {
        FrameId frame;
        std::vector<Cost> self;
        std::vector<Call> calls;
        double inclusive = 0;
        double fromCallers = 0;
        bool isOnPath = false;
    };
    /// A function called along one path, and how much of all its calls that is.
    struct Place {
        std::uint32_t function = 0;
        StackId callers;
        double share = 0;
    };
    struct Step {
        Place place;
        std::size_t next = 0; ///< of the calls to follow
    };

    void sumUp();
    void findPlaces();
    void walk(std::uint32_t root, double share);
    void enter(std::uint32_t function, StackId callers, double share);
    void addSamples(const Function &function, std::size_t begin, std::size_t end, std::size_t block);

    ProfileBuilder &m_builder;
    std::vector<Function> m_functions;
    std::vector<Place> m_places;
    std::vector<Step> m_path;
    double m_total = 0;
    std::size_t m_steps = 0;
};

} // namespace hearth
