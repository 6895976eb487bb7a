#pragma once

#include "model/store/batch.h"
#include "model/store/snapshot.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hearth::test {

/// A sample of one frame, without a name, somewhere in a file.
struct SampledPlace {
    std::string path;
    std::string buildId;
    std::uint64_t offset = 0;
    std::int64_t weight = 1;
    std::string goBuildId = {};
    std::string fileHash = {};
};

/// @param timeNs when they were taken; 0: nobody knows
Batch batchOfPlaces(const std::vector<SampledPlace> &samples, std::int64_t timeNs = 0);

/// The same with the names that files of this machine have for them.
std::shared_ptr<const Snapshot> namedPlaces(const std::vector<SampledPlace> &samples);

/// Where in a program's file a function of the linker's begins. Throws if there is none.
std::uint64_t offsetOfFunction(const std::string &path, std::string_view function);
std::string buildIdOf(const std::string &path);

} // namespace hearth::test
