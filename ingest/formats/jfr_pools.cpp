#include "ingest/formats/jfr_pools.h"

#include <algorithm>
#include <array>

namespace hearth::jfr {

/// Pools by type, each a list of keys and values.
bool Pools::read(Bytes bytes)
{
    for (int field = 0; field < 3; ++field)
        bytes.number(); // when, for how long, how far the checkpoint before is
    bytes.u8();         // of which sort it is
    for (std::uint64_t pools = bytes.number(); pools > 0 && bytes.isOk(); --pools) {
        const Type *type = m_metadata.find(bytes.number());
        std::uint64_t count = bytes.number();
        const bool isText = type != nullptr && type->name == "java.lang.String";
        if (!isText && (type == nullptr || type->fields.empty()))
            return count == 0;
        for (; count > 0 && bytes.isOk(); --count) {
            const std::uint64_t key = bytes.number();
            if (isText)
                m_strings[key] = readString(bytes).text;
            else if (type->name == "jdk.types.StackTrace")
                readStack(bytes, *type, key);
            else
                readEntry(bytes, *type, key);
        }
    }
    return bytes.isOk();
}

void Pools::readEntry(Bytes &bytes, const Type &type, std::uint64_t key)
{
    const bool isThread = type.name == "java.lang.Thread";
    const bool isMethod = type.name == "jdk.types.Method";
    const bool isClass = type.name == "java.lang.Class";
    Thread thread;
    Method method;
    std::uint64_t className = 0;
    std::string text;
    m_metadata.readValue(bytes, type, [&](const Value &value) {
        if (isThread && value.field == "osName")
            thread.osName = string(value.string);
        else if (isThread && value.field == "javaName")
            thread.javaName = string(value.string);
        else if (isThread && value.field == "osThreadId")
            thread.osId = value.integer();
        else if (isMethod && value.field == "type")
            method.type = value.number;
        else if (value.field == "name" && (isMethod || isClass))
            (isMethod ? method.name : className) = value.number;
        else if (text.empty())
            text = value.string.text;
    });
    if (isThread)
        m_threads[key] = std::move(thread);
    else if (isMethod)
        m_methods[key] = method;
    else if (isClass)
        m_classes[key] = className;
    else if (type.name == "jdk.types.Symbol")
        m_symbols[key] = std::move(text);
    else if (type.fields.size() == 1)
        m_descriptions[type.name][key] = std::move(text);
}

void Pools::readStack(Bytes &bytes, const Type &type, std::uint64_t key)
{
    std::vector<StackFrame> &frames = m_stacks[key];
    frames.clear();
    m_metadata.readValue(bytes, type, [&](const Value &value) {
        if (value.field == "frames") // the length: elements follow
            return;
        if (value.field == "truncated") {
            if (value.number != 0)
                m_builder.losses().add(Loss::DroppedBySender);
            return;
        }
        // The first field of a frame is the method.
        if (value.field == "method")
            frames.push_back({.method = value.number});
        else if (!frames.empty() && value.field == "lineNumber")
            frames.back().line = value.integer();
        else if (!frames.empty() && value.field == "type")
            frames.back().kind = value.number;
    });
}

std::string Pools::string(const String &string) const
{
    if (!string.isReference)
        return string.text;
    const auto found = m_strings.find(string.reference);
    return found == m_strings.end() ? std::string() : found->second;
}

std::string Pools::className(std::uint64_t key) const
{
    const auto type = m_classes.find(key);
    const auto name = type == m_classes.end() ? m_symbols.end() : m_symbols.find(type->second);
    std::string text = name == m_symbols.end() ? std::string() : name->second;
    std::ranges::replace(text, '/', '.');
    return text;
}

std::string Pools::methodName(std::uint64_t key) const
{
    const auto method = m_methods.find(key);
    if (method == m_methods.end())
        return {};
    std::string text = className(method->second.type);
    const auto name = m_symbols.find(method->second.name);
    if (name != m_symbols.end())
        text.append(text.empty() ? "" : ".").append(name->second);
    return text;
}

std::string Pools::description(std::uint64_t key, std::string_view type) const
{
    const auto pool = m_descriptions.find(std::string(type));
    if (pool == m_descriptions.end())
        return {};
    const auto text = pool->second.find(key);
    return text == pool->second.end() ? std::string() : text->second;
}

std::string_view Pools::kindOf(std::uint64_t key) const
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kKinds{
        {{"Interpreted", "interpreted"},
         {"JIT compiled", "jit"},
         {"Inlined", "inlined"},
         {"Native", "native"},
         {"C++", "native"},
         {"Kernel", "kernel"},
         {"C1 compiled", "c1"},
         {"", ""}}};
    const std::string text = description(key, "jdk.types.FrameType");
    const auto found =
        std::ranges::find(kKinds, std::string_view(text), [](const auto &kind) { return kind.first; });
    return found == kKinds.end() ? std::string_view() : found->second;
}

/// Frames come innermost first, and inlined ones in front of the one that they are in.
StackId Pools::stack(std::uint64_t key)
{
    const auto [known, isNew] = m_knownStacks.try_emplace(key);
    const auto found = m_stacks.find(key);
    if (!isNew || found == m_stacks.end())
        return known->second;
    std::vector<FrameId> path;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < found->second.size(); ++i) {
        const StackFrame &frame = found->second[i];
        const std::string name = methodName(frame.method);
        lines.push_back({.line = std::clamp<std::int64_t>(frame.line, 0, 1 << 30),
                         .function = m_builder.function({.name = name}),
                         .column = 0});
        const std::string_view kind = kindOf(frame.kind);
        if (kind == "inlined" && i + 1 < found->second.size())
            continue;
        Frame row;
        row.kind = m_builder.text(kind);
        path.push_back(m_builder.frame(row, lines));
        lines.clear();
    }
    return known->second = m_builder.path(path);
}

ContextId Pools::context(std::uint64_t thread, std::uint64_t objectClass)
{
    const std::array<std::uint64_t, 2> key{thread, objectClass};
    std::uint32_t &known =
        m_contexts[digestOf({reinterpret_cast<const std::uint8_t *>(key.data()), sizeof key})];
    if (known != DigestMap::kNew)
        return ContextId(known);
    std::vector<Attribute> attributes;
    if (const auto found = m_threads.find(thread); found != m_threads.end()) {
        const Thread &of = found->second;
        attributes.push_back(
            m_builder.attribute("thread.name", of.javaName.empty() ? of.osName : of.javaName));
        attributes.push_back(m_builder.attribute("thread.id", of.osId));
    }
    if (objectClass != 0)
        attributes.push_back(m_builder.attribute("class", className(objectClass)));
    const ContextId context = m_builder.context(AttributeSetId(), m_builder.attributes(attributes));
    known = context.value;
    return context;
}

} // namespace hearth::jfr
