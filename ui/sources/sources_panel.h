#pragma once

#include "ui/session/session.h"
#include "ui/sources/sources_model.h"

#include <QListView>

namespace hearth {

/// The data sets that are open, and what their samples can be told apart by. A click on a value proposes a
/// lens with it.
class SourcesPanel : public QListView {
    Q_OBJECT

public:
    explicit SourcesPanel(Session &session, QWidget *parent = nullptr);

    void setSources(QList<DataSource> sources, const QString &current);
    SourcesModel *rows() const { return m_model; }

    QSize sizeHint() const override { return {232, 400}; }

Q_SIGNALS:
    void sourceChosen(const QString &id);
    void closeRequested(const QString &id);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void weighAttributes();
    void use(const QModelIndex &index);
    void groupBy(const QString &key);

    Session &m_session;
    SourcesModel *m_model;
    Worker m_worker;
};

} // namespace hearth
