#include "ui/traces/waterfall_view.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr double kShortest = 1000; ///< what can be zoomed to, in nanoseconds

QString lineOf(const QString &what, const QString &figure)
{
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(what, figure);
}

} // namespace

WaterfallView::WaterfallView(QWidget *parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Trace"));
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(WaterfallScene::kRowHeight);
}

void WaterfallView::show(std::shared_ptr<const SpanStudy> study, std::shared_ptr<const Waterfall> waterfall,
                         std::shared_ptr<const std::vector<LogMark>> logs,
                         std::shared_ptr<const TraceSamples> samples)
{
    const QString before = m_scene.traceId();
    m_scene.study = std::move(study);
    m_scene.waterfall = std::move(waterfall);
    m_scene.logs = std::move(logs);
    m_scene.samples = std::move(samples);
    if (m_scene.traceId() != before) {
        m_scene.current.reset();
        verticalScrollBar()->setValue(0);
        showAll();
    }
    if (m_scene.current && *m_scene.current >= m_scene.rows())
        m_scene.current.reset();
    fit();
    viewport()->update();
}

void WaterfallView::showAll()
{
    m_scene.beginNs = m_scene.rows() > 0 ? m_scene.waterfall->beginNs : 0;
    m_scene.endNs = m_scene.rows() > 0 ? m_scene.waterfall->endNs : 0;
    viewport()->update();
}

void WaterfallView::fit()
{
    m_scene.size = viewport()->size();
    verticalScrollBar()->setPageStep(m_scene.size.height());
    verticalScrollBar()->setRange(0, std::max(0, m_scene.wholeHeight() - m_scene.size.height()));
    m_scene.scrolled = verticalScrollBar()->value();
}

void WaterfallView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().panel);
    paintWaterfall(painter, m_scene, font());
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
}

void WaterfallView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    fit();
}

void WaterfallView::scrollContentsBy(int, int)
{
    m_scene.scrolled = verticalScrollBar()->value();
    viewport()->update();
}

void WaterfallView::setCurrent(std::optional<std::size_t> row)
{
    m_scene.current = row;
    if (row && *row < m_scene.rows()) {
        const QRect place = m_scene.row(*row);
        const int above = WaterfallScene::kHeadHeight - place.top();
        const int below = place.bottom() + 1 - viewport()->height();
        if (above > 0)
            verticalScrollBar()->setValue(verticalScrollBar()->value() - above);
        else if (below > 0)
            verticalScrollBar()->setValue(verticalScrollBar()->value() + below);
        setAccessibleDescription(describe(*row));
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }
    viewport()->update();
}

void WaterfallView::choose(std::size_t row)
{
    setCurrent(row);
    Q_EMIT spanChosen(row);
}

bool WaterfallView::selectFailed(bool forward)
{
    const std::size_t count = m_scene.rows();
    const std::size_t from = m_scene.current.value_or(forward ? count - 1 : 0);
    for (std::size_t step = 1; step <= count; ++step) {
        const std::size_t row = (from + (forward ? step : count - step)) % count;
        const SpanRow span = m_scene.waterfall->rows[row].span;
        if (!span.isNone() && (m_scene.study->table.marks(span) & kSpanFailed) != 0) {
            choose(row);
            return true;
        }
    }
    return false;
}

void WaterfallView::moveCurrent(std::int64_t rows)
{
    if (m_scene.rows() == 0)
        return;
    const auto last = static_cast<std::int64_t>(m_scene.rows() - 1);
    const std::int64_t from =
        m_scene.current ? static_cast<std::int64_t>(*m_scene.current) : (rows > 0 ? -1 : 1);
    choose(static_cast<std::size_t>(std::clamp(from + rows, std::int64_t(0), last)));
}

void WaterfallView::keyPressEvent(QKeyEvent *event)
{
    const std::int64_t page = std::max(1, viewport()->height() / WaterfallScene::kRowHeight - 2);
    const auto all = static_cast<std::int64_t>(m_scene.rows());
    constexpr double kStep = 0.1;
    constexpr double kZoom = 1.5;
    const std::int64_t middle = m_scene.beginNs + (m_scene.endNs - m_scene.beginNs) / 2;
    switch (event->key()) {
    case Qt::Key_Down:
        return moveCurrent(1);
    case Qt::Key_Up:
        return moveCurrent(-1);
    case Qt::Key_PageDown:
        return moveCurrent(page);
    case Qt::Key_PageUp:
        return moveCurrent(-page);
    case Qt::Key_Home:
        return moveCurrent(-all);
    case Qt::Key_End:
        return moveCurrent(all);
    case Qt::Key_Left:
        return pan(-kStep);
    case Qt::Key_Right:
        return pan(kStep);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAround(middle, 1 / kZoom);
    case Qt::Key_Minus:
        return zoomAround(middle, kZoom);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT activated();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void WaterfallView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pannedFrom = event->pos();
    if (const auto row = m_scene.rowAt(event->pos().y()))
        choose(*row);
}

void WaterfallView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pannedFrom)
        return;
    const int distance = m_pannedFrom->x() - event->pos().x();
    m_pannedFrom = event->pos();
    pan(static_cast<double>(distance) / m_scene.width());
}

void WaterfallView::mouseReleaseEvent(QMouseEvent *)
{
    m_pannedFrom.reset();
}

void WaterfallView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_scene.rowAt(event->pos().y()))
        Q_EMIT activated();
}

void WaterfallView::wheelEvent(QWheelEvent *event)
{
    if ((event->modifiers() & Qt::ControlModifier) == 0)
        return QAbstractScrollArea::wheelEvent(event);
    constexpr double kNotch = 120;
    constexpr double kFactor = 0.8;
    const auto x = static_cast<int>(event->position().x());
    zoomAround(m_scene.timeAt(x), std::pow(kFactor, event->angleDelta().y() / kNotch));
    event->accept();
}

void WaterfallView::zoomAround(std::int64_t time, double factor)
{
    const double begin = static_cast<double>(m_scene.beginNs);
    const double end = static_cast<double>(m_scene.endNs);
    const double at = static_cast<double>(time);
    setShown(at - (at - begin) * factor, at + (end - at) * factor);
}

void WaterfallView::pan(double share)
{
    const double by = share * (static_cast<double>(m_scene.endNs) - static_cast<double>(m_scene.beginNs));
    setShown(static_cast<double>(m_scene.beginNs) + by, static_cast<double>(m_scene.endNs) + by);
}

/// Keeps within the trace.
void WaterfallView::setShown(double begin, double end)
{
    if (m_scene.rows() == 0)
        return;
    const double first = static_cast<double>(m_scene.waterfall->beginNs);
    const double last = static_cast<double>(m_scene.waterfall->endNs);
    const double length = std::clamp(end - begin, std::min(kShortest, last - first), last - first);
    begin = std::clamp(begin, first, last - length);
    // From where the trace begins, since large doubles count in steps of hundreds of nanoseconds.
    m_scene.beginNs = m_scene.waterfall->beginNs + static_cast<std::int64_t>(begin - first);
    m_scene.endNs = m_scene.beginNs + static_cast<std::int64_t>(length);
    viewport()->update();
}

QString WaterfallView::describe(std::size_t row) const
{
    const WaterfallRow &of = m_scene.waterfall->rows[row];
    QString text =
        tr("%1, %2, level %3, %4 of which %5 on CPU, %6 waiting, %7 not observed")
            .arg(m_scene.nameOf(of), m_scene.serviceOf(of))
            .arg(of.depth + 1)
            .arg(valueText(of.durationNs, "nanoseconds"), valueText(of.onCpuNs, "nanoseconds"),
                 valueText(of.waitingNs(), "nanoseconds"), valueText(of.unobservedNs(), "nanoseconds"));
    if (const QString oddity = m_scene.oddityOf(of); !oddity.isEmpty())
        text += QStringLiteral(", ") + oddity;
    return text;
}

QString WaterfallView::toolTipOf(std::size_t row) const
{
    const WaterfallRow &of = m_scene.waterfall->rows[row];
    QString text = QStringLiteral("<b>%1</b> %2<table>")
                       .arg(m_scene.nameOf(of).toHtmlEscaped(), m_scene.serviceOf(of).toHtmlEscaped());
    text += lineOf(tr("starts after"), valueText(of.startNs - m_scene.waterfall->beginNs, "nanoseconds"));
    text += lineOf(tr("lasts"), valueText(of.durationNs, "nanoseconds"));
    text += lineOf(tr("on CPU"), valueText(of.onCpuNs, "nanoseconds"));
    for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
        if (of.waitNs[cause] > 0)
            text += lineOf(tr("waiting: %1").arg(qString(nameOf(static_cast<WaitCause>(cause)))),
                           valueText(of.waitNs[cause], "nanoseconds"));
    text += lineOf(tr("not observed"), valueText(of.unobservedNs(), "nanoseconds"));
    text += lineOf(tr("samples"), countText(of.samples));
    const auto logs = std::ranges::count(*m_scene.logs, static_cast<std::uint32_t>(row), &LogMark::row);
    if (logs > 0)
        text += lineOf(tr("log records"), countText(static_cast<std::uint64_t>(logs)));
    text += QStringLiteral("</table>");
    if (const QString oddity = m_scene.oddityOf(of); !oddity.isEmpty())
        text += oddity + QStringLiteral("<br>");
    return text + tr("Click shows its code, double-click the flame graph, Ctrl+wheel zooms");
}

/// Keys that move within the trace are not those of commands.
bool WaterfallView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Plus || key == Qt::Key_Minus || key == Qt::Key_Return || key == Qt::Key_Enter) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool WaterfallView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto row = m_scene.rowAt(help->pos().y());
        QToolTip::showText(help->globalPos(), row ? toolTipOf(*row) : QString(), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace hearth
