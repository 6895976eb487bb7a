#pragma once

#include "ui/senders/sent_requests.h"

#include <QAbstractItemModel>

#include <memory>

namespace hearth {

/// The fields of a request. What is inside one is read when it is opened.
class PartModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Field, Bytes, Value };
    static constexpr int kColumns = Value + 1;

    explicit PartModel(QObject *parent = nullptr);
    ~PartModel() override;

    void set(std::vector<RequestPart> parts);

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;

    static void fill(Node &node, std::vector<RequestPart> parts);
    const Node &nodeOf(const QModelIndex &index) const;

    std::unique_ptr<Node> m_root;
};

} // namespace hearth
