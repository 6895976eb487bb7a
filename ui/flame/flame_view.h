#pragma once

#include "ui/flame/flame_painter.h"
#include "ui/flame/flame_picture.h"
#include "ui/session/session.h"

#include <QAbstractScrollArea>
#include <QVariantAnimation>

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

    /// An evaluation of the session that is about to come is a picture of this difference.
    void setDifference(std::shared_ptr<const Evaluation> evaluation,
                       std::shared_ptr<const Difference> difference);

    void setOrder(FlameOrder order);
    FlameOrder order() const { return m_order; }
    void setColoring(FlameColoring coloring);
    void setGrowsUp(bool growsUp);
    /// Whether zooms are eased in.
    void setAnimated(bool isAnimated) { m_isAnimated = isAnimated; }

    /// Selects a node of the tree that is shown, here and everywhere.
    void select(NodeId node);

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
    /// Where a box of a row of the layout is in the viewport.
    QRect rectOf(std::size_t row, const FlameBox &box) const;

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
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void takeEvaluation();
    void layOut();
    void takePicture(FlamePicture picture);
    void takeSelection();
    void easeFrom(const FlamePicture &before);
    QRect minimap() const;
    int layoutWidth() const;
    void applySearch();
    void updateScrollBar();
    int topOfRows() const;
    int rowAt(int y) const;
    using Path = std::vector<std::string>; ///< names from below the root

    void zoomIn();
    void goTo(const Path &path);
    Path pathOf(NodeId node) const;
    void hover(const QPoint &position);
    QString toolTipOf(const FlameBox &box) const;
    void moveSelection(int key);
    void ensureVisible(NodeId node);

    Session &m_session;
    FlamePicture m_picture;
    std::shared_ptr<const Evaluation> m_ofDifference;
    std::shared_ptr<const Difference> m_difference;
    FlameScene m_scene; ///< the picture with what is selected, found and hovered
    FrameLabels m_labels;
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
    bool m_showsFocus = false; ///< the keyboard came here by the keyboard

    bool m_isAnimated = true;
    QVariantAnimation m_zoom; ///< from 0 to 1
    double m_scaleBefore = 1;
    double m_shiftBefore = 0;
    Worker m_worker;
};

} // namespace hearth
