#pragma once

#include "ui/flamescope/scope_painter.h"
#include "ui/session/session.h"

#include <QWidget>

namespace hearth {

/// When it was busy, to fractions of a second. Two clicks, or a drag, choose the range that every view
/// follows.
class ScopeView : public QWidget {
    Q_OBJECT

public:
    explicit ScopeView(Session &session, QWidget *parent = nullptr);

    const ScopeScene &scene() const { return m_scene; }
    bool isBusy() const { return m_isStale || m_isOutdated || m_worker.isBusy(); }
    QString message() const; ///< instead of a picture

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void takeSnapshot();
    void make();
    void take(const Result<std::shared_ptr<const FlameScope>> &scope);
    void showBrush();
    void takeEnd(std::size_t cell);
    void moveCurrent(int columns, int rows);

    Session &m_session;
    ScopeScene m_scene;
    QString m_problem;
    std::shared_ptr<const Snapshot> m_madeOf;
    Lens m_madeFor;
    std::optional<QPointF> m_pressedAt;
    bool m_isStale = true;
    bool m_isOutdated = false; ///< there is newer data than what is being summed
    Worker m_worker;
};

} // namespace hearth
