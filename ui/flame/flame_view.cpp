#include "ui/flame/flame_view.h"

#include "ui/flame/flame_accessible.h"
#include "ui/flame/minimap.h"
#include "ui/theme/theme.h"

#include <QFocusEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr int kMargin = 10;
constexpr int kZoomMs = 120;

} // namespace

FlameView::FlameView(Session &session, QWidget *parent) : QAbstractScrollArea(parent), m_session(session)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Flame graph"));
    makeFlamesAccessible();
    connect(&session, &Session::evaluationChanged, this, &FlameView::takeEvaluation);
    connect(&session, &Session::evaluationStarted, viewport(), qOverload<>(&QWidget::update));
    connect(&session, &Session::lensChanged, this, [this] {
        if (m_session.lens().isInverted != m_scene.isInverted)
            m_focusPath.clear(); // leads elsewhere in the other tree
    });
    connect(&session, &Session::selectionChanged, this, &FlameView::takeSelection);
    m_zoom.setDuration(kZoomMs);
    m_zoom.setStartValue(0.0);
    m_zoom.setEndValue(1.0);
    m_zoom.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_zoom, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        const double done = value.toDouble();
        m_scene.scale = m_scaleBefore + (1 - m_scaleBefore) * done;
        m_scene.shift = m_shiftBefore * (1 - done);
        viewport()->update();
    });
    connect(&m_zoom, &QVariantAnimation::finished, this, [this] { m_labels.clear(); });
    takeEvaluation();
}

void FlameView::takeEvaluation()
{
    if (!m_session.evaluation()) {
        m_picture = {};
        m_scene.evaluation = nullptr;
        m_scene.difference = nullptr;
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

int FlameView::layoutWidth() const
{
    return viewport()->width() - 2 * kMargin;
}

/// Small trees are laid out at once; large ones on the worker, while the picture before stays.
void FlameView::layOut()
{
    if (!m_session.evaluation())
        return;
    constexpr std::size_t kSmall = 20'000;
    FlameRequest request{.evaluation = m_session.evaluation(),
                         .focus = m_focusPath,
                         .isInverted = m_session.lens().isInverted,
                         .width = static_cast<double>(layoutWidth()),
                         .overviewWidth = kMinimapWidth,
                         .order = m_order};
    if (request.evaluation->tree->nodeCount() <= kSmall)
        return takePicture(*makeFlamePicture(request, {}));
    m_worker.run([this, request = std::move(request)](const std::stop_token &stop) -> Worker::Delivery {
        auto picture = makeFlamePicture(request, stop);
        if (!picture)
            return nullptr;
        return [this, picture = std::move(*picture)] {
            if (picture.source == m_session.evaluation())
                takePicture(picture);
        };
    });
}

void FlameView::takePicture(FlamePicture picture)
{
    const bool isNew = m_scene.evaluation != picture.shown;
    const FlamePicture before = std::exchange(m_picture, std::move(picture));
    m_scene.snapshot = m_session.snapshot();
    m_scene.difference = m_picture.source == m_ofDifference ? m_difference : nullptr;
    m_scene.evaluation = m_picture.shown;
    m_scene.layout = m_picture.layout;
    m_scene.focus = m_picture.focus;
    m_scene.isInverted = m_picture.shown != m_picture.source;
    m_scene.ancestors = pathTo(*m_scene.evaluation->tree, m_scene.focus);
    if (!m_scene.ancestors.empty())
        m_scene.ancestors.pop_back();
    m_scene.hovered = nullptr;
    if (isNew) {
        m_scene.selectedNode = NodeId::none();
        m_labels.clear();
        applySearch();
    }
    easeFrom(before);
    takeSelection();
    updateScrollBar();
    viewport()->update();
    Q_EMIT layoutChanged();
}

/// Lets the new picture begin where its focus was in the one before, or where the one before ends up in it.
void FlameView::easeFrom(const FlamePicture &before)
{
    m_zoom.stop();
    m_scene.scale = 1;
    m_scene.shift = 0;
    if (!m_isAnimated || !isVisible() || !before.layout || before.shown != m_picture.shown ||
        before.focus == m_picture.focus)
        return;
    const auto boxIn = [](const FlameLayout &layout, NodeId node) -> const FlameBox * {
        for (const FlameRow &row : layout.rows)
            for (const FlameBox &box : row)
                if (box.node == node)
                    return &box;
        return nullptr;
    };
    const double width = layoutWidth();
    if (const FlameBox *box = boxIn(*before.layout, m_picture.focus)) {
        m_scaleBefore = box->width / width;
        m_shiftBefore = box->left;
    } else if (const FlameBox *was = boxIn(*m_picture.layout, before.focus);
               was != nullptr && was->width > 0) {
        m_scaleBefore = width / was->width;
        m_shiftBefore = -was->left * m_scaleBefore;
    } else {
        return;
    }
    m_scene.scale = m_scaleBefore;
    m_scene.shift = m_shiftBefore;
    m_zoom.start();
}

/// Nodes of an inverted picture are its own; elsewhere only their function is selected.
void FlameView::takeSelection()
{
    if (!m_scene.evaluation || m_picture.source != m_session.evaluation())
        return; // the layout that is under way will show it
    if (!m_scene.isInverted)
        m_scene.selectedNode = m_session.selectedNode();
    else if (!m_scene.selectedNode.isNone() &&
             m_session.selectedEntry() != m_scene.evaluation->tree->entryOf(m_scene.selectedNode))
        m_scene.selectedNode = NodeId::none();
    m_scene.selectedEntry = m_session.selectedEntry();
    viewport()->update();
    tellSelection(*this);
}

void FlameView::select(NodeId node)
{
    if (!m_scene.evaluation || node.isNone())
        return;
    if (!m_scene.isInverted)
        return m_session.selectNode(node);
    m_scene.selectedNode = node;
    m_session.selectEntry(m_scene.evaluation->tree->entryOf(node));
}

QRect FlameView::minimap() const
{
    return minimapRect(m_picture.overview.get(), viewport()->rect());
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

QRect FlameView::rectOf(std::size_t row, const FlameBox &box) const
{
    const int index = static_cast<int>(row + 1 + m_scene.ancestors.size());
    const int top = m_scene.growsUp ? topOfRows() - (index + 1) * kFlameRowHeight + 1
                                    : topOfRows() + index * kFlameRowHeight;
    return {kMargin + static_cast<int>(box.left), top, std::max(1, static_cast<int>(box.width)),
            kFlameRowHeight - 1};
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
    const QRect clip(0, event->rect().top(), layoutWidth(), event->rect().height());
    paintFlames(painter, m_scene, topOfRows(), clip, m_labels);
    painter.translate(-kMargin, 0);
    if (const QRect map = minimap(); !map.isEmpty()) {
        painter.setRenderHint(QPainter::Antialiasing);
        paintMinimap(painter, map, m_scene, *m_picture.overview);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (m_showsFocus) {
        painter.setPen(QPen(theme().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
    }
    if (m_scene.evaluation->matched == 0) {
        painter.setPen(theme().muted);
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
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

void FlameView::setDifference(std::shared_ptr<const Evaluation> evaluation,
                              std::shared_ptr<const Difference> difference)
{
    m_ofDifference = std::move(evaluation);
    m_difference = std::move(difference);
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

} // namespace hearth
