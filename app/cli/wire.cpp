#include "app/cli/command.h"
#include "app/cli/data_set.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "ingest/formats/otlp_messages.h"
#include "ingest/otlp/anatomy.h"
#include "ingest/otlp/sent_messages.h"
#include "model/lens/units.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace hearth::cli {

namespace {

constexpr std::array kOptions{
    Option{.name = "tree", .value = "", .help = "every field of the messages, with what references lead to"},
    Option{.name = "limit",
           .value = "N",
           .help = "with --tree: of elements in a row so many, 20 by default; 0 for all",
           .letter = 'n'},
    Option{.name = "json", .value = "", .help = "as one JSON array"},
};

struct Wish {
    bool isJson = false;
    bool hasTree = false;
    std::size_t limit = 20;
};

/// Where a message is.
struct Place {
    std::string_view file;
    std::uint64_t position = 0;
};

class WireReport {
public:
    explicit WireReport(const Wish &wish) : m_wish(wish)
    {
        if (wish.isJson)
            m_json.beginArray();
    }

    void add(const Place &place, const otlp::SentMessage &message)
    {
        const otlp::Anatomy anatomy(message.signal, message.generation, message.bytes);
        if (m_wish.isJson)
            addJson(place, message, anatomy);
        else
            addText(place, message, anatomy);
    }

    void finish()
    {
        if (m_wish.isJson)
            print(m_json.endArray().str() + '\n');
    }

private:
    void addText(const Place &place, const otlp::SentMessage &message, const otlp::Anatomy &anatomy)
    {
        std::string text = std::string(place.file) + ", byte " + std::to_string(place.position) + ": " +
                           std::string(otlp::nameOf(message.signal));
        if (message.signal == Signal::Profiles)
            text += ' ' + std::string(otlp::nameOf(message.generation));
        text += ", " + humanValue(static_cast<std::int64_t>(message.bytes.size()), "bytes");
        if (anatomy.samples() > 0)
            text += ", " + std::to_string(anatomy.samples()) +
                    (anatomy.samples() == 1 ? " sample of " : " samples of ") +
                    std::to_string(message.bytes.size() / anatomy.samples()) + " bytes each, all counted";
        text += '\n';
        for (const otlp::TableUse &table : anatomy.tables())
            text += "  " + padded(std::string(table.name), 16) + std::to_string(table.entries) +
                    (table.entries == 1 ? " entry, " : " entries, ") +
                    humanValue(static_cast<std::int64_t>(table.bytes), "bytes") +
                    counted(table.unused, "nothing refers to") + counted(table.duplicates, "there already") +
                    '\n';
        for (const otlp::Finding &finding : findingsOf(message))
            text += "  ! " + otlp::lineOf(finding) + (finding.place.empty() ? "" : ", first at ") +
                    finding.place + "\n    " + std::string(finding.rule) + '\n';
        print(text);
        if (m_wish.hasTree)
            printTree(anatomy, anatomy.parts(), 1);
    }

    static std::string counted(std::uint64_t count, std::string_view what)
    {
        return count == 0 ? std::string() : ", " + std::to_string(count) + ' ' + std::string(what);
    }

    void printTree(const otlp::Anatomy &anatomy, const std::vector<otlp::MessagePart> &parts,
                   std::size_t depth)
    {
        std::size_t inARow = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool isSame = i > 0 && parts[i].number == parts[i - 1].number;
            inARow = isSame ? inARow + 1 : 0;
            if (m_wish.limit > 0 && inARow >= m_wish.limit) {
                if (i + 1 == parts.size() || parts[i + 1].number != parts[i].number)
                    print(std::string(2 * depth, ' ') + "… " + std::to_string(inARow + 1 - m_wish.limit) +
                          " more\n");
                continue;
            }
            print(lineOf(parts[i], depth));
            if (parts[i].schema != nullptr && depth < kDeepest)
                printTree(anatomy, anatomy.partsOf(parts[i]), depth + 1);
        }
    }

    static std::string lineOf(const otlp::MessagePart &part, std::size_t depth)
    {
        std::string line = std::string(2 * depth, ' ') +
                           (part.name.empty() ? "(unknown field)" : std::string(part.name)) + ' ' +
                           std::to_string(part.number) + ": " + std::to_string(part.bytes) + " B";
        if (part.schema == nullptr)
            line += " = " + printable(part.value);
        if (!part.meaning.empty())
            line += " → " + printable(part.meaning);
        return line + '\n';
    }

    void addJson(const Place &place, const otlp::SentMessage &message, const otlp::Anatomy &anatomy)
    {
        m_json.beginObject().key("file").text(place.file).key("position").count(place.position);
        m_json.key("signal").text(otlp::nameOf(message.signal));
        if (message.signal == Signal::Profiles)
            m_json.key("generation").text(otlp::nameOf(message.generation));
        m_json.key("bytes").count(message.bytes.size()).key("samples").count(anatomy.samples());
        m_json.key("tables").beginArray();
        for (const otlp::TableUse &table : anatomy.tables()) {
            m_json.beginObject().key("name").text(table.name).key("entries").count(table.entries);
            m_json.key("bytes").count(table.bytes).key("unused").count(table.unused);
            m_json.key("duplicates").count(table.duplicates).endObject();
        }
        m_json.endArray().key("findings").beginArray();
        for (const otlp::Finding &finding : findingsOf(message)) {
            m_json.beginObject().key("count").count(finding.count).key("what").text(finding.what);
            m_json.key("rule").text(finding.rule).key("first").text(finding.place).endObject();
        }
        m_json.endArray();
        if (m_wish.hasTree)
            addTree(anatomy, anatomy.parts(), 1);
        m_json.endObject();
    }

    void addTree(const otlp::Anatomy &anatomy, const std::vector<otlp::MessagePart> &parts, std::size_t depth)
    {
        m_json.key("parts").beginArray();
        for (const otlp::MessagePart &part : parts) {
            m_json.beginObject().key("field").text(part.name).key("number").count(part.number);
            m_json.key("bytes").count(part.bytes);
            if (part.schema == nullptr)
                m_json.key("value").text(part.value);
            if (!part.meaning.empty())
                m_json.key("meaning").text(part.meaning);
            if (part.schema != nullptr && depth < kDeepest)
                addTree(anatomy, anatomy.partsOf(part), depth + 1);
            m_json.endObject();
        }
        m_json.endArray();
    }

    static constexpr std::size_t kDeepest = 64;
    const Wish &m_wish;
    Json m_json;
};

void addTo(WireReport &report, const std::string &file, const OtlpMessage &message, Losses &losses)
{
    const auto signal = message.signal();
    if (!signal)
        return losses.add(Loss::MalformedRecords,
                          "what is there at byte " + std::to_string(message.position) + " is no OTLP");
    const bool isJson = message.encoding == Encoding::Json; // which may have several signals
    const auto sent =
        otlp::sentMessages(isJson ? std::nullopt : signal, message.encoding, message.bytes, losses);
    if (!sent)
        return losses.add(Loss::MalformedRecords, sent.error().message);
    for (const otlp::SentMessage &one : *sent)
        report.add({file, message.position}, one);
}

Exit addFile(WireReport &report, const std::string &path)
{
    auto source = openSource(path);
    if (!source) {
        complain(source.error().message);
        return Exit::Unreadable;
    }
    InputStream input(unpacked(std::move(*source)));
    const ReadOptions options;
    Losses losses;
    OtlpMessages messages(input, options, losses);
    bool isEmpty = true;
    while (const auto message = messages.next()) {
        isEmpty = false;
        addTo(report, path, *message, losses);
    }
    for (const std::string &problem : losses.details())
        complain(path + ": " + problem);
    if (isEmpty && !losses.any())
        complain(path + ": it is empty");
    return isEmpty || losses.any() ? Exit::Unreadable : Exit::Done;
}

Exit runWire(const Arguments &arguments)
{
    const Result<std::size_t> limit = arguments.number("limit", 20);
    if (!limit || arguments.files().empty()) {
        complain(limit ? "no file given" : limit.error().message);
        return Exit::WrongUse;
    }
    const Wish wish{.isJson = arguments.has("json"), .hasTree = arguments.has("tree"), .limit = *limit};
    WireReport report(wish);
    Exit status = Exit::Done;
    for (const std::string &path : arguments.files())
        status = std::max(status, addFile(report, path));
    report.finish();
    return status;
}

} // namespace

const Command kWire{
    .name = "wire",
    .usage = "FILE… [--tree] [--json]",
    .summary = "OTLP messages as they were sent: sizes, what is unused or twice, what breaks the standard",
    .examples = "  hearth wire requests.otlp.gz\n"
                "  hearth wire --tree one-request.otlp | less\n"
                "  hearth wire --json requests.otlp | jq '.[].tables'\n",
    .options = kOptions,
    .run = runWire,
};

} // namespace hearth::cli
