#include "ui/commands/step_commands.h"

#include "ui/commands/commands.h"
#include "ui/commands/open_in_editor.h"
#include "ui/session/selection_text.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <utility>

namespace hearth {

StepCommands::StepCommands(Commands &commands, Session &session)
    : QObject(&commands), m_commands(commands), m_session(session)
{
    addStep(QStringLiteral("keep"), tr("Only stacks through it"), Qt::Key_O, keepStacksThrough);
    addStep(QStringLiteral("focus"), tr("Begin stacks at it"), Qt::Key_F, beginAt);
    addSubtreeStep();
    addStep(QStringLiteral("self"), tr("Only samples taken in it"), QKeySequence(Qt::SHIFT | Qt::Key_S),
            keepSelf);
    addStep(QStringLiteral("end"), tr("End stacks at it: what it calls is its own"), Qt::Key_C, endAt);
    addStep(QStringLiteral("recursion"), tr("Collapse its recursion"), Qt::Key_R, collapseRecursion);
    addStep(QStringLiteral("pivot"), tr("Pivot on it: callers above, callees below"), Qt::Key_P, pivotOn);
    addStep(QStringLiteral("merge"), tr("Merge it into its callers"), Qt::Key_M, mergeIntoCaller);
    addStep(QStringLiteral("merge-binary"), tr("Merge its binary into callers"),
            QKeySequence(Qt::SHIFT | Qt::Key_B), mergeBinaryIntoCallers);
    addStep(QStringLiteral("collapse-binary"), tr("Collapse its binary to one frame"),
            QKeySequence(Qt::SHIFT | Qt::Key_C), collapseBinary);
    addStep(QStringLiteral("only-binary"), tr("Show its binary only"), Qt::Key_G, keepBinary);
    addStep(QStringLiteral("drop"), tr("Drop stacks through it"), Qt::Key_D, dropStacksThrough);
    addCopies();
    addGeneral();
    connect(&session, &Session::selectionChanged, this, &StepCommands::enableWhatCanBeDone);
    connect(&session, &Session::lensChanged, this, &StepCommands::enableWhatCanBeDone);
    enableWhatCanBeDone();
}

void StepCommands::addStep(const QString &id, const QString &text, const QKeySequence &keys, Step step)
{
    m_steps += id;
    m_commands.add(id, tr("Selected function"), text, {keys}, [this, step = std::move(step)] {
        const auto entry = m_session.selectedEntry();
        if (!entry)
            return;
        const Entry &selected = m_session.evaluation()->tree->entries()[*entry];
        m_session.setLens(step(m_session.lens(), {selected.name, selected.binary}));
    });
}

/// The one step that is about a place in the tree.
void StepCommands::addSubtreeStep()
{
    const QString id = QStringLiteral("subtree");
    m_steps += id;
    m_commands.add(id, tr("Selected function"), tr("Only this subtree"),
                   {QKeySequence(Qt::SHIFT | Qt::Key_F)}, [this] {
                       const auto names = selectedPathNames(m_session);
                       if (!names.empty())
                           m_session.setLens(keepUnder(m_session.lens(), names));
                   });
}

void StepCommands::addCopies()
{
    const auto add = [this](const QString &id, const QString &text, const QList<QKeySequence> &keys,
                            QString (*textOf)(const Session &)) {
        m_copies += id;
        m_commands.add(id, tr("Selected function"), text, keys,
                       [this, textOf] { QGuiApplication::clipboard()->setText(textOf(m_session)); });
    };
    add(QStringLiteral("copy-name"), tr("Copy name"), {QKeySequence(Qt::CTRL | Qt::Key_C)}, selectedName);
    add(QStringLiteral("copy-stack"), tr("Copy stack"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
        selectedStackText);
    add(QStringLiteral("copy-stack-markdown"), tr("Copy stack as Markdown"), {}, selectedStackMarkdown);
    add(QStringLiteral("copy-stack-json"), tr("Copy stack as JSON"), {}, selectedStackJson);
    m_copies += QStringLiteral("show-code");
    m_commands.add(QStringLiteral("show-code"), tr("Selected function"), tr("Show source"),
                   {QKeySequence(Qt::Key_E)}, [this] { Q_EMIT codeRequested(); });
    m_copies += QStringLiteral("open-in-editor");
    m_commands.add(QStringLiteral("open-in-editor"), tr("Selected function"), tr("Open in editor"),
                   {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] {
                       if (const QString problem = openInEditor(m_session); !problem.isEmpty())
                           Q_EMIT failed(problem);
                   });
}

void StepCommands::addGeneral()
{
    const QString group = tr("Lens");
    const auto addLensStep = [&](const QString &id, const QString &text, const QKeySequence &keys,
                                 Lens (*step)(Lens)) {
        m_commands.add(id, group, text, {keys}, [this, step] { m_session.setLens(step(m_session.lens())); });
    };
    addLensStep(QStringLiteral("invert"), tr("Invert: callees above callers"), Qt::Key_I, inverted);
    addLensStep(QStringLiteral("without-last"), tr("Take the last condition off"),
                QKeySequence(Qt::SHIFT | Qt::Key_Backspace), withoutLastTerm);
    addLensStep(QStringLiteral("without-all"), tr("Take all conditions off"),
                QKeySequence(Qt::CTRL | Qt::Key_Backspace), withoutTerms);
    m_commands.add(QStringLiteral("undo"), group, tr("Undo the last step"),
                   {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [this] { m_session.undo(); });
    m_commands.add(QStringLiteral("redo"), group, tr("Do it again"),
                   {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
                   [this] { m_session.redo(); });
}

void StepCommands::enableWhatCanBeDone()
{
    const auto entry = m_session.selectedEntry();
    for (const QString &id : m_steps + m_copies)
        m_commands[id]->setEnabled(entry.has_value());
    if (entry) {
        const Entry &selected = m_session.evaluation()->tree->entries()[*entry];
        const bool hasBinary = !selected.binary.empty();
        m_commands[QStringLiteral("merge-binary")]->setEnabled(hasBinary);
        m_commands[QStringLiteral("collapse-binary")]->setEnabled(hasBinary);
        m_commands[QStringLiteral("subtree")]->setEnabled(!selectedPathNames(m_session).empty());
        m_commands[QStringLiteral("only-binary")]->setEnabled(hasBinary);
        m_commands[QStringLiteral("open-in-editor")]->setEnabled(!selected.file.empty() && !selected.isTag);
        m_commands[QStringLiteral("show-code")]->setEnabled(!selected.isTag);
        for (const QString &id : m_steps)
            if (selected.isTag)
                m_commands[id]->setEnabled(false);
    }
    m_commands[QStringLiteral("undo")]->setEnabled(m_session.canUndo());
    m_commands[QStringLiteral("redo")]->setEnabled(m_session.canRedo());
}

void StepCommands::fillMenu(QMenu &menu) const
{
    m_commands.fill(menu, m_steps);
    menu.addSeparator();
    m_commands.fill(menu, m_copies);
    menu.addSeparator();
    m_commands.fill(menu, {QStringLiteral("invert"), QStringLiteral("undo"), QStringLiteral("redo")});
}

} // namespace hearth
