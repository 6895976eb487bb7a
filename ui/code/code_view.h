#pragma once

#include "ui/code/shown_code.h"
#include "ui/session/session.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace hearth {

class SourceSide;
class Stepper;

/// The selected function's source and instructions with what each line and each instruction weighs. What is
/// chosen on one side is marked on the other; Enter on a call goes to what is called, Backspace back.
class CodeView : public QWidget {
    Q_OBJECT

public:
    explicit CodeView(Session &session, QWidget *parent = nullptr);

    SourceSide *sourceSide() const { return m_sourceSide; }
    SourcePane *source() const { return m_source; }
    AssemblyPane *assembly() const { return m_assembly; }
    Stepper *occurrences() const { return m_occurrences; }
    QPushButton *syntaxButton() const { return m_syntax; }
    QLabel *remarks() const { return m_remarks; }
    QString message() const; ///< instead of code
    bool isBusy() const { return m_isStale || m_isOutdated || m_worker.isBusy(); }
    bool isShowing() const; ///< code, and no message

    /// Who reads files. Null: weights are shown without them.
    void setReader(std::shared_ptr<CodeReader> reader);

Q_SIGNALS:
    /// A file was not found where it was compiled; the user knows a folder.
    void sourceFolderChosen(const QString &wanted, const QString &folder);
    void failed(const QString &message);

protected:
    void showEvent(QShowEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    /// Which of a function's files and occurrences is shown, as long as the lens stays.
    struct Choice {
        std::string function;
        Lens lens;
        std::size_t source = 0;
        std::size_t occurrence = 0;
    };

    QWidget *makeHead();
    void makeAssemblySide();
    void connectPanes();

    QString filteredOutText() const;
    QString obstacle() const;
    CodeRequest wanted() const;
    void make();
    void take(const Result<std::shared_ptr<const ShownCode>> &shown);
    void show(std::shared_ptr<const ShownCode> shown);
    void forget();
    void showMessage(const QString &text);
    void focusPane();
    void showHead();
    QStringList oddities() const;
    bool showAssembly(); ///< @return whether the same function was shown before
    void link(const CodePane &from, bool reveals);
    void followCall(const QString &function);
    void goBack();
    void showPaneMenu(CodePane &pane, const QPoint &globalPosition);

    Session &m_session;
    std::shared_ptr<CodeReader> m_reader;
    CodeRequest m_request; ///< what was asked for last
    Choice m_chosen;
    std::shared_ptr<const ShownCode> m_shown;
    std::vector<QString> m_way; ///< functions that were left by following a call
    bool m_isStale = true;
    bool m_isOutdated = false; ///< there is newer data than what is being read

    QStackedLayout *m_pages;
    QLabel *m_message;
    QLabel *m_name;
    QLabel *m_weights;
    QLabel *m_remarks; ///< why a side is missing, or what is odd
    SourceSide *m_sourceSide;
    SourcePane *m_source; ///< of that side
    QWidget *m_assemblySide;
    QLabel *m_place; ///< of the instructions
    Stepper *m_occurrences;
    QPushButton *m_syntax;
    AssemblyPane *m_assembly;
    QTimer m_patience;                      ///< after which one is told that files are being read
    std::shared_ptr<CodeWeigher> m_weigher; ///< used by one job at a time
    Worker m_worker;
};

} // namespace hearth
