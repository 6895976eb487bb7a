#include "app/cli/arguments.h"

#include <algorithm>
#include <charconv>

namespace hearth::cli {

namespace {

const Option *findOption(std::span<const Option> options, std::string name)
{
    std::ranges::replace(name, '_', '-');
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end())
        return nullptr;
    return option->sameAs.empty() ? &*option : findOption(options, std::string(option->sameAs));
}

const Option *findLetter(std::span<const Option> options, char letter)
{
    const auto option = std::ranges::find(options, letter, &Option::letter);
    return option == options.end() ? nullptr : &*option;
}

} // namespace

Result<Arguments> Arguments::parse(std::span<const std::string> words, std::span<const Option> options)
{
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "--") {
            arguments.m_files.insert(arguments.m_files.end(),
                                     words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (word.size() < 2 || word[0] != '-') {
            arguments.m_files.push_back(word);
            continue;
        }
        const bool isLong = word[1] == '-' || word.size() > 2; // pprof's options have one dash
        const std::string_view body = std::string_view(word).substr(word[1] == '-' ? 2 : 1);
        const std::size_t equals = body.find('=');
        const std::string name(body.substr(0, equals));
        const Option *const option = isLong ? findOption(options, name) : findLetter(options, word[1]);
        if (option == nullptr)
            return failure("unknown option " + word.substr(0, word.find('=')));
        std::string value;
        if (equals != std::string_view::npos) {
            if (option->value.empty())
                return failure("--" + std::string(option->name) + " takes no value");
            value = body.substr(equals + 1);
        } else if (!option->value.empty()) {
            if (++i == words.size())
                return failure("--" + std::string(option->name) +
                               " needs a value: " + std::string(option->value));
            value = words[i];
        }
        arguments.m_values[std::string(option->name)].push_back(std::move(value));
    }
    return arguments;
}

std::optional<std::string> Arguments::value(std::string_view option) const
{
    const auto found = m_values.find(option);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.back());
}

const std::vector<std::string> &Arguments::values(std::string_view option) const
{
    static const std::vector<std::string> kNone;
    const auto found = m_values.find(option);
    return found == m_values.end() ? kNone : found->second;
}

Result<std::size_t> Arguments::number(std::string_view option, std::size_t otherwise) const
{
    const std::optional<std::string> text = value(option);
    if (!text)
        return otherwise;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc() || end != text->data() + text->size())
        return failure("--" + std::string(option) + " needs a whole number, not '" + *text + "'");
    return number;
}

} // namespace hearth::cli
