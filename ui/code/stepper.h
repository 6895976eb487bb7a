#pragma once

#include <QKeySequence>
#include <QWidget>

class QLabel;
class QPushButton;

namespace hearth {

/// "‹ 2 of 5 ›": steps through what there are several of, and hides where there is one.
class Stepper : public QWidget {
    Q_OBJECT

public:
    /// @param previous what its buttons are called
    Stepper(const QString &previous, const QString &next, QWidget *parent = nullptr);

    void setKeys(const QKeySequence &previous, const QKeySequence &next);
    void show(std::size_t current, std::size_t count);
    QPushButton *previous() const { return m_previous; }
    QPushButton *next() const { return m_next; }
    QLabel *label() const { return m_label; }

Q_SIGNALS:
    void stepped(std::size_t current);

private:
    void step(bool forward);

    QPushButton *m_previous;
    QLabel *m_label;
    QPushButton *m_next;
    std::size_t m_current = 0;
    std::size_t m_count = 0;
};

} // namespace hearth
