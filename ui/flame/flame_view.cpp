#include "ui/flame/flame_view.h"

#include "model/lens/matcher.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hearth {

namespace {

constexpr int kMargin = 10;

/// From below the root to the node itself.
std::vector<NodeId> pathTo(const CallTree &tree, NodeId node)
{
    std::vector<NodeId> path;
    for (; node != TreeShape::kRoot; node = tree.parent(node))
        path.push_back(node);
    std::ranges::reverse(path);
    return path;
}

} // namespace

FlameView::FlameView(Session &session, QWidget *parent) : QAbstractScrollArea(parent), m_session(session)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Flame graph"));
    connect(&session, &Session::evaluationChanged, this, &FlameView::takeEvaluation);
    connect(&session, &Session::evaluationStarted, viewport(), qOverload<>(&QWidget::update));
    connect(&session, &Session::selectionChanged, this, [this] {
        if (m_scene.evaluation != m_session.evaluation())
            return; // the layout that is under way will show it
        m_scene.selectedNode = m_session.selectedNode();
        m_scene.selectedEntry = m_session.selectedEntry();
        viewport()->update();
    });
    takeEvaluation();
}

void FlameView::takeEvaluation()
{
    if (!m_session.evaluation()) {
        m_scene.evaluation = nullptr;
        m_scene.layout = nullptr;
        m_scene.hovered = nullptr;
        m_focusPath.clear();
        m_back.clear();
        m_forward.clear();
        viewport()->update();
        return;
    }
    layOut();
}

NodeId FlameView::find(const CallTree &tree, const Path &path) const
{
    NodeId node = TreeShape::kRoot;
    for (const std::string &name : path) {
        const auto children = tree.children(node);
        const auto next = std::ranges::find_if(
            children, [&](NodeId child) { return tree.entries()[tree.entryOf(child)].name == name; });
        if (next == children.end())
            break;
        node = *next;
    }
    return node;
}

/// Small trees are laid out at once; large ones on the worker, while the picture before stays.
void FlameView::layOut()
{
    const std::shared_ptr<const Evaluation> evaluation = m_session.evaluation();
    if (!evaluation)
        return;
    constexpr std::size_t kSmall = 20'000;
    const NodeId focus = find(*evaluation->tree, m_focusPath);
    const double width = viewport()->width() - 2 * kMargin;
    if (evaluation->tree->nodeCount() <= kSmall) {
        if (auto layout = layOutFlames(*evaluation->tree, focus, width, m_order, {}))
            takeLayout(evaluation, focus, std::move(*layout));
        return;
    }
    m_worker.run(
        [this, evaluation, focus, width, order = m_order](const std::stop_token &stop) -> Worker::Delivery {
            auto layout = layOutFlames(*evaluation->tree, focus, width, order, stop);
            if (!layout)
                return nullptr;
            return [this, evaluation, focus, layout = std::move(*layout)]() mutable {
                if (evaluation == m_session.evaluation())
                    takeLayout(evaluation, focus, std::move(layout));
            };
        });
}

void FlameView::takeLayout(std::shared_ptr<const Evaluation> evaluation, NodeId focus, FlameLayout layout)
{
    const bool isNew = m_scene.evaluation != evaluation;
    m_scene.snapshot = m_session.snapshot();
    m_scene.evaluation = std::move(evaluation);
    m_scene.layout = std::make_shared<const FlameLayout>(std::move(layout));
    m_scene.focus = focus;
    m_scene.ancestors = pathTo(*m_scene.evaluation->tree, focus);
    if (!m_scene.ancestors.empty())
        m_scene.ancestors.pop_back();
    m_scene.hovered = nullptr;
    m_scene.selectedNode = m_session.selectedNode();
    m_scene.selectedEntry = m_session.selectedEntry();
    if (isNew) {
        m_labels.clear();
        applySearch();
    }
    updateScrollBar();
    viewport()->update();
    Q_EMIT layoutChanged();
}

void FlameView::updateScrollBar()
{
    const int height = m_scene.rowCount() * kFlameRowHeight + 2 * kMargin;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kFlameRowHeight);
}

int FlameView::topOfRows() const
{
    if (!m_scene.growsUp)
        return kMargin - verticalScrollBar()->value();
    return viewport()->height() - kMargin + verticalScrollBar()->maximum() - verticalScrollBar()->value();
}

int FlameView::rowAt(int y) const
{
    const int distance = m_scene.growsUp ? topOfRows() - y : y - topOfRows();
    return distance < 0 ? -1 : distance / kFlameRowHeight;
}

const FlameBox *FlameView::boxAt(const QPoint &position) const
{
    if (!m_scene.layout)
        return nullptr;
    const int row = rowAt(position.y()) - 1 - static_cast<int>(m_scene.ancestors.size());
    return row < 0 ? nullptr : m_scene.layout->at(static_cast<std::size_t>(row), position.x() - kMargin);
}

void FlameView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme().panel);
    if (!m_scene.layout || !m_scene.evaluation) {
        painter.setPen(theme().muted);
        const QString text = !m_session.problem().isEmpty() ? m_session.problem()
                             : m_session.isEvaluating()     ? tr("Computing…")
                                                            : QString();
        painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
        return;
    }
    painter.setFont(font());
    painter.translate(kMargin, 0);
    QRect clip = event->rect().translated(-kMargin, 0);
    clip.setRight(std::min(clip.right(), viewport()->width() - 2 * kMargin - 1));
    clip.setLeft(0);
    clip.setRight(viewport()->width() - 2 * kMargin - 1);
    paintFlames(painter, m_scene, topOfRows(), clip, m_labels);
    if (m_scene.evaluation->matched == 0) {
        painter.setPen(theme().muted);
        painter.drawText(viewport()->rect().adjusted(-kMargin, 0, -kMargin, 0), Qt::AlignCenter,
                         tr("Nothing matches. Ctrl+Z takes the last step back."));
    }
}

void FlameView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_labels.clear();
    if (event->size().width() != event->oldSize().width())
        layOut();
    updateScrollBar();
}

FlameView::Path FlameView::pathOf(NodeId node) const
{
    const CallTree &tree = *m_scene.evaluation->tree;
    Path path;
    for (const NodeId step : pathTo(tree, node))
        path.emplace_back(tree.entries()[tree.entryOf(step)].name);
    return path;
}

void FlameView::goTo(const Path &path)
{
    m_focusPath = path;
    layOut();
}

void FlameView::zoomTo(NodeId node)
{
    if (!m_scene.evaluation || node == m_scene.focus || node.isNone())
        return;
    m_back.push_back(m_focusPath);
    m_forward.clear();
    goTo(pathOf(node));
}

void FlameView::zoomOut()
{
    if (m_scene.evaluation && m_scene.focus != TreeShape::kRoot)
        zoomTo(m_scene.evaluation->tree->parent(m_scene.focus));
}

void FlameView::zoomBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_focusPath);
    const Path path = m_back.back();
    m_back.pop_back();
    goTo(path);
}

void FlameView::zoomForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_focusPath);
    const Path path = m_forward.back();
    m_forward.pop_back();
    goTo(path);
}

void FlameView::setOrder(FlameOrder order)
{
    m_order = order;
    layOut();
}

void FlameView::setColoring(FlameColoring coloring)
{
    m_scene.coloring = coloring;
    viewport()->update();
}

void FlameView::setGrowsUp(bool growsUp)
{
    m_scene.growsUp = growsUp;
    updateScrollBar();
    verticalScrollBar()->setValue(growsUp ? verticalScrollBar()->maximum() : 0);
    viewport()->update();
}

QString FlameView::search(const QString &expression)
{
    if (!expression.isEmpty())
        if (const auto matcher = Matcher::regex("(?i)" + expression.toStdString()); !matcher)
            return QString::fromStdString(matcher.error().message);
    m_search = expression;
    applySearch();
    viewport()->update();
    return {};
}

void FlameView::applySearch()
{
    m_scene.matches.clear();
    m_matchingEntries = 0;
    m_matchedWeight = 0;
    if (m_search.isEmpty() || !m_scene.evaluation)
        return;
    const auto matcher = Matcher::regex("(?i)" + m_search.toStdString());
    const CallTree &tree = *m_scene.evaluation->tree;
    m_scene.matches.resize(tree.entries().size());
    for (std::size_t i = 0; i < m_scene.matches.size(); ++i)
        m_scene.matches[i] = matcher->matches(tree.entries()[EntryId(i)].name);
    m_matchingEntries = static_cast<std::size_t>(std::ranges::count(m_scene.matches, true));
    // What runs through a match counts once, where the first match is.
    std::vector<bool> isBelow(tree.nodeCount());
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        const NodeId id(node);
        const bool isMatch = m_scene.isMatch(tree.entryOf(id));
        const bool isParentBelow = isBelow[tree.parent(id).value];
        if (isMatch && !isParentBelow)
            m_matchedWeight += tree.total(id);
        isBelow[node] = isMatch || isParentBelow;
    }
}

void FlameView::selectMatch(bool forward)
{
    if (!m_scene.layout || m_scene.matches.empty())
        return;
    std::vector<NodeId> found;
    for (const FlameRow &row : m_scene.layout->rows)
        for (const FlameBox &box : row)
            if (box.merged == 0 && m_scene.isMatch(m_scene.evaluation->tree->entryOf(box.node)))
                found.push_back(box.node);
    if (found.empty())
        return;
    const auto current = std::ranges::find(found, m_session.selectedNode());
    const auto size = static_cast<std::ptrdiff_t>(found.size());
    const std::ptrdiff_t index = current == found.end()
                                     ? (forward ? 0 : size - 1)
                                     : (current - found.begin() + (forward ? 1 : size - 1)) % size;
    m_session.selectNode(found[static_cast<std::size_t>(index)]);
    ensureVisible(found[static_cast<std::size_t>(index)]);
}

void FlameView::ensureVisible(NodeId node)
{
    const int row = static_cast<int>(pathTo(*m_scene.evaluation->tree, node).size());
    const int top = row * kFlameRowHeight;
    QScrollBar *bar = verticalScrollBar();
    if (m_scene.growsUp)
        return; // the bar counts from the other end; rows near the root are what is looked at
    if (top < bar->value())
        bar->setValue(top);
    else if (top + 2 * kFlameRowHeight > bar->value() + viewport()->height())
        bar->setValue(top + 2 * kFlameRowHeight - viewport()->height());
}

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
            m_session.selectNode(box->node);
}

void FlameView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_isPanning)
        return;
    const int row = rowAt(event->pos().y());
    if (row > 0 && row <= static_cast<int>(m_scene.ancestors.size()))
        return zoomTo(m_scene.ancestors[static_cast<std::size_t>(row - 1)]);
    if (row == 0 && m_scene.focus != TreeShape::kRoot)
        return zoomTo(TreeShape::kRoot);
    const FlameBox *box = boxAt(event->pos());
    if (box != nullptr && box->merged == 0)
        m_session.selectNode(box->node);
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
        if (!m_session.selectedNode().isNone())
            zoomTo(m_session.selectedNode());
        break;
    case Qt::Key_Escape:
        m_scene.focus == TreeShape::kRoot ? m_session.clearSelection() : zoomOut();
        break;
    case Qt::Key_Backspace:
        zoomBack();
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

/// Arrow keys go from the selected box to its neighbours, its parent and its first child as drawn.
void FlameView::moveSelection(int key)
{
    if (!m_scene.layout || m_scene.layout->rows.empty() || m_scene.layout->rows[0].empty())
        return;
    const auto &rows = m_scene.layout->rows;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
            if (rows[row][i].node != m_session.selectedNode())
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
                m_session.selectNode(next->node);
                ensureVisible(next->node);
            }
            return;
        }
    m_session.selectNode(rows[0][0].node);
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
    text += QStringLiteral("<table>") + row(tr("total"), weight(tree.total(box.node))) +
            row(tr("self"), weight(tree.self(box.node)));
    if (const std::string_view kind = m_scene.kindOf(entry); !kind.empty())
        text += row(tr("kind"), qString(kind).toHtmlEscaped());
    return text + QStringLiteral("</table>") + tr("click selects, double-click fits, Esc steps out");
}

} // namespace hearth
