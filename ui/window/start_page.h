#pragma once

#include <QWidget>

class QLabel;

namespace hearth {

/// What there is to see while there is no data: how to get some.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    /// @param address "127.0.0.1:11000"; empty if nothing listens
    void setListening(const QString &address, const QString &problem);

Q_SIGNALS:
    void openRequested();

private:
    QWidget *makeSendCard();
    void showCommand(int way);

    QLabel *m_title;
    QLabel *m_subtitle;
    QLabel *m_command;
    QString m_address = QStringLiteral("127.0.0.1:11000");
    int m_way = 0;
};

} // namespace hearth
