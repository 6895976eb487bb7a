#pragma once

#include "model/lens/lens.h"
#include "model/store/snapshot.h"
#include "model/views/selected_samples.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// A value that an attribute takes, with what the samples that have it weigh.
struct AttributeValue {
    std::string text;
    std::int64_t weight = 0;
};

/// All values of one attribute, the heaviest first.
struct AttributeFacet {
    std::string key; ///< as lenses name it: "process", "thread" or whatever the sender calls it
    std::vector<AttributeValue> values;
    std::int64_t weight = 0; ///< of all samples that have the attribute
};

/// The keys that samples have, those first that people ask for; what they stand for is not listed again.
std::vector<std::string> attributeKeys(const Snapshot &snapshot);

/// What the samples of a series weigh, by context: a pass over all samples, after which attributes cost
/// little.
/// @return nothing if stopped
std::optional<std::vector<std::int64_t>>
contextWeights(const Snapshot &snapshot, const SampleSelection &selection, const std::stop_token &stop);

/// The attributes of a data set: process, service, container and the like first, the rest by name.
/// @param weights by context
std::vector<AttributeFacet> attributeFacets(const Snapshot &snapshot,
                                            const std::vector<std::int64_t> &weights);

/// The same with the weights that samples of the lens's series have within its time, whatever else the lens
/// says, so that what it leaves out can be chosen instead.
/// @return nothing if stopped, or if the data set has no such series
std::optional<std::vector<AttributeFacet>> facetsOf(const Snapshot &snapshot, const Lens &lens,
                                                    const std::stop_token &stop);

} // namespace hearth
