#include "ui/code/code_pane.h"

#include "model/lens/units.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

constexpr int kStripWidth = 6; ///< at the right: where in the whole it is hot
constexpr double kHot = 0.2;   ///< of the heaviest
constexpr int kMargin = 3;     ///< rows between the current one and the edge
constexpr qsizetype kLongest = 2000;

double magnitude(std::int64_t value)
{
    return std::abs(static_cast<double>(value));
}

bool isEditorKey(const QKeyEvent &event)
{
    return event.key() == Qt::Key_E && event.modifiers() == Qt::ControlModifier;
}

} // namespace

QString shownCode(std::string_view text)
{
    constexpr qsizetype kTab = 4;
    constexpr std::size_t kMostBytes = 4 * std::size_t(kLongest); // of UTF-8
    QString shown;
    for (const QChar character : qString(text.substr(0, kMostBytes)).left(kLongest)) {
        if (character == QLatin1Char('\t'))
            shown += QString(kTab - shown.size() % kTab, QLatin1Char(' '));
        else
            shown += character.isPrint() || character.isSurrogate() ? character : QChar(0xfffd);
    }
    return text.size() > kMostBytes ? shown + QChar(0x2026) : shown;
}

CodePane::CodePane(QWidget *parent)
    : QAbstractScrollArea(parent), m_codeFont(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    verticalScrollBar()->setSingleStep(kRowHeight);
    measureWeights();
}

void CodePane::setRows(std::vector<CodeWeight> weights, const std::string &unit, std::int64_t whole,
                       std::size_t widest)
{
    m_weights = std::move(weights);
    m_linked.assign(m_weights.size(), false);
    m_unit = unit;
    m_whole = whole;
    m_widest = std::min<std::size_t>(widest, kLongest + 1);
    m_heaviest = {};
    for (const CodeWeight &weight : m_weights) {
        m_heaviest.self = std::max(m_heaviest.self, std::abs(std::max(weight.self, -INT64_MAX)));
        m_heaviest.total = std::max(m_heaviest.total, std::abs(std::max(weight.total, -INT64_MAX)));
    }
    m_current = std::min(m_current, rowCount() - 1);
    m_anchor = std::min(m_anchor, rowCount() - 1);
    measureWeights();
    updateScrollBars();
    viewport()->update();
}

void CodePane::setLinkedRows(std::vector<bool> linked)
{
    m_linked = std::move(linked);
    viewport()->update();
}

// ---- where things are

int CodePane::digitWidth() const
{
    return QFontMetrics(m_codeFont).horizontalAdvance(QLatin1Char('0'));
}

/// So that the heaviest fits, and what is lighter in a smaller unit.
void CodePane::measureWeights()
{
    constexpr int kBeside = 18;
    const QFontMetrics metrics = fontMetrics();
    const QString smaller = valueText(isTimeUnit(m_unit)   ? 888'000'000
                                      : isByteUnit(m_unit) ? 888 << 10
                                                           : 888,
                                      m_unit);
    m_weightWidth = kBeside + std::max({metrics.horizontalAdvance(smaller),
                                        metrics.horizontalAdvance(valueText(m_heaviest.self, m_unit)),
                                        metrics.horizontalAdvance(valueText(m_heaviest.total, m_unit))});
}

QRect CodePane::rectOf(int row) const
{
    return {0, kHeadHeight + row * kRowHeight - verticalScrollBar()->value(), viewport()->width(),
            kRowHeight};
}

int CodePane::rowAt(int y) const
{
    const int row = (y - kHeadHeight + verticalScrollBar()->value()) / kRowHeight;
    return y >= kHeadHeight && row < rowCount() ? row : -1;
}

bool CodePane::isVisibleRow(int row) const
{
    const QRect rect = rectOf(row);
    return rect.top() >= kHeadHeight && rect.bottom() < viewport()->height();
}

void CodePane::updateScrollBars()
{
    const int room = std::max(1, viewport()->height() - kHeadHeight);
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setRange(0, std::max(0, rowCount() * kRowHeight - room));
    const int textRoom = std::max(1, viewport()->width() - textLeft() - kStripWidth);
    horizontalScrollBar()->setSingleStep(4 * digitWidth());
    horizontalScrollBar()->setPageStep(textRoom);
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(m_widest + 2) * digitWidth() - textRoom));
}

/// Brings a row into view: a little further than needed if it is near, into the middle if it is far.
void CodePane::reveal(int row)
{
    const int room = verticalScrollBar()->pageStep();
    const int margin = std::min(kMargin * kRowHeight, room / 3);
    const int top = row * kRowHeight;
    const int scrolled = verticalScrollBar()->value();
    if (top < scrolled - room || top > scrolled + 2 * room)
        verticalScrollBar()->setValue(top - room / 2);
    else if (top - margin < scrolled)
        verticalScrollBar()->setValue(top - margin);
    else if (top + kRowHeight + margin > scrolled + room)
        verticalScrollBar()->setValue(top + kRowHeight + margin - room);
    m_toReveal = row;
}

// ---- what is current

void CodePane::setCurrentRow(int row)
{
    m_current = std::clamp(row, -1, rowCount() - 1);
    m_anchor = m_current;
    if (m_current >= 0)
        reveal(m_current);
    constexpr qsizetype kMostSpoken = 300;
    setAccessibleDescription(m_current >= 0 ? describe(m_current) + QLatin1Char('\n') +
                                                  textOf(m_current).left(kMostSpoken)
                                            : QString());
    viewport()->update();
}

void CodePane::moveCurrentRow(int row)
{
    const int moved = row - m_current;
    if (moved == 0)
        return;
    m_current = row;
    m_anchor = row;
    verticalScrollBar()->setValue(verticalScrollBar()->value() + moved * kRowHeight);
}

void CodePane::moveTo(int row, bool extends)
{
    if (rowCount() == 0)
        return;
    const int anchor = m_anchor;
    setCurrentRow(std::clamp(row, 0, rowCount() - 1));
    if (extends && anchor >= 0)
        m_anchor = std::min(anchor, rowCount() - 1);
    Q_EMIT currentChanged();
}

double CodePane::heatOf(int row) const
{
    return m_heaviest.total == 0 ? 0 : magnitude(weightOf(row).total) / magnitude(m_heaviest.total);
}

bool CodePane::isHot(int row) const
{
    return heatOf(row) >= kHot;
}

void CodePane::selectHot(bool forward)
{
    for (int row = m_current + (forward ? 1 : -1); row >= 0 && row < rowCount(); row += forward ? 1 : -1)
        if (isHot(row))
            return moveTo(row, false);
}

void CodePane::copySelected() const
{
    if (m_current < 0)
        return;
    QStringList lines;
    for (int row = std::min(m_anchor, m_current); row <= std::max(m_anchor, m_current); ++row)
        lines += textOf(row);
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

QString CodePane::weightText(const CodeWeight &weight) const
{
    if (weight == CodeWeight())
        return tr("no samples");
    const auto exact = [this](std::int64_t value) {
        return QString::number(value) + QLatin1Char(' ') + qString(m_unit) + QStringLiteral(" (") +
               shareText(static_cast<double>(value), static_cast<double>(m_whole)) + QLatin1Char(')');
    };
    return tr("self %1, total %2").arg(exact(weight.self), exact(weight.total));
}

// ---- painting

void CodePane::paintOver(QPainter &, const QRect &) const {}

void CodePane::paintEvent(QPaintEvent *)
{
    m_toReveal = -1;
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().panel);
    painter.setClipRect(0, kHeadHeight, viewport()->width(), viewport()->height());
    const int scrolled = verticalScrollBar()->value();
    const int first = scrolled / kRowHeight;
    const int last = std::min(rowCount() - 1, (scrolled + viewport()->height()) / kRowHeight);
    for (int row = first; row <= last; ++row)
        paintRow(painter, row);
    painter.setClipRect(0, kHeadHeight, viewport()->width(), viewport()->height());
    paintOver(painter, {2 * weightWidth(), kHeadHeight, gutterWidth(), viewport()->height() - kHeadHeight});
    painter.setClipping(false);
    paintHead(painter);
    paintHeatStrip(painter);
    if (hasFocus()) {
        painter.setPen(theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void CodePane::paintHead(QPainter &painter) const
{
    QFont small = font();
    small.setPixelSize(11);
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    painter.setPen(theme().muted);
    const int width = weightWidth();
    painter.drawText(QRect(0, 0, width - 8, kHeadHeight), Qt::AlignRight | Qt::AlignVCenter, tr("self"));
    painter.drawText(QRect(width, 0, width - 8, kHeadHeight), Qt::AlignRight | Qt::AlignVCenter, tr("total"));
    paintGutterHead(painter, {2 * width, 0, gutterWidth(), kHeadHeight});
    painter.fillRect(0, kHeadHeight - 1, viewport()->width(), 1, theme().line);
}

void CodePane::paintRow(QPainter &painter, int row) const
{
    const QRect room = rectOf(row);
    const bool isSelected =
        m_current >= 0 && row >= std::min(m_anchor, m_current) && row <= std::max(m_anchor, m_current);
    if (isSelected)
        painter.fillRect(room, theme().accentFill);
    else if (isLinked(row))
        painter.fillRect(room, mixed(theme().panel, theme().accentFill, 0.6));
    else if (isHot(row))
        painter.fillRect(room.adjusted(2 * weightWidth(), 0, 0, 0),
                         mixed(theme().panel, theme().warn, 0.04 + 0.10 * heatOf(row)));
    if (isHot(row))
        painter.fillRect(room.left(), room.top(), 3, room.height(), theme().warn);
    painter.setFont(font());
    const int width = weightWidth();
    paintWeight(painter, {room.left(), room.top(), width, room.height()}, weightOf(row).self,
                m_heaviest.self);
    paintWeight(painter, {room.left() + width, room.top(), width, room.height()}, weightOf(row).total,
                m_heaviest.total);
    painter.setFont(m_codeFont);
    paintGutter(painter, {room.left() + 2 * width, room.top(), gutterWidth(), room.height()}, row);
    const QRect text = room.adjusted(textLeft(), 0, -kStripWidth, 0);
    painter.save();
    painter.setClipRect(text, Qt::IntersectClip);
    paintText(painter, text.adjusted(-horizontalScrollBar()->value(), 0, 0, 0), row);
    painter.restore();
}

void CodePane::paintWeight(QPainter &painter, const QRect &room, std::int64_t value,
                           std::int64_t heaviest) const
{
    if (value == 0)
        return;
    QRectF bar = room.adjusted(6, 3, -4, -3);
    bar.setLeft(bar.right() - bar.width() * magnitude(value) / magnitude(heaviest));
    painter.fillRect(bar, mixed(theme().panel, theme().warn, 0.22));
    painter.setPen(theme().text);
    painter.drawText(room.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, valueText(value, m_unit));
}

/// All rows in the height of the pane, so that one sees where to scroll.
void CodePane::paintHeatStrip(QPainter &painter) const
{
    const int height = viewport()->height() - kHeadHeight;
    if (verticalScrollBar()->maximum() == 0 || height <= 0)
        return;
    std::vector<double> heat(static_cast<std::size_t>(height));
    for (int row = 0; row < rowCount(); ++row)
        if (weightOf(row).total != 0) {
            const auto y = static_cast<std::size_t>(std::int64_t(row) * height / rowCount());
            heat[y] = std::max(heat[y], heatOf(row));
        }
    for (int y = 0; y < height; ++y)
        if (const double share = heat[static_cast<std::size_t>(y)]; share > 0)
            painter.fillRect(viewport()->width() - kStripWidth, kHeadHeight + y, kStripWidth, 2,
                             mixed(theme().panel, theme().warn, 0.25 + 0.75 * share));
}

// ---- mouse, keys, and what else happens

void CodePane::resizeEvent(QResizeEvent *event)
{
    const int row = m_toReveal;
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
    if (row >= 0 && row < rowCount())
        reveal(row);
}

void CodePane::scrollContentsBy(int dx, int dy)
{
    m_toReveal = -1;
    QAbstractScrollArea::scrollContentsBy(dx, dy);
}

void CodePane::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange)
        return;
    measureWeights();
    updateScrollBars();
}

/// Keys that mean something here mean that, whatever they do elsewhere in the window.
bool CodePane::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isPlain = (key->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
        if (key->matches(QKeySequence::Copy) || isEditorKey(*key) || (isPlain && key->key() == Qt::Key_N)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void CodePane::keyPressEvent(QKeyEvent *event)
{
    const bool extends = (event->modifiers() & Qt::ShiftModifier) != 0;
    const int page = std::max(1, verticalScrollBar()->pageStep() / kRowHeight - 1);
    if (event->matches(QKeySequence::Copy))
        return copySelected();
    if (isEditorKey(*event))
        return Q_EMIT editorRequested();
    switch (event->key()) {
    case Qt::Key_Up:
        return moveTo(m_current - 1, extends);
    case Qt::Key_Down:
        return moveTo(m_current + 1, extends);
    case Qt::Key_PageUp:
        return moveTo(m_current - page, extends);
    case Qt::Key_PageDown:
        return moveTo(m_current + page, extends);
    case Qt::Key_Home:
        return moveTo(0, extends);
    case Qt::Key_End:
        return moveTo(rowCount() - 1, extends);
    case Qt::Key_N:
        return selectHot(!extends);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            Q_EMIT activated(m_current);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void CodePane::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void CodePane::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void CodePane::mousePressEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if (event->button() == Qt::LeftButton && row >= 0)
        moveTo(row, (event->modifiers() & Qt::ShiftModifier) != 0);
}

void CodePane::mouseMoveEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if ((event->buttons() & Qt::LeftButton) != 0 && row >= 0 && row != m_current)
        moveTo(row, true);
}

void CodePane::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if (event->button() == Qt::LeftButton && row >= 0)
        Q_EMIT activated(row);
}

void CodePane::contextMenuEvent(QContextMenuEvent *event)
{
    const int row = event->reason() == QContextMenuEvent::Mouse ? rowAt(event->pos().y()) : m_current;
    const bool isSelected = row >= std::min(m_anchor, m_current) && row <= std::max(m_anchor, m_current);
    if (row >= 0 && !isSelected)
        moveTo(row, false);
    Q_EMIT menuRequested(event->globalPos());
}

bool CodePane::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int row = rowAt(help->pos().y());
    QToolTip::showText(help->globalPos(),
                       row >= 0
                           ? describe(row).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))
                           : QString(),
                       this);
    return true;
}

} // namespace hearth
