#pragma once

#include <QAbstractListModel>
#include <QList>
#include <QString>

#include <functional>

namespace hearth {

/// A row of the palette: a command, a function, a value of an attribute.
struct PaletteItem {
    QString text;
    QString detail; ///< at the right: keys, weight
    QString kind;   ///< "command", "function", "thread" …
    bool isEnabled = true;
    std::function<void()> run;
};

class PaletteModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { Detail = Qt::UserRole, Kind };

    using QAbstractListModel::QAbstractListModel;

    void setItems(QList<PaletteItem> items);
    const PaletteItem &item(int row) const { return m_items[row]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    QList<PaletteItem> m_items;
};

} // namespace hearth
