#include "ui/commands/commands.h"

#include <QAction>
#include <QMenu>
#include <QVariant>
#include <QWidget>

#include <utility>

namespace hearth {

namespace {

constexpr const char *kGroup = "hearth-group";

} // namespace

Commands::Commands(QWidget &window) : QObject(&window), m_window(window) {}

QAction *Commands::add(const QString &id, const QString &group, const QString &text,
                       const QList<QKeySequence> &keys, std::function<void()> run)
{
    Q_ASSERT(!m_byId.contains(id));
    auto *action = new QAction(text, this);
    action->setObjectName(id);
    action->setProperty(kGroup, group);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    m_window.addAction(action);
    m_actions.push_back(action);
    m_byId.insert(id, action);
    m_defaults.insert(id, keys);
    return action;
}

QAction *Commands::operator[](const QString &id) const
{
    QAction *action = m_byId.value(id);
    Q_ASSERT_X(action != nullptr, "Commands", qPrintable(id));
    return action;
}

QString Commands::groupOf(const QAction &action)
{
    return action.property(kGroup).toString();
}

QString Commands::idOf(const QAction &action)
{
    return action.objectName();
}

void Commands::fill(QMenu &menu, const QStringList &ids) const
{
    for (const QString &id : ids)
        if (id.isEmpty())
            menu.addSeparator();
        else
            menu.addAction((*this)[id]);
}

void Commands::setKeys(const QString &id, const QList<QKeySequence> &keys)
{
    (*this)[id]->setShortcuts(keys);
}

QList<QKeySequence> Commands::defaultKeys(const QString &id) const
{
    return m_defaults.value(id);
}

QAction *Commands::owner(const QKeySequence &keys) const
{
    for (QAction *action : m_actions)
        if (action->shortcuts().contains(keys))
            return action;
    return nullptr;
}

} // namespace hearth
