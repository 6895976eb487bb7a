#include "ui/flame/flame_view.h"
#include "ui/flame/minimap.h"
#include "ui/theme/figures.h"

#include <QApplication>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// What mouse and keys do in the flame graph.

namespace hearth {

void FlameView::hover(const QPoint &position)
{
    const FlameBox *box = boxAt(position);
    if (box == m_scene.hovered)
        return;
    m_scene.hovered = box;
    viewport()->update();
}

void FlameView::mouseMoveEvent(QMouseEvent *event)
{
    if ((event->buttons() & Qt::LeftButton) == 0)
        return hover(event->pos());
    const int distance = event->pos().y() - m_pressedAt.y();
    m_isPanning |= std::abs(distance) > QApplication::startDragDistance();
    if (m_isPanning)
        verticalScrollBar()->setValue(m_scrollAtPress - distance);
}

void FlameView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::BackButton)
        return zoomBack();
    if (event->button() == Qt::ForwardButton)
        return zoomForward();
    m_pressedAt = event->pos();
    m_scrollAtPress = verticalScrollBar()->value();
    m_isPanning = false;
    if (event->button() == Qt::RightButton)
        if (const FlameBox *box = boxAt(event->pos()); box != nullptr && box->merged == 0)
            select(box->node);
}

void FlameView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_isPanning)
        return;
    if (const QRect map = minimap(); map.contains(event->pos()))
        return zoomTo(minimapNodeAt(map, m_scene, *m_picture.overview, event->pos()));
    const int row = rowAt(event->pos().y());
    if (row > 0 && row <= static_cast<int>(m_scene.ancestors.size()))
        return zoomTo(m_scene.ancestors[static_cast<std::size_t>(row - 1)]);
    if (row == 0 && m_scene.focus != TreeShape::kRoot)
        return zoomTo(TreeShape::kRoot);
    const FlameBox *box = boxAt(event->pos());
    if (box != nullptr && box->merged == 0)
        select(box->node);
    else
        m_session.clearSelection();
}

void FlameView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const FlameBox *box = boxAt(event->pos()); box != nullptr && event->button() == Qt::LeftButton)
        zoomTo(box->merged == 0 ? box->node : m_scene.evaluation->tree->parent(box->node));
}

void FlameView::wheelEvent(QWheelEvent *event)
{
    if ((event->modifiers() & Qt::ControlModifier) == 0)
        return QAbstractScrollArea::wheelEvent(event);
    const FlameBox *box = boxAt(event->position().toPoint());
    if (event->angleDelta().y() < 0)
        return zoomOut();
    if (box == nullptr || box->node == m_scene.focus)
        return;
    // One level towards the box under the pointer.
    const std::vector<NodeId> path = pathTo(*m_scene.evaluation->tree, box->node);
    const auto next = m_scene.ancestors.size() + (m_scene.focus == TreeShape::kRoot ? 0 : 1);
    if (next < path.size())
        zoomTo(path[next]);
}

void FlameView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_scene.selectedNode.isNone())
            zoomTo(m_scene.selectedNode);
        break;
    case Qt::Key_Escape:
        m_scene.focus == TreeShape::kRoot ? m_session.clearSelection() : zoomOut();
        break;
    case Qt::Key_Backspace:
        zoomBack();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        break;
    case Qt::Key_Minus:
        zoomOut();
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        zoomTo(TreeShape::kRoot);
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if ((event->modifiers() & Qt::AltModifier) != 0)
            event->key() == Qt::Key_Left ? zoomBack() : zoomForward();
        else
            moveSelection(event->key());
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

/// Towards the selection, or to what is heaviest.
void FlameView::zoomIn()
{
    if (!m_scene.evaluation)
        return;
    const CallTree &tree = *m_scene.evaluation->tree;
    if (const NodeId selected = m_scene.selectedNode; !selected.isNone()) {
        const std::vector<NodeId> path = pathTo(tree, selected);
        const auto at = std::ranges::find(path, m_scene.focus);
        const auto next = m_scene.focus == TreeShape::kRoot ? path.begin() : at == path.end() ? at : at + 1;
        if (next != path.end())
            return zoomTo(*next);
    }
    if (const std::vector<NodeId> children = tree.heaviestChildren(m_scene.focus); !children.empty())
        zoomTo(children.front());
}

void FlameView::focusInEvent(QFocusEvent *event)
{
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                   event->reason() == Qt::ShortcutFocusReason;
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FlameView::focusOutEvent(QFocusEvent *event)
{
    m_showsFocus = false;
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

/// Arrow keys go from the selected box to its neighbours, its parent and its first child as drawn.
void FlameView::moveSelection(int key)
{
    if (!m_scene.layout || m_scene.layout->rows.empty() || m_scene.layout->rows[0].empty())
        return;
    const auto &rows = m_scene.layout->rows;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
            if (rows[row][i].node != m_scene.selectedNode)
                continue;
            const bool isOutwards = (key == Qt::Key_Up) != m_scene.growsUp;
            const FlameBox *next = nullptr;
            if (key == Qt::Key_Left && i > 0)
                next = &rows[row][i - 1];
            else if (key == Qt::Key_Right && i + 1 < rows[row].size())
                next = &rows[row][i + 1];
            else if ((key == Qt::Key_Up || key == Qt::Key_Down) && isOutwards && row > 0)
                next = m_scene.layout->at(row - 1, rows[row][i].left + rows[row][i].width / 2);
            else if ((key == Qt::Key_Up || key == Qt::Key_Down) && !isOutwards && row + 1 < rows.size())
                next = m_scene.layout->at(row + 1, rows[row][i].left + 0.5);
            if (next != nullptr && next->merged == 0) {
                select(next->node);
                ensureVisible(next->node);
            }
            return;
        }
    select(rows[0][0].node);
}

void FlameView::contextMenuEvent(QContextMenuEvent *event)
{
    Q_EMIT menuRequested(event->globalPos());
}

bool FlameView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const FlameBox *box = boxAt(help->pos());
        if (box == nullptr)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), toolTipOf(*box), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave && m_scene.hovered != nullptr) {
        m_scene.hovered = nullptr;
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

namespace {

/// What a node weighs on both sides: rows of a table that is left open.
QString changeTable(const Difference &difference, NodeId node)
{
    const std::string &unit = difference.series.unit;
    QString text = QStringLiteral("<table>");
    const auto add = [&](const QString &name, const Change &change) {
        text +=
            QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2 → %3</td>"
                           "<td align=right>&nbsp;&nbsp;%4&nbsp;&nbsp;</td><td>%5</td></tr>")
                .arg(name, valueText(change.base, unit), valueText(change.current, unit), growthText(change),
                     change.isSignificant() || change.delta() == 0 ? QString()
                                                                   : FlameView::tr("may be chance"));
    };
    add(FlameView::tr("total"), difference.total[node.value]);
    add(FlameView::tr("self"), difference.self[node.value]);
    return text;
}

} // namespace

QString FlameView::toolTipOf(const FlameBox &box) const
{
    const Evaluation &evaluation = *m_scene.evaluation;
    const CallTree &tree = *evaluation.tree;
    const std::string &unit = evaluation.series.unit;
    const auto whole = static_cast<double>(evaluation.total);
    const auto row = [](const QString &name, const QString &value) {
        return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(name, value);
    };
    const auto weight = [&](std::int64_t value) {
        return valueText(value, unit) + QStringLiteral(" · ") + shareText(static_cast<double>(value), whole);
    };
    if (box.merged > 0)
        return tr("<b>%1 narrow frames</b>").arg(box.merged) + QStringLiteral("<table>") +
               row(tr("together"), weight(box.total)) + row(tr("levels"), QString::number(box.levels)) +
               QStringLiteral("</table>") + tr("double-click to fit what calls them");
    const Entry &entry = m_scene.entryOf(box.node);
    QString text = QStringLiteral("<b>%1</b>").arg(qString(entry.name).toHtmlEscaped());
    if (!entry.file.empty())
        text += QStringLiteral("<br>%1").arg(
            (qString(entry.file) +
             (entry.line > 0 ? QLatin1Char(':') + QString::number(entry.line) : QString()))
                .toHtmlEscaped());
    else if (!entry.binary.empty())
        text += QStringLiteral("<br>%1").arg(qString(entry.binary).toHtmlEscaped());
    const QString end = QStringLiteral("</table>") + tr("click selects, double-click fits, Esc steps out");
    if (m_scene.difference)
        return text + changeTable(*m_scene.difference, box.node) + end;
    text += QStringLiteral("<table>") + row(tr("total"), weight(tree.total(box.node))) +
            row(tr("self"), weight(tree.self(box.node)));
    if (tree.isInlined(box.node))
        text += row(tr("inlined"), tr("into its caller"));
    if (const std::string_view kind = m_scene.kindOf(entry); !kind.empty())
        text += row(tr("kind"), qString(kind).toHtmlEscaped());
    return text + end;
}

} // namespace hearth
