#include "ui/export/report.h"

#include "model/lens/lens_text.h"
#include "ui/export/flame_svg.h"
#include "ui/export/shown_text.h"
#include "ui/overview/overview_text.h"
#include "ui/table/copied_table.h"
#include "ui/theme/figures.h"
#include "ui/theme/page_colors.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QList>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

QString words(const char *english)
{
    return QCoreApplication::translate("report", english);
}

CopiedTable tableOf(const RankedRows &list)
{
    CopiedTable table;
    table.title = shownText(list.head);
    table.columns = {{words("Name"), {}, false}, {words("Weight"), {}, true}, {words("Share"), {}, true}};
    for (const RankedRow &row : list.rows)
        table.rows.append({{shownText(row.name), {}},
                           {valueText(row.weight, row.unit), {}},
                           {row.share ? shareText(*row.share, 1) : QString(), {}}});
    return table;
}

QList<CopiedTable> tablesOf(const Overview &overview)
{
    QList<CopiedTable> tables{tableOf(functionsOf(overview)), tableOf(binariesOf(overview, kReportRows))};
    for (const AttributeTop &attribute : overview.attributes)
        tables += tableOf(valuesOf(overview, attribute));
    CopiedTable facts;
    facts.title = words("What it is");
    facts.columns = {{words("Name"), {}, false}, {words("Value"), {}, false}};
    for (const auto &[name, value] : factLines(overview))
        facts.rows.append({{shownText(name), {}}, {shownText(value), {}}});
    tables += facts;
    tables.removeIf([](const CopiedTable &table) { return table.rows.isEmpty(); });
    return tables;
}

/// Text that Markdown shows as it is.
QString plain(const QString &from)
{
    static const QString kMarks = QStringLiteral("\\`*_{}[]<>()#+!|~&");
    QString escaped;
    const QString line = shownText(from).replace(QLatin1Char('\n'), QLatin1Char(' '));
    for (const QChar character : line) {
        if (kMarks.contains(character))
            escaped += QLatin1Char('\\');
        escaped += character;
    }
    return escaped;
}

/// A lens as code: between more backticks than it has itself.
QString code(const QString &from)
{
    QString fence(QLatin1Char('`'));
    while (from.contains(fence))
        fence += QLatin1Char('`');
    return fence + QLatin1Char(' ') + from + QLatin1Char(' ') + fence;
}

QString lensText(const Report &report)
{
    return shownText(printLens(report.lens)).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

constexpr const char *kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px;color:#1a1e24;"
    "background:#fff}h1{font-size:20px;margin:0}h2{font-size:14px;margin:24px 0 4px;color:#5a6472}"
    "p{margin:4px 0}.note{white-space:pre-wrap;border-left:3px solid #2563c9;padding-left:12px;margin:16px 0}"
    "code{background:#eceff2;padding:1px 4px}table{border-collapse:collapse;width:100%}"
    "td,th{padding:2px 8px;text-align:left;border-bottom:1px solid #eceff2;vertical-align:top;"
    "overflow-wrap:anywhere}th{color:#5a6472;font-weight:600}.n{text-align:right;white-space:nowrap}"
    "svg{max-width:100%;height:auto}";

QString paragraph(const QString &content, const char *kind = "")
{
    return QStringLiteral("<p%1>%2</p>\n").arg(QLatin1String(kind), content.toHtmlEscaped());
}

QString htmlTable(const CopiedTable &table)
{
    QString html = QStringLiteral("<h2>%1</h2>\n<table>\n").arg(table.title.toHtmlEscaped());
    for (const auto &row : table.rows) {
        html += QStringLiteral("<tr>");
        for (qsizetype i = 0; i < row.size(); ++i)
            html += (table.columns[i].isRight ? QStringLiteral("<td class=\"n\">") : QStringLiteral("<td>")) +
                    row[i].text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) +
                    QStringLiteral("</td>");
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

/// Without what may only stand at the head of a file.
QByteArray elementOf(const QByteArray &svg)
{
    return svg.mid(std::max<qsizetype>(0, svg.indexOf("<svg")));
}

} // namespace

QByteArray reportFlames(std::shared_ptr<const Snapshot> snapshot,
                        std::shared_ptr<const Evaluation> evaluation, const Lens &lens)
{
    const InColors light(ThemeKind::Light);
    return flameSvg(sheetOf(std::move(snapshot), std::move(evaluation), lens, {}, kReportWidth));
}

QByteArray reportMarkdown(const Report &report)
{
    const Overview &overview = *report.overview;
    QString text = QStringLiteral("# ") + plain(report.title) + QStringLiteral("\n\n") +
                   plain(summaryOf(overview)) + QStringLiteral("\n\n");
    if (const QString lens = lensText(report); !lens.isEmpty())
        text += words("Filter: ") + code(lens) + QStringLiteral("\n\n");
    if (!report.note.isEmpty())
        text += report.note + QStringLiteral("\n\n");
    for (const Advice &advice : overview.advice)
        text += QStringLiteral("- ") + plain(QString::fromStdString(advice.text)) + QLatin1Char('\n');
    for (CopiedTable table : tablesOf(overview)) {
        text += QStringLiteral("\n## ") + plain(table.title) + QStringLiteral("\n\n");
        for (auto &row : table.rows)
            for (CopiedTable::Cell &cell : row)
                cell.text = plain(cell.text);
        text += asMarkdown(table);
    }
    return text.toUtf8();
}

QByteArray reportPage(const Report &report)
{
    const Overview &overview = *report.overview;
    const QString title = shownText(report.title).toHtmlEscaped();
    QString html =
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'\">\n<title>%1</title>\n<style>%2</style>\n</head>\n"
                       "<body>\n<h1>%1</h1>\n")
            .arg(title, QLatin1String(kStyle));
    html += paragraph(summaryOf(overview));
    if (const QString lens = lensText(report); !lens.isEmpty())
        html += QStringLiteral("<p>%1<code>%2</code></p>\n").arg(words("Filter: "), lens.toHtmlEscaped());
    if (!report.note.isEmpty())
        html += paragraph(report.note, " class=\"note\"");
    if (!overview.advice.empty())
        html += QStringLiteral("<ul>\n");
    for (const Advice &advice : overview.advice)
        html += QStringLiteral("<li>%1</li>\n")
                    .arg(shownText(QString::fromStdString(advice.text)).toHtmlEscaped());
    if (!overview.advice.empty())
        html += QStringLiteral("</ul>\n");
    QByteArray page = html.toUtf8() + elementOf(report.flames);
    for (const CopiedTable &table : tablesOf(overview))
        page += htmlTable(table).toUtf8();
    return page + "</body>\n</html>\n";
}

Result<QByteArray> reportFor(const QString &file, const Report &report)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == QLatin1String("html") || ending == QLatin1String("htm"))
        return reportPage(report);
    if (ending == QLatin1String("md"))
        return reportMarkdown(report);
    return failure(file.toStdString() + ": reports are written as .html or .md");
}

} // namespace hearth
