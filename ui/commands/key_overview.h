#pragma once

#include <QFrame>

namespace hearth {

class Commands;

/// All commands that have keys, by group, over the window until a key is pressed or the mouse clicked.
class KeyOverview : public QFrame {
    Q_OBJECT

public:
    KeyOverview(const Commands &commands, QWidget &window);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void fill(const Commands &commands);
};

} // namespace hearth
