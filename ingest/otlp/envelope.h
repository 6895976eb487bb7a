#pragma once

#include "ingest/otlp/layout.h"

#include <array>
#include <cstddef>
#include <vector>

namespace hearth::otlp {

/// ProfilesData or a request, taken apart at its outermost level. Fields may come in any order, and a message
/// in several parts.
struct Envelope {
    explicit Envelope(Bytes message);

    std::vector<Bytes> resources;
    std::vector<Bytes> dictionaryParts; ///< field 2; in generation 1.6 a table
    std::array<bool, 9> hasField{};     ///< by number
    bool isOtlp = true;                 ///< no field but 1 to 8, all of them messages
    std::size_t readable = 0;           ///< so many bytes are whole fields
};

/// Calls `take` with each profile of a message, or with the container of one.
template <class Take>
void forEachProfile(const Envelope &envelope, Take take)
{
    for (const Bytes resource : envelope.resources) {
        WireReader scopes(resource);
        WireField scope;
        while (scopes.next(scope)) {
            if (scope.number != field::kResourceScope || !scope.isBytes())
                continue;
            WireReader profiles(scope.bytes);
            WireField profile;
            while (profiles.next(profile))
                if (profile.number == field::kScopeProfile && profile.isBytes())
                    take(profile.bytes);
        }
    }
}

} // namespace hearth::otlp
