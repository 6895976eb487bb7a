#pragma once

#include "ui/session/session.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace hearth {

/// The lens as chips, each of which can be taken off, and as text to add to.
class LensBar : public QWidget {
    Q_OBJECT

public:
    explicit LensBar(Session &session, QWidget *parent = nullptr);

    QLineEdit *edit() const { return m_edit; }
    QPushButton *series() const { return m_series; }
    /// Makes the whole lens editable as text.
    void editText();

private:
    void showLens();
    void showSeries();
    void fillSeriesMenu();
    void addChip(const Lens &only, const Lens &without);
    void take();
    void showProblem(const QString &problem);

    Session &m_session;
    QPushButton *m_series;
    QWidget *m_chips;
    QHBoxLayout *m_chipLayout;
    QLineEdit *m_edit;
    QLabel *m_problem;
    QPushButton *m_undo;
    QPushButton *m_redo;
    bool m_isWholeText = false; ///< the text is all of the lens, not what is to be added
};

} // namespace hearth
