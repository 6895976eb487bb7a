#pragma once

#include "ui/flame/flame_painter.h"
#include "ui/session/session.h"

#include <QAbstractScrollArea>

#include <vector>

namespace hearth {

/// The flame graph of a session's evaluation. One widget, no object per frame.
class FlameView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit FlameView(Session &session, QWidget *parent = nullptr);

    /// Fits a node to the width; the root shows all. Goes into the history of zooms.
    void zoomTo(NodeId node);
    void zoomOut(); ///< to the parent of what is fitted
    void zoomBack();
    void zoomForward();
    NodeId focus() const { return m_scene.focus; }

    void setOrder(FlameOrder order);
    void setColoring(FlameColoring coloring);
    void setGrowsUp(bool growsUp);

    /// Functions whose names match; empty for none. @return why it is no expression; empty if it is one
    QString search(const QString &expression);
    /// Selects the next (or previous) match in reading order.
    void selectMatch(bool forward);
    std::size_t matchingEntries() const { return m_matchingEntries; }
    /// What of the view runs through a match.
    std::int64_t matchedWeight() const { return m_matchedWeight; }

    const FlameScene &scene() const { return m_scene; }
    /// The box at a place of the viewport; null if there is none.
    const FlameBox *boxAt(const QPoint &position) const;

Q_SIGNALS:
    void layoutChanged();
    void menuRequested(const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void takeEvaluation();
    void layOut();
    void takeLayout(std::shared_ptr<const Evaluation> evaluation, NodeId focus, FlameLayout layout);
    void applySearch();
    void updateScrollBar();
    int topOfRows() const;
    int rowAt(int y) const;
    using Path = std::vector<std::string>; ///< names from below the root

    void goTo(const Path &path);
    NodeId find(const CallTree &tree, const Path &path) const;
    Path pathOf(NodeId node) const;
    void hover(const QPoint &position);
    QString toolTipOf(const FlameBox &box) const;
    void moveSelection(int key);
    void ensureVisible(NodeId node);

    Session &m_session;
    FlameScene m_scene;
    FlameLabels m_labels;
    FlameOrder m_order = FlameOrder::HeaviestFirst;
    Path m_focusPath; ///< nodes are numbered anew in each evaluation, names stay
    std::vector<Path> m_back;
    std::vector<Path> m_forward;

    QString m_search;
    std::size_t m_matchingEntries = 0;
    std::int64_t m_matchedWeight = 0;

    QPoint m_pressedAt;
    int m_scrollAtPress = 0;
    bool m_isPanning = false;
    Worker m_worker;
};

} // namespace hearth
