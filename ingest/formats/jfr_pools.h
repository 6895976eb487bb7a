#pragma once

#include "ingest/formats/jfr_metadata.h"
#include "ingest/formats/profile_builder.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hearth::jfr {

/// What the events of a chunk refer to: threads, stacks, and what these are made of.
class Pools {
public:
    Pools(ProfileBuilder &builder, const Metadata &metadata) : m_builder(builder), m_metadata(metadata) {}

    /// Reads a checkpoint, from behind its head. @return false if it is damaged
    bool read(Bytes bytes);

    StackId stack(std::uint64_t key);
    ContextId context(std::uint64_t thread, std::uint64_t objectClass);
    std::string string(const String &string) const;
    /// "java.lang.Thread"
    std::string className(std::uint64_t key) const;
    /// Of a value that is no more than a name, such as the cause of a collection.
    std::string description(std::uint64_t key, std::string_view type) const;

private:
    struct Thread {
        std::string osName;
        std::string javaName;
        std::int64_t osId = 0;
    };
    struct Method {
        std::uint64_t type = 0;
        std::uint64_t name = 0;
    };
    struct StackFrame {
        std::uint64_t method = 0;
        std::uint64_t kind = 0;
        std::int64_t line = 0;
    };

    void readEntry(Bytes &bytes, const Type &type, std::uint64_t key);
    void readStack(Bytes &bytes, const Type &type, std::uint64_t key);
    std::string methodName(std::uint64_t key) const;
    std::string_view kindOf(std::uint64_t key) const;

    ProfileBuilder &m_builder;
    const Metadata &m_metadata;
    std::unordered_map<std::uint64_t, Thread> m_threads;
    std::unordered_map<std::uint64_t, Method> m_methods;
    std::unordered_map<std::uint64_t, std::uint64_t> m_classes; ///< to their names
    std::unordered_map<std::uint64_t, std::string> m_symbols, m_strings;
    std::unordered_map<std::string, std::unordered_map<std::uint64_t, std::string>>
        m_descriptions; ///< by type
    std::unordered_map<std::uint64_t, std::vector<StackFrame>> m_stacks;
    std::unordered_map<std::uint64_t, StackId> m_knownStacks;
    DigestMap m_contexts;
};

} // namespace hearth::jfr
