#include "app/workspace/workspace_text.h"

#include "model/lens/lens_text.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace hearth {

namespace {

constexpr QLatin1String kVersion("hearthWorkspace");
constexpr QLatin1String kNote("note");
constexpr QLatin1String kSources("sources");
constexpr QLatin1String kName("name");
constexpr QLatin1String kFiles("files");
constexpr QLatin1String kPath("path");
constexpr QLatin1String kSize("size");
constexpr QLatin1String kDigest("digest");
constexpr QLatin1String kLens("lens");
constexpr QLatin1String kShown("shown");
constexpr QLatin1String kBaseline("baseline");
constexpr QLatin1String kSource("source");
constexpr QLatin1String kView("view");
constexpr QLatin1String kChoices("choices");
constexpr QLatin1String kLayout("layout");

constexpr qsizetype kMostSources = 1000;
constexpr qsizetype kMostFiles = 10'000; ///< of a source
constexpr qsizetype kDeepest = 32;

bool leadsOut(const QString &relative)
{
    return relative == QLatin1String("..") || relative.startsWith(QLatin1String("../"));
}

QString shortestPath(const QString &path, const QString &folder)
{
    const QString relative = QDir(folder).relativeFilePath(path);
    return leadsOut(relative) ? path : relative;
}

// ---- writing

void put(QJsonObject &object, QLatin1String key, const QString &text)
{
    if (!text.isEmpty())
        object.insert(key, text);
}

QString lensText(const Lens &lens)
{
    return QString::fromStdString(printLens(lens));
}

QJsonObject jsonOf(const SourceFile &file, const QString &folder)
{
    QJsonObject json{{kPath, shortestPath(file.path, folder)}};
    if (file.size >= 0)
        json.insert(kSize, file.size);
    put(json, kDigest, QString::fromLatin1(file.digest));
    return json;
}

QJsonObject jsonOf(const WorkspaceSource &source, const QString &folder)
{
    QJsonObject json{{kName, source.name}};
    QJsonArray files;
    for (const SourceFile &file : source.files)
        files += jsonOf(file, folder);
    if (!files.isEmpty())
        json.insert(kFiles, files);
    put(json, kLens, lensText(source.lens));
    put(json, kNote, source.note);
    return json;
}

// ---- reading

/// The longest beginning of a damaged text that is whole once what is open in it is closed.
QByteArray closedBeginning(const QByteArray &text)
{
    QByteArray open; ///< the brackets that close what is open, the innermost last
    QByteArray missing;
    qsizetype end = 0;
    const auto keep = [&](qsizetype at) {
        end = at;
        missing = open;
    };
    bool isString = false;
    for (qsizetype i = 0; i < text.size() && open.size() <= kDeepest; ++i) {
        const char character = text[i];
        if (isString) {
            i += character == '\\';
            isString = character != '"';
        } else if (character == '"') {
            isString = true;
        } else if (character == '{' || character == '[') {
            open += character == '{' ? '}' : ']';
            keep(i + 1);
        } else if (character == '}' || character == ']') {
            if (!open.endsWith(character))
                break;
            open.chop(1);
            keep(i + 1);
        } else if (character == ',') {
            keep(i);
        }
    }
    std::ranges::reverse(missing);
    return text.left(end) + missing;
}

/// Takes what can be understood of a workspace, and notes what cannot.
class Reader {
public:
    explicit Reader(QString folder) : m_folder(std::move(folder)) {}

    Result<ParsedWorkspace> read(const QByteArray &text);

private:
    QJsonObject parse(const QByteArray &text);
    void complain(const QString &place, const QString &problem)
    {
        m_result.problems += place + QStringLiteral(": ") + problem;
    }
    bool isOf(const QJsonValue &value, QJsonValue::Type type, const QString &place);
    QString text(const QJsonObject &from, QLatin1String key, const QString &place);
    QJsonObject object(const QJsonObject &from, QLatin1String key);
    QJsonArray list(const QJsonObject &from, QLatin1String key, const QString &place, qsizetype most);
    Lens lens(const QJsonObject &from, const QString &place);
    std::optional<SourceFile> file(const QJsonValue &from, const QString &place);
    WorkspaceSource source(const QJsonObject &from, const QString &place);
    void readSources(const QJsonObject &from);
    std::optional<std::size_t> index(const QJsonObject &from, QLatin1String key, const QString &place);

    QString m_folder;
    ParsedWorkspace m_result;
    std::vector<std::optional<std::size_t>> m_places; ///< by place in the file: of the source that it became
};

QString inside(const QString &place, QLatin1String key)
{
    return place.isEmpty() ? QString(key) : place + QLatin1Char('.') + key;
}

QString inside(const QString &place, qsizetype index)
{
    return QStringLiteral("%1[%2]").arg(place).arg(index);
}

/// A missing value is none, and no fault.
bool Reader::isOf(const QJsonValue &value, QJsonValue::Type type, const QString &place)
{
    if (value.type() == type)
        return true;
    if (!value.isUndefined())
        complain(place, QStringLiteral("not understood, and left out"));
    return false;
}

QString Reader::text(const QJsonObject &from, QLatin1String key, const QString &place)
{
    const QJsonValue value = from.value(key);
    return isOf(value, QJsonValue::String, inside(place, key)) ? value.toString() : QString();
}

QJsonObject Reader::object(const QJsonObject &from, QLatin1String key)
{
    const QJsonValue value = from.value(key);
    return isOf(value, QJsonValue::Object, key) ? value.toObject() : QJsonObject();
}

QJsonArray Reader::list(const QJsonObject &from, QLatin1String key, const QString &place, qsizetype most)
{
    const QJsonValue value = from.value(key);
    if (!isOf(value, QJsonValue::Array, inside(place, key)))
        return {};
    QJsonArray all = value.toArray();
    if (all.size() > most)
        complain(inside(inside(place, key), most),
                 QStringLiteral("too many; these and all behind are left out"));
    while (all.size() > most)
        all.removeLast();
    return all;
}

Lens Reader::lens(const QJsonObject &from, const QString &place)
{
    const std::string written = text(from, kLens, place).toStdString();
    auto parsed = parseLens(written);
    if (parsed)
        return *std::move(parsed);
    complain(inside(place, kLens), QStringLiteral("it cannot be understood, and is left out\n") +
                                       QString::fromStdString(pointAt(written, parsed.error())));
    return {};
}

std::optional<SourceFile> Reader::file(const QJsonValue &from, const QString &place)
{
    if (!isOf(from, QJsonValue::Object, place))
        return std::nullopt;
    const QJsonObject json = from.toObject();
    const QString written = text(json, kPath, place);
    if (written.isEmpty() || written.contains(QChar(0))) {
        complain(inside(place, kPath), QStringLiteral("it names no file"));
        return std::nullopt;
    }
    const QString path = QDir::cleanPath(written);
    if (leadsOut(path)) {
        complain(
            inside(place, kPath),
            QStringLiteral("%1 leads out of the folder of the workspace, and is not followed; such a path "
                           "must be absolute")
                .arg(written));
        return std::nullopt;
    }
    SourceFile known{.path = QDir::isAbsolutePath(path) ? path : QDir(m_folder).filePath(path)};
    if (const QJsonValue size = json.value(kSize); isOf(size, QJsonValue::Double, inside(place, kSize)))
        known.size = std::max<qint64>(-1, size.toInteger(-1));
    known.digest = text(json, kDigest, place).toLatin1();
    return known;
}

WorkspaceSource Reader::source(const QJsonObject &from, const QString &place)
{
    WorkspaceSource source{.name = text(from, kName, place), .files = {}};
    const QJsonArray files = list(from, kFiles, place, kMostFiles);
    for (qsizetype i = 0; i < files.size(); ++i)
        if (auto known = file(files[i], inside(inside(place, kFiles), i)))
            source.files.push_back(*std::move(known));
    source.lens = lens(from, place);
    source.note = text(from, kNote, place);
    if (source.name.isEmpty())
        source.name = source.files.empty() ? place : QFileInfo(source.files.front().path).fileName();
    return source;
}

void Reader::readSources(const QJsonObject &from)
{
    const QJsonArray sources = list(from, kSources, {}, kMostSources);
    for (qsizetype i = 0; i < sources.size(); ++i) {
        const QString place = inside(kSources, i);
        std::vector<WorkspaceSource> &known = m_result.workspace.sources;
        const bool isSource = isOf(sources[i], QJsonValue::Object, place);
        m_places.push_back(isSource ? std::optional(known.size()) : std::nullopt);
        if (isSource)
            known.push_back(source(sources[i].toObject(), place));
    }
}

/// Of a source.
std::optional<std::size_t> Reader::index(const QJsonObject &from, QLatin1String key, const QString &place)
{
    const QJsonValue value = from.value(key);
    if (!isOf(value, QJsonValue::Double, inside(place, key)))
        return std::nullopt;
    const qint64 number = value.toInteger(-1);
    if (number >= 0 && std::cmp_less(number, m_places.size()))
        return m_places[static_cast<std::size_t>(number)];
    complain(inside(place, key), QStringLiteral("there is no such source"));
    return std::nullopt;
}

/// The object that the text is, or what can be read of it.
QJsonObject Reader::parse(const QByteArray &text)
{
    constexpr int kTries = 3; // where the place of damage is reported too late
    QByteArray rest = text;
    for (int i = 0; i < kTries; ++i) {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(rest, &error);
        if (error.error == QJsonParseError::NoError)
            return document.object();
        const QByteArray good = rest.left(error.offset);
        if (i == 0)
            complain(
                QStringLiteral("line %1").arg(good.count('\n') + 1),
                QStringLiteral("damaged (%1); what is behind that is left out").arg(error.errorString()));
        rest = closedBeginning(good);
    }
    return {};
}

Result<ParsedWorkspace> Reader::read(const QByteArray &text)
{
    const QJsonObject json = parse(text);
    const int version = json.value(kVersion).toInt(0);
    if (version < 1)
        return failure("not a workspace of Hearth" + (m_result.problems.isEmpty()
                                                          ? std::string()
                                                          : ": " + m_result.problems.front().toStdString()));
    if (version > kWorkspaceVersion)
        complain(kVersion,
                 QStringLiteral("written by a newer Hearth (version %1, this one knows %2): what it "
                                "does not know is left out")
                     .arg(version)
                     .arg(kWorkspaceVersion));
    Workspace &workspace = m_result.workspace;
    workspace.note = this->text(json, kNote, {});
    readSources(json);
    workspace.shown = index(json, kShown, {});
    if (const QJsonObject baseline = object(json, kBaseline); !baseline.isEmpty())
        if (const auto place = index(baseline, kSource, kBaseline))
            workspace.baseline = {*place, baseline.contains(kLens) ? std::optional(lens(baseline, kBaseline))
                                                                   : std::nullopt};
    workspace.window = {this->text(json, kView, {}), object(json, kChoices), object(json, kLayout)};
    return std::move(m_result);
}

} // namespace

QByteArray workspaceText(const Workspace &workspace, const QString &folder)
{
    QJsonObject json{{kVersion, kWorkspaceVersion}};
    put(json, kNote, workspace.note);
    QJsonArray sources;
    for (const WorkspaceSource &source : workspace.sources)
        sources += jsonOf(source, folder);
    json.insert(kSources, sources);
    if (workspace.shown)
        json.insert(kShown, static_cast<qint64>(*workspace.shown));
    if (workspace.baseline) {
        QJsonObject baseline{{kSource, static_cast<qint64>(workspace.baseline->source)}};
        if (workspace.baseline->lens)
            baseline.insert(kLens, lensText(*workspace.baseline->lens));
        json.insert(kBaseline, baseline);
    }
    put(json, kView, workspace.window.view);
    if (!workspace.window.choices.isEmpty())
        json.insert(kChoices, workspace.window.choices);
    if (!workspace.window.layout.isEmpty())
        json.insert(kLayout, workspace.window.layout);
    return QJsonDocument(json).toJson();
}

Result<ParsedWorkspace> parseWorkspace(const QByteArray &text, const QString &folder)
{
    return Reader(folder).read(text);
}

} // namespace hearth
