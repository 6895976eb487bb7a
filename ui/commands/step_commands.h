#pragma once

#include "model/lens/lens_steps.h"
#include "ui/session/session.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QMenu;

namespace hearth {

class Commands;

/// What can be done with the selected function, each with one key: steps of the lens, and copies.
class StepCommands : public QObject {
    Q_OBJECT

public:
    StepCommands(Commands &commands, Session &session);

    /// The menu of the selected function.
    void fillMenu(QMenu &menu) const;

Q_SIGNALS:
    /// Something could not be done, and why.
    void failed(const QString &message);
    /// The selected function's source is to be shown.
    void codeRequested();

private:
    using Step = std::function<Lens(Lens, const StepSubject &)>;

    void addStep(const QString &id, const QString &text, const QKeySequence &keys, Step step);
    void addSubtreeStep();
    void addCopies();
    void addGeneral();
    void enableWhatCanBeDone();

    Commands &m_commands;
    Session &m_session;
    QStringList m_steps;
    QStringList m_copies;
};

} // namespace hearth
