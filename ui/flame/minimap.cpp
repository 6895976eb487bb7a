#include "ui/flame/minimap.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace hearth {

namespace {

constexpr int kRowHeight = 3;
constexpr int kMostRows = 40;
constexpr int kPadding = 6;
constexpr int kMargin = 12;

int rowTop(const QRect &rect, const FlameScene &scene, std::size_t row)
{
    const int offset = kPadding + static_cast<int>(row) * kRowHeight;
    return scene.growsUp ? rect.bottom() - offset - kRowHeight + 1 : rect.top() + offset;
}

/// What of a row of the overview is above the focus: the box of that ancestor, or of the focus itself.
const FlameBox *focusBox(const FlameScene &scene, const FlameLayout &overview)
{
    const std::size_t row = scene.ancestors.size();
    if (row >= overview.rows.size())
        return nullptr;
    const auto box = std::ranges::find(overview.rows[row], scene.focus, &FlameBox::node);
    return box == overview.rows[row].end() ? nullptr : &*box;
}

} // namespace

QRect minimapRect(const FlameLayout *overview, const QRect &view)
{
    if (overview == nullptr || overview->rows.empty())
        return {};
    const int rows = std::min(kMostRows, static_cast<int>(overview->rows.size()));
    const QSize size(kMinimapWidth + 2 * kPadding, rows * kRowHeight + 2 * kPadding);
    if (size.width() + 2 * kMargin > view.width() || size.height() + 2 * kMargin > view.height())
        return {};
    return {QPoint(view.right() - size.width() - kMargin, view.bottom() - size.height() - kMargin), size};
}

void paintMinimap(QPainter &painter, const QRect &rect, const FlameScene &scene, const FlameLayout &overview)
{
    painter.setPen(theme().line);
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    const std::size_t rows = std::min<std::size_t>(kMostRows, overview.rows.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (const FlameBox &box : overview.rows[row]) {
            const Entry &entry = scene.entryOf(box.node);
            painter.fillRect(QRectF(rect.left() + kPadding + box.left, rowTop(rect, scene, row), box.width,
                                    kRowHeight - 0.5),
                             frameColor(scene.classOf(entry), entry.name));
        }
    const FlameBox *focus = focusBox(scene, overview);
    if (focus == nullptr)
        return;
    // From the focus to the end of its branch.
    const int top = rowTop(rect, scene, scene.ancestors.size());
    const int far = rowTop(rect, scene, rows - 1);
    const QRectF branch(rect.left() + kPadding + focus->left, std::min(top, far), std::max(2.0, focus->width),
                        std::abs(far - top) + kRowHeight);
    painter.setPen(QPen(theme().accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(branch.adjusted(-1, -1, 1, 1));
}

NodeId minimapNodeAt(const QRect &rect, const FlameScene &scene, const FlameLayout &overview,
                     const QPoint &place)
{
    const int distance =
        scene.growsUp ? rect.bottom() - kPadding - place.y() : place.y() - rect.top() - kPadding;
    if (distance < 0)
        return TreeShape::kRoot;
    const FlameBox *box =
        overview.at(static_cast<std::size_t>(distance / kRowHeight), place.x() - rect.left() - kPadding);
    return box == nullptr ? TreeShape::kRoot : box->node;
}

} // namespace hearth
