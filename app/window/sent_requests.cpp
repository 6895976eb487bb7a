#include "app/window/sent_requests.h"

#include "ingest/live/decode_request.h"
#include "ingest/otlp/anatomy.h"
#include "ingest/otlp/sent_messages.h"
#include "ui/theme/figures.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <utility>

namespace hearth {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SentRequests", text);
}

QDateTime dateTime(std::chrono::system_clock::time_point time)
{
    return QDateTime::fromMSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

/// "127.0.0.1" of "127.0.0.1:52114"
QString hostOf(const std::string &peer)
{
    return QString::fromStdString(peer.substr(0, peer.rfind(':')));
}

/// A message of a request with all that its parts refer to.
struct Message {
    Message(std::shared_ptr<const RecentRequest> request_, otlp::SentMessage sent_)
        : request(std::move(request_)), sent(std::move(sent_)),
          anatomy(sent.signal, sent.generation, sent.bytes)
    {}

    std::shared_ptr<const RecentRequest> request;
    otlp::SentMessage sent;
    otlp::Anatomy anatomy;
};

using Parts = std::vector<otlp::MessagePart>;

std::vector<RequestPart> shownParts(const std::shared_ptr<const Message> &message, const Parts &parts);

QString shortened(const std::string &text)
{
    constexpr std::size_t kMost = 500;
    return qString(std::string_view(text).substr(0, kMost)).simplified() +
           (text.size() > kMost ? QStringLiteral("…") : QString());
}

/// @param name of the field, with the number of the element if it is one of several
RequestPart shownPart(const std::shared_ptr<const Message> &message, const otlp::MessagePart &part,
                      const QString &name)
{
    RequestPart shown{.field = name,
                      .bytes = part.bytes,
                      .value = shortened(part.value),
                      .meaning = shortened(part.meaning),
                      .parts = {}};
    if (part.schema != nullptr)
        shown.parts = [message, part] { return shownParts(message, message->anatomy.partsOf(part)); };
    return shown;
}

RequestPart shownElements(const std::shared_ptr<const Message> &message,
                          std::shared_ptr<const Parts> elements, const QString &name)
{
    RequestPart shown{.field = name,
                      .bytes = 0,
                      .value = {},
                      .meaning = tr("%1 elements").arg(countText(elements->size())),
                      .parts = {}};
    for (const otlp::MessagePart &element : *elements)
        shown.bytes += element.bytes;
    shown.parts = [message, elements = std::move(elements), name] {
        std::vector<RequestPart> parts;
        parts.reserve(elements->size());
        for (const otlp::MessagePart &element : *elements)
            parts.push_back(
                shownPart(message, element, QStringLiteral("%1[%2]").arg(name).arg(parts.size())));
        return parts;
    };
    return shown;
}

/// Elements of a field are put together.
std::vector<RequestPart> shownParts(const std::shared_ptr<const Message> &message, const Parts &parts)
{
    std::vector<RequestPart> shown;
    for (auto begin = parts.begin(); begin != parts.end();) {
        const auto end = std::find_if(
            begin, parts.end(), [&](const otlp::MessagePart &part) { return part.number != begin->number; });
        const QString name =
            begin->name.empty() ? tr("(unknown field %1)").arg(begin->number) : qString(begin->name);
        shown.push_back(end - begin == 1
                            ? shownPart(message, *begin, name)
                            : shownElements(message, std::make_shared<const Parts>(begin, end), name));
        begin = end;
    }
    return shown;
}

QString summaryOf(const Message &message)
{
    QString text = qString(otlp::nameOf(message.sent.signal));
    if (message.sent.signal == Signal::Profiles)
        text += QLatin1Char(' ') + qString(otlp::nameOf(message.sent.generation));
    const QString bytes = bytesText(message.sent.bytes.size());
    text += QStringLiteral(" · ") + (message.sent.translation ? tr("%1 as protobuf").arg(bytes) : bytes);
    if (const std::uint64_t samples = message.anatomy.samples(); samples > 0)
        text += QStringLiteral(" · ") +
                tr("%1 samples of %2 bytes each")
                    .arg(countText(samples), countText(message.sent.bytes.size() / samples));
    return text;
}

void add(const std::shared_ptr<const Message> &message, RequestAnatomy &anatomy)
{
    anatomy.summary += (anatomy.summary.isEmpty() ? QString() : QStringLiteral("; ")) + summaryOf(*message);
    for (RequestPart &part : shownParts(message, message->anatomy.parts()))
        anatomy.parts.push_back(std::move(part));
    for (const otlp::TableUse &table : message->anatomy.tables())
        anatomy.tables.push_back({.name = qString(table.name),
                                  .entries = table.entries,
                                  .bytes = table.bytes,
                                  .unused = table.unused,
                                  .duplicates = table.duplicates});
    for (const otlp::Finding &finding : otlp::findingsOf(message->sent))
        anatomy.findings.push_back({.count = finding.count,
                                    .what = qString(finding.what),
                                    .place = qString(finding.place),
                                    .rule = qString(finding.rule)});
}

RequestAnatomy anatomyOf(const std::shared_ptr<const RecentRequest> &request)
{
    Losses losses;
    const auto sent = otlp::sentMessages(request->signal, request->encoding, request->body, losses);
    if (!sent)
        return {.summary = QString::fromStdString(sent.error().message),
                .parts = {},
                .tables = {},
                .findings = {}};
    RequestAnatomy anatomy;
    for (const otlp::SentMessage &message : *sent)
        add(std::make_shared<const Message>(request, message), anatomy);
    return anatomy;
}

QString transportText(const RecentRequest &request)
{
    if (request.transport == Transport::Grpc)
        return QStringLiteral("gRPC");
    return request.encoding == Encoding::Json ? tr("HTTP, JSON") : QStringLiteral("HTTP");
}

} // namespace

std::vector<SenderRow> senderRows(const Senders &now, const Senders *before, double secondsBetween)
{
    std::vector<SenderRow> rows;
    for (const Sender &sender : now.senders) {
        SenderRow row{.program = QString::fromStdString(sender.userAgent),
                      .host = hostOf(sender.peer),
                      .generation = QString::fromStdString(sender.generation),
                      .rate = 0,
                      .requests = sender.requests,
                      .records = sender.samples,
                      .bytes = sender.bytes,
                      .leftOut = sender.rejected,
                      .refused = sender.refused,
                      .lastSeen = dateTime(sender.lastSeen),
                      .reasons = {}};
        if (before != nullptr && secondsBetween > 0) {
            const auto known = std::ranges::find_if(before->senders, [&](const Sender &other) {
                return other.userAgent == sender.userAgent && hostOf(other.peer) == row.host;
            });
            const std::uint64_t samplesBefore = known == before->senders.end() ? 0 : known->samples;
            row.rate = static_cast<double>(sender.samples - samplesBefore) / secondsBetween;
        }
        for (const auto &[reason, count] : sender.reasons)
            row.reasons += QStringLiteral("%1 × %2").arg(countText(count), QString::fromStdString(reason));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<RequestRow> requestRows(const RecentRequests &requests)
{
    std::vector<RequestRow> rows;
    for (const std::shared_ptr<const RecentRequest> &request : requests.all())
        rows.push_back({.identity = request,
                        .time = dateTime(request->time),
                        .signal = qString(otlp::nameOf(request->signal)),
                        .transport = transportText(*request),
                        .program = QString::fromStdString(request->userAgent),
                        .host = hostOf(request->peer),
                        .bytes = request->bytes,
                        .isText = request->encoding == Encoding::Json,
                        .isKept = request->body.size() == request->bytes,
                        .outcome = QString::fromStdString(request->outcome),
                        .read = [request] { return anatomyOf(request); }});
    std::ranges::reverse(rows);
    return rows;
}

Result<std::shared_ptr<Store>> dataSetOf(const RecentRequest &request)
{
    auto decoded = decodeRequest({.signal = request.signal,
                                  .encoding = request.encoding,
                                  .transport = request.transport,
                                  .body = request.body,
                                  .peer = request.peer,
                                  .userAgent = request.userAgent});
    if (!decoded)
        return tl::unexpected(decoded.error());
    auto store = std::make_shared<Store>();
    store->append(std::move(decoded->batch));
    store->publish();
    return store;
}

} // namespace hearth
