#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace hearth {

/// What there is to see while there is no data: where Hearth listens, and the ways to get some.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);

    /// @param address "127.0.0.1:11000"; empty if nothing listens
    void setListening(const QString &address, const QString &problem);
    void setRecentFiles(const QStringList &files);

Q_SIGNALS:
    void openRequested();
    void fileChosen(const QString &file);
    void demoRequested();
    void recordMachineRequested();
    void recordProcessRequested();
    void recordCommandRequested();
    void otherPortRequested();

private:
    QWidget *makeRecordCard();
    QWidget *makeSendCard();
    QWidget *makeOpenCard();
    QWidget *makeDemoCard();
    void showCommand(int way);

    QLabel *m_title;
    QLabel *m_subtitle;
    QPushButton *m_otherPort;
    QLabel *m_command;
    QHBoxLayout *m_recent;
    QString m_address = QStringLiteral("127.0.0.1:11000");
    int m_way = 0;
};

} // namespace hearth
