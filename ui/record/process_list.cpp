#include "ui/record/process_list.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace hearth {

namespace {

constexpr qint64 kMostText = 4096;            ///< of a file of /proc
constexpr quint64 kKernelThread = 0x00200000; ///< PF_KTHREAD of linux/sched.h
constexpr int kContainerDigits = 12;

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(kMostText) : QByteArray();
}

/// Names are shown in lines: what would break one, or turn its direction, is replaced.
QString harmless(const QByteArray &bytes)
{
    QString text = QString::fromUtf8(bytes);
    for (QChar &character : text)
        if (!character.isPrint() && !character.isSurrogate())
            character = QChar::ReplacementCharacter;
    return text;
}

/// `pid (name) state ppid … flags … utime stime … starttime …`; a name may have parentheses and blanks in it.
struct Stat {
    QString name;
    quint64 flags = 0;
    quint64 ticks = 0;
    quint64 started = 0;
};

std::optional<Stat> statOf(const QByteArray &text)
{
    const qsizetype open = text.indexOf('(');
    const qsizetype close = text.lastIndexOf(')');
    if (open < 0 || close < open)
        return std::nullopt;
    const QByteArrayList fields = text.mid(close + 2).split(' ');
    // Numbers as in proc(5), where the state is field 3.
    constexpr qsizetype kState = 3, kFlags = 9 - kState, kUser = 14 - kState, kSystem = 15 - kState,
                        kStart = 22 - kState;
    if (fields.size() <= kStart)
        return std::nullopt;
    return Stat{.name = harmless(text.mid(open + 1, close - open - 1)),
                .flags = fields[kFlags].toULongLong(),
                .ticks = fields[kUser].toULongLong() + fields[kSystem].toULongLong(),
                .started = fields[kStart].toULongLong()};
}

QString containerOf(const QByteArray &cgroups)
{
    static const QRegularExpression id(QStringLiteral("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"));
    return id.match(QString::fromLatin1(cgroups)).captured().left(kContainerDigits);
}

QString commandLineOf(QByteArray words)
{
    while (words.endsWith('\0'))
        words.chop(1);
    return harmless(words.replace('\0', ' '));
}

} // namespace

std::vector<ProcessRow> readProcesses(const QString &folder, const std::stop_token &stop)
{
    std::vector<ProcessRow> rows;
    QHash<uint, QString> users;
    for (const QString &entry : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isNumber = false;
        const int process = entry.toInt(&isNumber);
        if (stop.stop_requested())
            return {};
        if (!isNumber)
            continue;
        const QString path = folder + QLatin1Char('/') + entry;
        const auto stat = statOf(contentOf(path + QStringLiteral("/stat")));
        if (!stat || (stat->flags & kKernelThread) != 0)
            continue;
        const QFileInfo info(path);
        if (!users.contains(info.ownerId()))
            users.insert(info.ownerId(),
                         info.owner().isEmpty() ? QString::number(info.ownerId()) : info.owner());
        rows.push_back({.process = process,
                        .name = stat->name,
                        .user = users.value(info.ownerId()),
                        .container = containerOf(contentOf(path + QStringLiteral("/cgroup"))),
                        .commandLine = commandLineOf(contentOf(path + QStringLiteral("/cmdline"))),
                        .ticks = stat->ticks,
                        .started = stat->started});
    }
    return rows;
}

void setShares(std::vector<ProcessRow> &rows, const std::vector<ProcessRow> &before, double secondsBetween,
               double secondsUp)
{
    const auto ticksPerSecond = static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::unordered_map<int, const ProcessRow *> known;
    for (const ProcessRow &row : before)
        known.emplace(row.process, &row);
    for (ProcessRow &row : rows) {
        const auto found = known.find(row.process);
        const bool isKnown =
            found != known.end() && found->second->started == row.started && secondsBetween > 0;
        const quint64 ticks = row.ticks - (isKnown ? std::min(found->second->ticks, row.ticks) : 0);
        const double seconds =
            isKnown ? secondsBetween : secondsUp - static_cast<double>(row.started) / ticksPerSecond;
        constexpr double kShortest = 0.1; // of a process that has just started nothing is known yet
        row.share = static_cast<double>(ticks) / ticksPerSecond / std::max(seconds, kShortest);
    }
}

double secondsUp(const QString &folder)
{
    return contentOf(folder + QStringLiteral("/uptime")).split(' ').value(0).toDouble();
}

} // namespace hearth
