#pragma once

#include "model/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::cli {

/// An option of a command: `--name VALUE`, or `--name` alone if it takes none.
struct Option {
    std::string_view name;       ///< without dashes; underscores may be written for its dashes
    std::string_view value = {}; ///< what its value is called in help; empty if it takes none
    std::string_view help = {};
    char letter = 0;              ///< `-o`
    std::string_view sameAs = {}; ///< it is another spelling of this option
};

/// What was given on a command line, by option, and everything else.
class Arguments {
public:
    /// Options and files may be mixed; behind `--` everything is a file.
    static Result<Arguments> parse(std::span<const std::string> words, std::span<const Option> options);

    bool has(std::string_view option) const { return m_values.contains(option); }

    /// The value given last.
    std::optional<std::string> value(std::string_view option) const;
    const std::vector<std::string> &values(std::string_view option) const;

    /// A whole number that is not negative.
    Result<std::size_t> number(std::string_view option, std::size_t otherwise) const;

    const std::vector<std::string> &files() const { return m_files; }

    /// As if they had been given.
    void setFiles(std::vector<std::string> files) { m_files = std::move(files); }
    void add(const std::string &option, std::string value) { m_values[option].push_back(std::move(value)); }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::vector<std::string> m_files;
};

} // namespace hearth::cli
