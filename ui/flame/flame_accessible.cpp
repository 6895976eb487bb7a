#include "ui/flame/flame_accessible.h"

#include "ui/flame/flame_view.h"
#include "ui/theme/figures.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <memory>
#include <vector>

namespace hearth {

namespace {

/// Where a box is in the layout.
struct Place {
    std::size_t row = 0;
    std::size_t box = 0;
};

/// One box, as long as the layout that it is in.
class AccessibleBox : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    AccessibleBox(FlameView &view, std::shared_ptr<const FlameLayout> layout, Place place)
        : m_view(view), m_layout(std::move(layout)), m_place(place)
    {}

    bool isValid() const override { return m_view.scene().layout == m_layout; }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(&m_view); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::TreeItem; }

    QRect rect() const override
    {
        const QRect inView = m_view.rectOf(m_place.row, box());
        return {m_view.viewport()->mapToGlobal(inView.topLeft()), inView.size()};
    }

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        const FlameScene &scene = m_view.scene();
        switch (kind) {
        case QAccessible::Name:
            return box().merged > 0 ? FlameView::tr("%1 narrow frames").arg(box().merged)
                                    : qString(scene.entryOf(box().node).name);
        case QAccessible::Value:
            if (scene.difference)
                return growthText(scene.difference->total[box().node.value]);
            return valueText(box().total, scene.evaluation->series.unit) + QStringLiteral(", ") +
                   shareText(static_cast<double>(box().total), static_cast<double>(scene.evaluation->total));
        case QAccessible::Description:
            return FlameView::tr("level %1, %2 calls")
                .arg(m_place.row + 1 + scene.ancestors.size())
                .arg(scene.evaluation->tree->children(box().node).size());
        default:
            return {};
        }
    }
    void setText(QAccessible::Text, const QString &) override {}

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.invalid = !isValid();
        state.focusable = true;
        state.selectable = true;
        if (isValid() && box().merged == 0)
            state.selected = state.focused = box().node == m_view.scene().selectedNode;
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this)
                                                    : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    void doAction(const QString &name) override
    {
        if (!isValid())
            return;
        if (name == pressAction())
            m_view.zoomTo(box().node);
        else if (box().merged == 0)
            m_view.select(box().node);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    const FlameBox &box() const { return m_layout->rows[m_place.row][m_place.box]; }

    FlameView &m_view;
    std::shared_ptr<const FlameLayout> m_layout;
    Place m_place;
};

/// The graph: its children are the boxes, row by row. They come to be when somebody asks for them.
class AccessibleFlames : public QAccessibleWidget {
public:
    explicit AccessibleFlames(FlameView &view) : QAccessibleWidget(&view, QAccessible::Tree), m_view(view) {}
    ~AccessibleFlames() override { forget(); }

    int childCount() const override
    {
        follow();
        return static_cast<int>(m_places.size());
    }
    QAccessibleInterface *child(int index) const override
    {
        follow();
        if (index < 0 || static_cast<std::size_t>(index) >= m_places.size())
            return nullptr;
        QAccessible::Id &id = m_ids[static_cast<std::size_t>(index)];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(
                new AccessibleBox(m_view, m_layout, m_places[static_cast<std::size_t>(index)]));
        return QAccessible::accessibleInterface(id);
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        follow();
        for (std::size_t i = 0; i < m_ids.size(); ++i)
            if (m_ids[i] != 0 && QAccessible::accessibleInterface(m_ids[i]) == child)
                return static_cast<int>(i);
        return -1;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        follow();
        const FlameBox *box = m_view.boxAt(m_view.viewport()->mapFromGlobal(QPoint(x, y)));
        for (std::size_t i = 0; box != nullptr && i < m_places.size(); ++i)
            if (&m_layout->rows[m_places[i].row][m_places[i].box] == box)
                return child(static_cast<int>(i));
        return nullptr;
    }
    QAccessibleInterface *focusChild() const override { return child(selectedIndex()); }

    /// @return -1 if no box is selected
    int selectedIndex() const
    {
        follow();
        const NodeId selected = m_view.scene().selectedNode;
        for (std::size_t i = 0; !selected.isNone() && i < m_places.size(); ++i)
            if (const FlameBox &box = m_layout->rows[m_places[i].row][m_places[i].box];
                box.node == selected && box.merged == 0)
                return static_cast<int>(i);
        return -1;
    }

private:
    void forget() const
    {
        for (const QAccessible::Id id : m_ids)
            if (id != 0)
                QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
        m_places.clear();
    }

    /// Boxes of an earlier layout are gone.
    void follow() const
    {
        if (m_layout == m_view.scene().layout)
            return;
        forget();
        m_layout = m_view.scene().layout;
        if (!m_layout)
            return;
        for (std::size_t row = 0; row < m_layout->rows.size(); ++row)
            for (std::size_t box = 0; box < m_layout->rows[row].size(); ++box)
                m_places.push_back({row, box});
        m_ids.resize(m_places.size());
    }

    FlameView &m_view;
    mutable std::shared_ptr<const FlameLayout> m_layout;
    mutable std::vector<Place> m_places;
    mutable std::vector<QAccessible::Id> m_ids; ///< by place; 0: nobody has asked for it
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *view = qobject_cast<FlameView *>(object);
    return view == nullptr ? nullptr : new AccessibleFlames(*view);
}

} // namespace

void makeFlamesAccessible()
{
    [[maybe_unused]] static const bool isInstalled = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
}

void tellSelection(FlameView &view)
{
    if (!QAccessible::isActive())
        return;
    const auto *flames = dynamic_cast<AccessibleFlames *>(QAccessible::queryAccessibleInterface(&view));
    if (flames == nullptr)
        return;
    if (const int index = flames->selectedIndex(); index >= 0) {
        QAccessibleEvent event(&view, QAccessible::Focus);
        event.setChild(index);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace hearth
