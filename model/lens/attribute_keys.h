#pragma once

#include "model/store/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

namespace hearth {

/// A key that the user wrote, as ids of one snapshot. `process`, `thread` and `cpu` stand for whatever
/// senders call them; the first of these that a context has is the one that counts there.
struct ResolvedKey {
    std::vector<StringId> keys; ///< the preferred one first; empty if no attribute has the key

    bool isUnknown() const { return keys.empty(); }
};

/// The keys that a word stands for: `thread` → thread, thread.name, thread name, thread.id, tid, thread id.
/// Any other key stands for itself.
std::vector<std::string_view> keysNamed(std::string_view key);

/// Costs one pass over the attribute table.
ResolvedKey resolveKey(const Snapshot &snapshot, std::string_view key);

/// The value as text, without its unit: strings and JSON as sent, numbers in decimal, bytes in hex.
std::string printAttribute(const Snapshot &snapshot, const Attribute &attribute);

/// The attribute that a context has under this key; the sample's own goes before its scope's, and that before
/// its resource's. Null if there is none.
const Attribute *findAttribute(const Snapshot &snapshot, ContextId context, const ResolvedKey &key);

/// What rows and groups by this key are called: the value that findAttribute() finds, printed; several values
/// of one key in one set joined by ",". Empty if there is none.
std::string attributeText(const Snapshot &snapshot, ContextId context, const ResolvedKey &key);

/// The name of the frame that pprof's `tagroot` and `tagleaf` make of a label: all values of exactly this
/// key, texts first, then numbers with their unit ("64B"), joined by ",". Empty if there is none.
std::string tagFrameName(const Snapshot &snapshot, ContextId context, std::string_view key);

} // namespace hearth
