#pragma once

#include "ui/session/session.h"

#include <QMainWindow>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace hearth {

class CallTreeView;
class FlamePage;
class Inspector;
class LensBar;
class StartPage;
class TopView;

/// One window on one data set. Knows nothing of files and ports: it asks for them by signals.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget *parent = nullptr);

    Session &session() { return m_session; }
    FlamePage *flames() const { return m_flames; }
    TopView *top() const { return m_top; }
    CallTreeView *callTree() const { return m_tree; }
    LensBar *lensBar() const { return m_lensBar; }
    QTabWidget *views() const { return m_views; }

    void showSnapshot(std::shared_ptr<const Snapshot> snapshot, const QString &title);
    /// What is under way ("cpu.pb.gz: 128 MiB read"); empty when it is over.
    void setProgress(const QString &text);
    /// A message that stays until it is closed or replaced.
    void showMessage(const QString &text, bool isProblem);
    /// "127.0.0.1:11000 · waiting", or why nothing listens.
    void setListening(const QString &text, bool isListening);

Q_SIGNALS:
    void openRequested(const QStringList &files);
    void cancelRequested();

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    QWidget *makeTopBar();
    QWidget *makeMessageBar();
    void makeStatusBar();
    void makeActions();
    QAction *addCommand(const QString &text, const QKeySequence &keys, std::function<void()> run);
    void askForFiles();
    void showStatus();
    void showFrameMenu(const QPoint &globalPosition);
    void addFrameTerm(FrameTermKind kind);
    void addPathTerm(bool isNegated);
    void toggleInverted();
    void copyName();
    void copyStack();
    QString selectedStack() const;
    void setTheme(int kind);

    Session m_session;
    QStackedWidget *m_pages;
    StartPage *m_start;
    LensBar *m_lensBar;
    QTabWidget *m_views;
    FlamePage *m_flames;
    TopView *m_top;
    CallTreeView *m_tree;
    Inspector *m_inspector;
    QLabel *m_listening;
    QWidget *m_messageBar;
    QLabel *m_message;
    QLabel *m_progress;
    QPushButton *m_cancel;
    QLabel *m_samples;
    QLabel *m_losses;
    QLabel *m_memory;
    QList<QAction *> m_frameActions; ///< what can be done with the selected frame
};

} // namespace hearth
