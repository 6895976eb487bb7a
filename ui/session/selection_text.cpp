#include "ui/session/selection_text.h"

#include "ui/session/session.h"
#include "ui/theme/figures.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <vector>

namespace hearth {

namespace {

/// From below the root to the selected node; none if only a function is selected.
std::vector<NodeId> selectedPath(const Session &session)
{
    std::vector<NodeId> path;
    if (!session.evaluation())
        return path;
    const CallTree &tree = *session.evaluation()->tree;
    for (NodeId node = session.selectedNode(); !node.isNone() && node != TreeShape::kRoot;
         node = tree.parent(node))
        path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

QString cell(QString text)
{
    return text.replace(QLatin1Char('|'), QStringLiteral("\\|"));
}

} // namespace

QString selectedName(const Session &session)
{
    return session.selectedName();
}

std::vector<std::string> selectedPathNames(const Session &session)
{
    std::vector<std::string> names;
    for (const NodeId node : selectedPath(session)) {
        const CallTree &tree = *session.evaluation()->tree;
        names.emplace_back(tree.entries()[tree.entryOf(node)].name);
    }
    const std::size_t groups = session.evaluation() ? session.evaluation()->groupDepth : 0;
    names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(groups, names.size())));
    return names;
}

QString selectedStackText(const Session &session)
{
    const std::vector<NodeId> path = selectedPath(session);
    if (path.empty())
        return session.selectedName();
    const CallTree &tree = *session.evaluation()->tree;
    QStringList names;
    for (const NodeId node : path)
        names += qString(tree.entries()[tree.entryOf(node)].name);
    return names.join(QLatin1Char('\n'));
}

QString selectedStackMarkdown(const Session &session)
{
    const std::vector<NodeId> path = selectedPath(session);
    if (path.empty())
        return QStringLiteral("`%1`").arg(session.selectedName());
    const Evaluation &evaluation = *session.evaluation();
    const CallTree &tree = *evaluation.tree;
    QString text =
        QStringLiteral("| %1 | total | self |\n|:--|--:|--:|\n").arg(cell(qString(evaluation.series.name())));
    for (const NodeId node : path)
        text +=
            QStringLiteral("| `%1` | %2 · %3 | %4 |\n")
                .arg(cell(qString(tree.entries()[tree.entryOf(node)].name)),
                     valueText(tree.total(node), evaluation.series.unit),
                     shareText(static_cast<double>(tree.total(node)), static_cast<double>(evaluation.total)),
                     valueText(tree.self(node), evaluation.series.unit));
    return text;
}

QString selectedStackJson(const Session &session)
{
    if (!session.evaluation())
        return {};
    const Evaluation &evaluation = *session.evaluation();
    const CallTree &tree = *evaluation.tree;
    QJsonArray stack;
    for (const NodeId node : selectedPath(session)) {
        const Entry &entry = tree.entries()[tree.entryOf(node)];
        stack.append(QJsonObject{{QStringLiteral("name"), qString(entry.name)},
                                 {QStringLiteral("file"), qString(entry.file)},
                                 {QStringLiteral("line"), qint64(entry.line)},
                                 {QStringLiteral("binary"), qString(entry.binary)},
                                 {QStringLiteral("self"), qint64(tree.self(node))},
                                 {QStringLiteral("total"), qint64(tree.total(node))}});
    }
    const QJsonObject report{{QStringLiteral("series"), qString(evaluation.series.type)},
                             {QStringLiteral("unit"), qString(evaluation.series.unit)},
                             {QStringLiteral("total"), qint64(evaluation.total)},
                             {QStringLiteral("selected"), session.selectedName()},
                             {QStringLiteral("stack"), stack}};
    return QString::fromUtf8(QJsonDocument(report).toJson());
}

} // namespace hearth
