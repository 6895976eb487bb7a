#include "app/cli/source_report.h"

#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "model/lens/units.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace hearth::cli {

namespace {

constexpr std::size_t kWeightWidth = 10;
constexpr std::size_t kNumberWidth = 7;
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

std::string styled(std::string_view text, std::string_view style)
{
    return hasColour() ? std::string(style) + std::string(text) + std::string(kPlain) : std::string(text);
}

std::string hex(std::uint64_t number)
{
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "%llx", static_cast<unsigned long long>(number));
    return text.data();
}

/// As pprof does, a dot where there is nothing.
std::string weightText(std::int64_t value, const std::string &unit)
{
    return paddedLeft(value == 0 ? "." : humanValue(value, unit), kWeightWidth);
}

std::string weightsText(const CodeWeight &weight, const std::string &unit)
{
    return weightText(weight.self, unit) + weightText(weight.total, unit);
}

/// The text without what a terminal would take as a command, tabs as blanks, and no longer than anybody
/// reads.
std::string codeText(std::string_view text)
{
    constexpr std::size_t kLongest = 2000;
    constexpr std::size_t kTab = 4;
    std::string shown;
    for (const char character : text.substr(0, kLongest))
        if (character == '\t')
            shown.append(kTab - shown.size() % kTab, ' ');
        else
            shown += character;
    return printable(shown) + (text.size() > kLongest ? "…" : "");
}

std::string headOf(const ListedFunction &function, const Evaluation &evaluation)
{
    const std::string &unit = evaluation.series.unit;
    return styled(printable(function.name), kBold) + "\n  self " + humanValue(function.weight.self, unit) +
           " (" + percent(function.weight.self, evaluation.total) + "), total " +
           humanValue(function.weight.total, unit) + " (" + percent(function.weight.total, evaluation.total) +
           ")\n";
}

std::string linesOf(const ListedSource &listed, const std::string &unit, std::size_t context)
{
    std::string text;
    auto weighed = listed.source.lines.begin();
    const std::size_t count = listed.found.text ? listed.found.text->lineCount() : 0;
    for (const LineRange &range : linesAround(listed.source.lines, count, context)) {
        if (!text.empty())
            text += std::string(2 * kWeightWidth + kNumberWidth, ' ') + styled("  ⋮", kFaint) + '\n';
        for (std::int64_t number = range.first; number <= range.last; ++number) {
            CodeWeight weight;
            if (weighed != listed.source.lines.end() && weighed->line == number) {
                weight = {weighed->self, weighed->total};
                ++weighed;
            }
            const std::string code =
                listed.found.text ? codeText(listed.found.text->line(number)) : std::string();
            const std::string where = number > 0 ? std::to_string(number) : "?";
            text += weightsText(weight, unit) + paddedLeft(where, kNumberWidth);
            text += (code.empty() ? "" : "  " + code) + '\n';
        }
    }
    return text;
}

std::string textOf(const ListedSource &listed, const std::string &unit, std::size_t context)
{
    std::string text = "\n" + printable(listed.source.file) + '\n';
    const bool isElsewhere = listed.found.text && listed.found.path != listed.source.file;
    if (isElsewhere)
        text += styled("  read from " + printable(listed.found.path), kFaint) + '\n';
    if (!listed.found.problem.empty())
        text += styled("  " + printable(listed.found.problem), kFaint) + '\n';
    text += styled(paddedLeft("self", kWeightWidth) + paddedLeft("total", kWeightWidth) +
                       paddedLeft("line", kNumberWidth),
                   kBold);
    return text + '\n' + linesOf(listed, unit, context);
}

/// "inner.cpp:22 in outer.cpp:37"
std::string placeText(const Disassembly &code, const Instruction &instruction)
{
    std::string text;
    for (const CodePlace &place : code.placesOf(instruction)) {
        const std::string_view file = baseName(code.files[place.file]);
        text += (text.empty() ? "" : " in ") + (file.empty()
                                                    ? code.functions[place.function]
                                                    : std::string(file) + ':' + std::to_string(place.line));
    }
    return printable(text);
}

std::string textOf(const ListedCode &listed, const std::string &unit)
{
    const Disassembly &code = listed.disassembly;
    std::string text = "\n" + styled(printable(listed.occurrence.extent.name), kBold) + " in " +
                       printable(listed.binary) +
                       (listed.occurrence.isInlined ? ", where it was inlined" : "") + '\n';
    for (const std::string &remark : {listed.problem, code.note})
        if (!remark.empty())
            text += styled("  " + printable(remark), kFaint) + '\n';
    if (!code.instructions.empty())
        text += styled(paddedLeft("self", kWeightWidth) + paddedLeft("total", kWeightWidth) + "  address",
                       kBold) +
                '\n';
    std::string place;
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
        const Instruction &instruction = code.instructions[i];
        if (std::string next = placeText(code, instruction); next != place) {
            place = std::move(next);
            text += std::string(2 * kWeightWidth, ' ') + "  " + styled("; " + place, kFaint) + '\n';
        }
        text +=
            weightsText(listed.weights[i], unit) + "  " + hex(instruction.address) + ":  " + instruction.text;
        if (!instruction.comment.empty())
            text += "  # " + printable(instruction.comment);
        text += '\n';
    }
    return text;
}

void write(Json &json, const ListedSource &listed)
{
    json.beginObject().key("file").text(listed.source.file);
    json.key("path").text(listed.found.text ? listed.found.path : std::string());
    json.key("problem").text(listed.found.problem).key("lines").beginArray();
    for (const LineWeight &line : listed.source.lines) {
        json.beginObject().key("line").number(line.line).key("self").number(line.self);
        json.key("total").number(line.total).key("text");
        json.text(listed.found.text ? listed.found.text->line(line.line) : std::string_view()).endObject();
    }
    json.endArray().endObject();
}

void write(Json &json, const ListedCode &listed)
{
    const Disassembly &code = listed.disassembly;
    json.beginObject().key("name").text(listed.occurrence.extent.name).key("binary").text(listed.binary);
    json.key("inlined").boolean(listed.occurrence.isInlined);
    json.key("problem").text(listed.problem.empty() ? code.note : listed.problem);
    json.key("instructions").beginArray();
    for (std::size_t i = 0; i < code.instructions.size(); ++i) {
        const Instruction &instruction = code.instructions[i];
        json.beginObject().key("address").text("0x" + hex(instruction.address));
        json.key("self").number(listed.weights[i].self).key("total").number(listed.weights[i].total);
        json.key("text").text(instruction.text).key("comment").text(instruction.comment);
        json.key("lines").beginArray();
        for (const CodePlace &place : code.placesOf(instruction)) {
            json.beginObject().key("name").text(code.functions[place.function]);
            json.key("file").text(code.files[place.file]).key("line").number(place.line).endObject();
        }
        json.endArray().endObject();
    }
    json.endArray().endObject();
}

} // namespace

std::string sourceText(const Evaluation &evaluation, const std::vector<ListedFunction> &functions,
                       std::size_t context)
{
    std::string text = describe(evaluation) + '\n';
    for (const ListedFunction &function : functions) {
        text += '\n' + headOf(function, evaluation);
        for (const std::string &problem : function.problems)
            text += "  " + printable(problem) + '\n';
        for (const ListedSource &source : function.sources)
            text += textOf(source, evaluation.series.unit, context);
        for (const ListedCode &code : function.code)
            text += textOf(code, evaluation.series.unit);
    }
    return text;
}

std::string sourceJson(const Evaluation &evaluation, const std::vector<ListedFunction> &functions)
{
    Json json;
    json.beginObject();
    writeHead(json, evaluation);
    json.key("rows").beginArray();
    for (const ListedFunction &function : functions) {
        json.beginObject().key("name").text(function.name).key("self").number(function.weight.self);
        json.key("total").number(function.weight.total).key("files").beginArray();
        for (const ListedSource &source : function.sources)
            write(json, source);
        json.endArray().key("code").beginArray();
        for (const ListedCode &code : function.code)
            write(json, code);
        json.endArray().key("problems").beginArray();
        for (const std::string &problem : function.problems)
            json.text(problem);
        json.endArray().endObject();
    }
    json.endArray().endObject();
    return json.str() + '\n';
}

} // namespace hearth::cli
