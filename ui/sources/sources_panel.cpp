#include "ui/sources/sources_panel.h"

#include "model/lens/lens_steps.h"
#include "ui/sources/sources_delegate.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace hearth {

using Row = SourcesModel::Row;
using RowKind = SourcesModel::RowKind;

SourcesPanel::SourcesPanel(Session &session, QWidget *parent)
    : QListView(parent), m_session(session), m_model(new SourcesModel(this))
{
    setAccessibleName(tr("Sources and attributes"));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setModel(m_model);
    setItemDelegate(new SourcesDelegate(this));
    connect(this, &QListView::clicked, this, &SourcesPanel::use);
    connect(&session, &Session::snapshotChanged, this, &SourcesPanel::weighAttributes);
    connect(&session, &Session::lensChanged, this, [this] {
        m_model->setLens(m_session.lens());
        weighAttributes();
    });
    weighAttributes();
}

void SourcesPanel::setSources(QList<DataSource> sources, const QString &current)
{
    m_model->setSources(std::move(sources), current);
}

void SourcesPanel::weighAttributes()
{
    if (!m_session.snapshot())
        return;
    m_worker.run([this, snapshot = m_session.snapshot(),
                  lens = m_session.lens()](const std::stop_token &stop) -> Worker::Delivery {
        auto facets = facetsOf(*snapshot, lens, stop);
        if (!facets)
            return nullptr;
        return [this, facets = std::make_shared<const std::vector<AttributeFacet>>(std::move(*facets))] {
            m_model->setFacets(facets);
        };
    });
}

void SourcesPanel::use(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const Row row = m_model->row(index.row());
    const std::string key = row.key.toStdString();
    switch (row.kind) {
    case RowKind::Head:
        break;
    case RowKind::Source:
        Q_EMIT sourceChosen(row.key);
        break;
    case RowKind::Value:
        m_session.setLens(withAttribute(m_session.lens(), key, row.value.toStdString()));
        break;
    case RowKind::More:
        m_model->expand(row.key);
        break;
    }
}

void SourcesPanel::groupBy(const QString &key)
{
    Lens lens = m_session.lens();
    const std::string word = key.toStdString();
    if (std::erase(lens.groupBy, word) == 0)
        lens.groupBy.push_back(word);
    m_session.setLens(std::move(lens));
}

void SourcesPanel::contextMenuEvent(QContextMenuEvent *event)
{
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid())
        return;
    const Row row = m_model->row(index.row());
    QMenu menu;
    if (row.kind == RowKind::Source) {
        menu.addAction(tr("Close"), this, [this, row] { Q_EMIT closeRequested(row.key); });
        menu.addAction(tr("Copy name"), this, [row] { QGuiApplication::clipboard()->setText(row.text); });
    } else if (row.kind == RowKind::Value) {
        const std::string key = row.key.toStdString();
        const std::string value = row.value.toStdString();
        menu.addAction(row.isChosen ? tr("All values again") : tr("Only this"), this, [this, key, value] {
            m_session.setLens(withAttribute(m_session.lens(), key, value));
        });
        menu.addAction(
            row.isLeftOut ? tr("Take it in again") : tr("Leave this out"), this,
            [this, key, value] { m_session.setLens(withoutAttribute(m_session.lens(), key, value)); });
        menu.addAction(tr("Copy value"), this, [row] { QGuiApplication::clipboard()->setText(row.value); });
    }
    if (!row.key.isEmpty() && (row.kind == RowKind::Value || row.kind == RowKind::Head)) {
        if (!menu.isEmpty())
            menu.addSeparator();
        const bool isGrouped = std::ranges::count(m_session.lens().groupBy, row.key.toStdString()) > 0;
        menu.addAction((isGrouped ? tr("No longer group by %1") : tr("Group by %1")).arg(row.key), this,
                       [this, row] { groupBy(row.key); });
    }
    if (!menu.isEmpty())
        menu.exec(event->globalPos());
}

void SourcesPanel::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return use(currentIndex());
    case Qt::Key_Delete:
        if (currentIndex().isValid() && m_model->row(currentIndex().row()).kind == RowKind::Source)
            Q_EMIT closeRequested(m_model->row(currentIndex().row()).key);
        return;
    default:
        QListView::keyPressEvent(event);
    }
}

} // namespace hearth
