#include "model/lens/attribute_keys.h"

#include "model/lens/units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <span>
#include <unordered_set>

namespace hearth {

namespace {

/// What senders call the things that people ask for. Names go before numbers, since they survive a restart.
struct Alias {
    std::string_view word; ///< is a key, too, and the one that is preferred
    std::array<std::string_view, 5> keys;
};
constexpr Alias kAliases[] = {
    {"process", {"process.executable.name", "comm", "process.pid", "pid"}},
    {"thread", {"thread.name", "thread name", "thread.id", "tid", "thread id"}},
    {"cpu", {"cpu.logical_number"}},
    {"service", {"service.name"}},
    {"container", {"container.name", "container.id"}},
    {"host", {"host.name"}},
};

std::string hexOf(std::string_view bytes)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 0xfU];
    }
    return hex;
}

/// The fewest digits that give this number back.
std::string shortest(double value)
{
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

/// The sets of a context, the one that says most about a sample first.
std::array<AttributeSetId, 3> setsOf(const Snapshot &snapshot, ContextId context)
{
    const Context &sets = snapshot.contexts[context.value];
    return {sets.sample, sets.scope, sets.resource};
}

void join(std::string &list, std::string_view item, bool isFirst)
{
    if (!isFirst)
        list += ',';
    list += item;
}

struct FoundAttribute {
    AttributeSetId set;
    const Attribute *attribute = nullptr;
};

FoundAttribute findFirst(const Snapshot &snapshot, ContextId context, const ResolvedKey &key)
{
    const auto sets = setsOf(snapshot, context);
    for (const StringId wanted : key.keys)
        for (const AttributeSetId set : sets)
            for (const AttributeId id : snapshot.attributesOf(set))
                if (snapshot.attributes[id.value].key == wanted)
                    return {set, &snapshot.attributes[id.value]};
    return {};
}

} // namespace

std::vector<std::string_view> keysNamed(std::string_view key)
{
    std::vector<std::string_view> keys{key};
    const auto *alias = std::ranges::find(kAliases, key, &Alias::word);
    if (alias != std::end(kAliases))
        std::ranges::copy_if(alias->keys, std::back_inserter(keys), [](auto name) { return !name.empty(); });
    return keys;
}

ResolvedKey resolveKey(const Snapshot &snapshot, std::string_view key)
{
    const std::vector<std::string_view> names = keysNamed(key);
    std::vector<StringId> found(names.size(), StringId::none());
    std::unordered_set<StringId> seen;
    StringId previous = StringId::none();
    for (const Attribute &attribute : snapshot.attributes) {
        if (attribute.key ==
            previous) // neighbours usually share their key, and then there is nothing to look up
            continue;
        previous = attribute.key;
        if (!seen.insert(attribute.key).second)
            continue;
        const auto name = std::ranges::find(names, snapshot.text(attribute.key));
        if (name != names.end())
            found[static_cast<std::size_t>(name - names.begin())] = attribute.key;
    }
    std::erase_if(found, [](StringId id) { return id.isNone(); });
    return {found};
}

std::string printAttribute(const Snapshot &snapshot, const Attribute &attribute)
{
    switch (attribute.type) {
    case AttributeType::String:
    case AttributeType::Json:
        return std::string(snapshot.text(attribute.text()));
    case AttributeType::Bytes:
        return hexOf(snapshot.text(attribute.text()));
    case AttributeType::Int:
        return std::to_string(attribute.integer());
    case AttributeType::Double:
        return shortest(std::bit_cast<double>(attribute.bits));
    case AttributeType::Bool:
        return attribute.bits != 0 ? "true" : "false";
    }
    return {};
}

const Attribute *findAttribute(const Snapshot &snapshot, ContextId context, const ResolvedKey &key)
{
    return findFirst(snapshot, context, key).attribute;
}

std::string attributeText(const Snapshot &snapshot, ContextId context, const ResolvedKey &key)
{
    const FoundAttribute found = findFirst(snapshot, context, key);
    if (found.attribute == nullptr)
        return {};
    std::string text;
    bool isFirst = true;
    for (const AttributeId id : snapshot.attributesOf(found.set)) {
        const Attribute &attribute = snapshot.attributes[id.value];
        if (attribute.key != found.attribute->key)
            continue;
        join(text, printAttribute(snapshot, attribute), isFirst);
        isFirst = false;
    }
    return text;
}

std::string tagFrameName(const Snapshot &snapshot, ContextId context, std::string_view key)
{
    std::string name;
    bool isFirst = true;
    for (const bool wantsNumbers : {false, true})
        for (const AttributeSetId set : setsOf(snapshot, context))
            for (const AttributeId id : snapshot.attributesOf(set)) {
                const Attribute &attribute = snapshot.attributes[id.value];
                if ((attribute.type == AttributeType::Int) != wantsNumbers ||
                    snapshot.text(attribute.key) != key)
                    continue;
                const std::string value =
                    wantsNumbers ? scaledLabel(attribute.integer(), snapshot.text(attribute.unit), "minimum")
                                 : printAttribute(snapshot, attribute);
                join(name, value, isFirst);
                isFirst = false;
            }
    return name;
}

} // namespace hearth
