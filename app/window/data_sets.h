#pragma once

#include "model/store/snapshot.h"
#include "ui/sources/sources_model.h"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace hearth {

/// The data sets that are open, shared by all windows.
class DataSets : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    struct DataSet {
        QString id;
        QString title;
        QString toolTip;
        bool isLive = false;
        std::shared_ptr<const Snapshot> snapshot;
    };

    /// @return the id of what was added
    QString add(const QString &title, const QString &toolTip, bool isLive,
                std::shared_ptr<const Snapshot> snapshot);
    void remove(const QString &id);
    /// A newer state of a data set.
    void update(const QString &id, std::shared_ptr<const Snapshot> snapshot);
    /// Nothing more will come of it, and it has its last name.
    void finish(const QString &id, const QString &title);
    /// Null if it is not open.
    const DataSet *find(const QString &id) const;
    const std::vector<DataSet> &all() const { return m_dataSets; }

    /// As windows list them.
    QList<DataSource> sources() const;

Q_SIGNALS:
    void listChanged();
    void dataChanged(const QString &id);

private:
    std::vector<DataSet> m_dataSets;
    int m_nextId = 1;
};

} // namespace hearth
