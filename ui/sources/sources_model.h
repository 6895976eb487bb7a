#pragma once

#include "model/lens/lens.h"
#include "model/views/attribute_weights.h"

#include <QAbstractListModel>
#include <QList>
#include <QSet>
#include <QString>

#include <memory>
#include <vector>

namespace hearth {

/// A data set that is open, as the list of them shows it.
struct DataSource {
    QString id;
    QString name;
    QString figure; ///< how many samples it has
    QString toolTip;
    bool isLive = false;
};

/// The data sets that are open, and the attributes of the one that is looked at, as rows of one list.
class SourcesModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum class RowKind : std::uint8_t { Head, Source, Value, More };
    struct Row {
        RowKind kind = RowKind::Head;
        QString text = {};
        QString figure = {};
        QString toolTip = {};
        double share = 0;      ///< of the weight in view, 0 to 1
        bool isChosen = false; ///< looked at, or what the lens asks for
        bool isLeftOut = false;
        bool isLive = false;
        QString key = {}; ///< of the attribute, or id of the source
        QString value = {};
    };
    static constexpr int kRowRole = Qt::UserRole;

    using QAbstractListModel::QAbstractListModel;

    void setSources(QList<DataSource> sources, QString current);
    void setFacets(std::shared_ptr<const std::vector<AttributeFacet>> facets);
    void setLens(const Lens &lens);
    /// Shows all values of an attribute, or, without a key, all attributes.
    void expand(const QString &key);

    const Row &row(int index) const { return m_rows[index]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    void rebuild();
    void addSources(QList<Row> &rows) const;
    void addFacet(QList<Row> &rows, const AttributeFacet &facet) const;
    QString titleOf(const std::string &key) const;

    QList<DataSource> m_sources;
    QString m_current;
    std::shared_ptr<const std::vector<AttributeFacet>> m_facets;
    Lens m_lens;
    QSet<QString> m_expanded;
    QList<Row> m_rows;
};

} // namespace hearth

Q_DECLARE_METATYPE(hearth::SourcesModel::Row)
