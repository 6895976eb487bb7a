#pragma once

#include "model/views/lens_completion.h"
#include "ui/session/session.h"

#include <QAbstractListModel>
#include <QObject>

class QCompleter;
class QLineEdit;

namespace hearth {

/// What terms may become, for the popup of a line of text.
class CompletionModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { Kind = Qt::UserRole, Weight };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    /// EditRole is the whole text with the term in it.
    QVariant data(const QModelIndex &index, int role) const override;

    void set(QString before, std::vector<Completion> items, std::int64_t whole);

private:
    QString m_before; ///< the text in front of the term
    std::vector<Completion> m_items;
    std::int64_t m_whole = 0;
};

/// Offers functions, binaries, attributes and words of the lens language while one types.
class LensCompleter : public QObject {
    Q_OBJECT

public:
    LensCompleter(Session &session, QLineEdit &edit);

    QCompleter *popup() const { return m_completer; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose(const QString &text);
    void offer();
    void show(const QString &text, Completions completions, std::int64_t whole);

    Session &m_session;
    QLineEdit &m_edit;
    CompletionModel *m_model;
    QCompleter *m_completer;
    Worker m_worker;
};

} // namespace hearth
