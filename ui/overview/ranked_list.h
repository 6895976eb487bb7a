#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>

class QLabel;
class QTableView;

namespace hearth {

class RankedModel;

/// A line of a list.
struct RankedRow {
    QString name;
    QString toolTip;
    std::int64_t weight = 0;
    std::string unit;
    std::optional<double> share = {}; ///< of all that is looked at
    bool isFunction = false;
};

/// A short list of what weighs most, under a head, as high as its rows.
class RankedList : public QWidget {
    Q_OBJECT

public:
    explicit RankedList(QWidget *parent = nullptr);

    void show(const QString &head, const QList<RankedRow> &rows);

    QTableView *table() const { return m_table; }
    QLabel *head() const { return m_head; }

Q_SIGNALS:
    void selected(int row);
    void activated(int row);

private:
    QLabel *m_head;
    RankedModel *m_model;
    QTableView *m_table;
};

} // namespace hearth
