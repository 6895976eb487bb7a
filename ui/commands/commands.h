#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace hearth {

/// Everything that can be done in a window, each with a name, an id that settings keep, and its keys.
///
/// Actions are made here and nowhere else, so that menus, palette and the overview of keys agree.
class Commands : public QObject {
    Q_OBJECT

public:
    explicit Commands(QWidget &window);

    /// @param group what the overview of keys lists it under
    QAction *add(const QString &id, const QString &group, const QString &text,
                 const QList<QKeySequence> &keys, std::function<void()> run);

    bool has(const QString &id) const { return m_byId.contains(id); }
    /// REQUIRES: it was added.
    QAction *operator[](const QString &id) const;
    const QList<QAction *> &all() const { return m_actions; }
    static QString groupOf(const QAction &action);
    static QString idOf(const QAction &action);

    /// Appends commands to a menu, which shows their keys; an empty id makes a line between them.
    void fill(QMenu &menu, const QStringList &ids) const;

    /// Keys that the user chose instead of the ones a command was added with.
    void setKeys(const QString &id, const QList<QKeySequence> &keys);
    QList<QKeySequence> defaultKeys(const QString &id) const;
    /// The command that has these keys already; null if none has.
    QAction *owner(const QKeySequence &keys) const;

private:
    QWidget &m_window;
    QList<QAction *> m_actions;
    QHash<QString, QAction *> m_byId;
    QHash<QString, QList<QKeySequence>> m_defaults;
};

} // namespace hearth
