#pragma once

#include <QWidget>

class QLabel;
class QMenu;
class QPushButton;

namespace hearth {

class Commands;

/// The bar at the top: open, where Hearth listens, the way into the palette, the menu.
class TopBar : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(const Commands &commands, QWidget *parent = nullptr);

    /// "127.0.0.1:11000 · waiting", or why nothing listens.
    void setListening(const QString &text, bool isListening);
    void setRecentFiles(const QStringList &files);
    QPushButton *menuButton() const { return m_menu; }

Q_SIGNALS:
    void openRequested(const QStringList &files);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *makeSearch(const Commands &commands);
    void fillMainMenu(const Commands &commands);

    const Commands &m_commands;
    QPushButton *m_open;
    QLabel *m_listening;
    QPushButton *m_menu;
};

} // namespace hearth
