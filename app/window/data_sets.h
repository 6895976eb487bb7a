#pragma once

#include "app/workspace/source_file.h"
#include "model/lens/lens.h"
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
        std::vector<SourceFile> files = {}; ///< that it was read from, or saved as
        std::uint64_t savedSamples = 0;     ///< how many it had when it was saved; 0: it was read
        Lens lens = {};                     ///< what was looked at of it last
        QString note = {};
        bool isGrowing = false; ///< it is being read

        /// Whether all of it can be read again.
        bool isInFiles() const
        {
            return !files.empty() && (savedSamples == 0 || savedSamples == snapshot->sampleCount());
        }
    };

    /// @return the id of what was added
    QString add(const QString &title, const QString &toolTip, bool isLive,
                std::shared_ptr<const Snapshot> snapshot);
    /// The same of one that is being read, which ends with finish().
    QString addGrowing(const QString &title, std::shared_ptr<const Snapshot> snapshot);
    void remove(const QString &id);
    /// A newer state of a data set.
    void update(const QString &id, std::shared_ptr<const Snapshot> snapshot);
    /// Nothing more will come of it, and it has its last name.
    void finish(const QString &id, const QString &title, const QString &toolTip = {});
    void setTitle(const QString &id, const QString &title);
    void setFiles(const QString &id, std::vector<SourceFile> files, std::uint64_t savedSamples = 0);
    void setLens(const QString &id, const Lens &lens);
    void setNote(const QString &id, const QString &note);
    /// Null if it is not open.
    const DataSet *find(const QString &id) const;
    const std::vector<DataSet> &all() const { return m_dataSets; }

    /// As windows list them.
    QList<DataSource> sources() const;

Q_SIGNALS:
    void listChanged();
    void dataChanged(const QString &id);

private:
    DataSet *known(const QString &id);

    std::vector<DataSet> m_dataSets;
    int m_nextId = 1;
};

} // namespace hearth
