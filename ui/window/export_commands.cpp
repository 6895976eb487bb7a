#include "ui/compare/compare_view.h"
#include "ui/export/ask_where.h"
#include "ui/export/flame_image.h"
#include "ui/export/flame_svg.h"
#include "ui/export/report.h"
#include "ui/export/shown_text.h"
#include "ui/export/view_saver.h"
#include "ui/export/web_page.h"
#include "ui/flame/flame_page.h"
#include "ui/overview/note_edit.h"
#include "ui/overview/overview_view.h"
#include "ui/window/main_window.h"

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QTabWidget>

// What leaves the window as a file or a picture.

namespace hearth {

namespace {

constexpr double kPictureScale = 2; ///< pictures are looked at on other screens, too

Result<QByteArray> pngOf(const QImage &image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return failure("the picture cannot be written as PNG");
    return bytes;
}

/// What the view shows, without what the mouse and the keyboard are at.
FlameSheet sheetOf(const FlameView &view, const Session &session, const QString &title)
{
    FlameSheet sheet;
    sheet.scene = view.scene();
    sheet.scene.hovered = nullptr;
    sheet.scene.selectedNode = NodeId::none();
    sheet.scene.selectedEntry = std::nullopt;
    sheet.scene.scale = 1;
    sheet.scene.shift = 0;
    sheet.title = shownText(title);
    sheet.subtitle = sheet.scene.difference ? subtitleOf(*sheet.scene.difference)
                                            : subtitleOf(*session.evaluation(), session.lens());
    sheet.width = view.viewport()->width();
    return sheet;
}

/// How the bytes are made of what a file's ending asks for; empty if it is none of ours. Pictures are painted
/// here and now, in the window's colours; the page of a large tree takes longer.
ViewSaver::Maker flameMaker(const FlameView &view, const Session &session, const QString &title,
                            const QString &ending)
{
    if (ending == QLatin1String("svg"))
        return [svg = flameSvg(sheetOf(view, session, title))] { return svg; };
    if (ending == QLatin1String("png"))
        return [image = flameImage(sheetOf(view, session, title), kPictureScale)]() -> Result<QByteArray> {
            return image ? pngOf(*image) : tl::unexpected(image.error());
        };
    const bool isPage = ending == QLatin1String("html") || ending == QLatin1String("htm");
    if (isPage && view.scene().difference)
        return [difference = view.scene().difference, title] {
            return webPage(*difference, {shownText(title), subtitleOf(*difference), {}}, NameDetail::Full);
        };
    if (isPage)
        return [snapshot = session.snapshot(), evaluation = session.evaluation(), lens = session.lens(),
                title, growsUp = view.scene().growsUp] {
            FlameSheet sheet = sheetOf(snapshot, evaluation, lens, title, kPageWidth);
            sheet.scene.growsUp = growsUp;
            return webPage(sheet);
        };
    return {};
}

} // namespace

void MainWindow::makeExportCommands()
{
    auto *saver = new ViewSaver(this);
    connect(saver, &ViewSaver::saved, this,
            [this](const QString &file) { showMessage(MessageKind::Note, tr("Saved as %1.").arg(file)); });
    connect(saver, &ViewSaver::failed, this,
            [this](const QString &message) { showMessage(MessageKind::Problem, message); });
    const QString group = tr("Views");
    m_commands.add(QStringLiteral("save-flames"), group, tr("Save the flame graph as…"), {},
                   [this, saver] { saveFlames(*saver); });
    m_commands.add(QStringLiteral("save-table"), group, tr("Save the table as…"), {},
                   [this, saver] { saveTables(*saver); });
    m_commands.add(QStringLiteral("save-report"), group, tr("Save a report…"), {},
                   [this, saver] { saveReport(*saver); });
    m_commands.add(QStringLiteral("copy-picture"), group, tr("Copy the view as a picture"), {},
                   [this] { QGuiApplication::clipboard()->setPixmap(m_views->currentWidget()->grab()); });
}

void MainWindow::saveFlames(ViewSaver &saver)
{
    const bool isComparison = m_views->currentWidget() == m_compare && m_compare->flames()->isVisible();
    const FlameView &view = isComparison ? *m_compare->flames() : *m_flames->view();
    if (!view.scene().layout || !m_session.evaluation())
        return showMessage(MessageKind::Note, tr("There is no flame graph to be saved yet."));
    const QString file = askWhereToWrite(this, tr("Save the flame graph"), m_title,
                                         tr("picture (*.svg);;picture of pixels (*.png);;web page (*.html)"));
    if (file.isEmpty())
        return;
    const auto make = flameMaker(view, m_session, m_title, QFileInfo(file).suffix().toLower());
    if (!make)
        return showMessage(MessageKind::Problem,
                           tr("%1: flame graphs are written as .svg, .png or .html.").arg(file));
    saver.save(file, make);
}

void MainWindow::saveReport(ViewSaver &saver)
{
    if (!m_session.evaluation())
        return showMessage(MessageKind::Note, tr("There is nothing to report on yet."));
    bool isWanted = false;
    const QString note = QInputDialog::getMultiLineText(
        this, tr("Report"), tr("What there is to say of it; the figures come by themselves."),
        m_overview->note()->toPlainText(), &isWanted);
    if (isWanted)
        m_overview->note()->setPlainText(note);
    const QString file = isWanted ? askWhereToWrite(this, tr("Save the report"), m_title,
                                                    tr("web page (*.html);;Markdown (*.md)"))
                                  : QString();
    if (file.isEmpty())
        return;
    Report report{.title = m_title,
                  .note = note,
                  .lens = m_session.lens(),
                  .overview = nullptr,
                  .flames = reportFlames(m_session.snapshot(), m_session.evaluation(), m_session.lens())};
    saver.save(file, [file, report, snapshot = m_session.snapshot()]() mutable -> Result<QByteArray> {
        Evaluator evaluator;
        auto overview = overviewOf(evaluator, snapshot, report.lens, kReportRows, {});
        if (!overview)
            return failure("nothing can be said of this");
        report.overview = std::make_shared<const Overview>(std::move(*overview));
        return reportFor(file, report);
    });
}

void MainWindow::saveTables(ViewSaver &saver)
{
    const QList<CopiedTable> tables = shownTables();
    if (tables.isEmpty())
        return showMessage(MessageKind::Note, tr("There is no table in this view."));
    const QString file = askWhereToWrite(this, tr("Save the table"), m_title,
                                         tr("comma-separated values (*.csv);;JSON (*.json)"));
    if (file.isEmpty())
        return;
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending != QLatin1String("csv") && ending != QLatin1String("json"))
        return showMessage(MessageKind::Problem, tr("%1: tables are written as .csv or .json.").arg(file));
    saver.save(file, [tables, isCsv = ending == QLatin1String("csv")]() -> Result<QByteArray> {
        return (isCsv ? asCsv(tables) : asJson(tables)).toUtf8();
    });
}

} // namespace hearth
