#pragma once

#include "model/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hearth::agent {

/// The capabilities that sampling needs, and what there is none of without each.
struct MissingCapability {
    std::string name;
    std::string cost;
};

/// Those of the needed capabilities that this process does not have.
std::vector<MissingCapability> missingCapabilities();

/// Who called: SUDO_UID and SUDO_GID, or PKEXEC_UID; nobody if this runs as an ordinary user, or as root by
/// itself.
struct Caller {
    std::uint32_t user = 0;
    std::uint32_t group = 0;
    bool isKnown = false;
};
Caller caller();

/// Becomes the caller again and gives up every capability but those that sampling needs. To be called before
/// any thread is made.
Result<void> dropPrivileges();

/// Leaves the calling thread, and what it starts, no capability at all.
void giveUpCapabilities();

} // namespace hearth::agent
