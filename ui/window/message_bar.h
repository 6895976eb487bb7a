#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace hearth {

enum class MessageKind : std::uint8_t { Note, Problem };

/// A message over the views that stays until it is closed or replaced, perhaps with something to be done.
class MessageBar : public QWidget {
    Q_OBJECT

public:
    explicit MessageBar(QWidget *parent = nullptr);

    void show(MessageKind kind, const QString &text);
    void show(MessageKind kind, const QString &text, const QString &action, std::function<void()> run);
    QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    MessageKind m_kind = MessageKind::Note;
    QLabel *m_text;
    QPushButton *m_button;
    std::function<void()> m_run;
};

} // namespace hearth
