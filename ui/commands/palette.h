#pragma once

#include "model/lens/span_steps.h"
#include "model/views/attribute_weights.h"
#include "model/views/entry_search.h"
#include "model/views/span_search.h"
#include "ui/commands/palette_model.h"
#include "ui/session/session.h"

#include <QFrame>

#include <memory>
#include <vector>

class QLineEdit;
class QListView;

namespace hearth {

class Commands;

/// Finds functions, spans, traces, values of attributes and commands by what is typed, and goes there or does
/// it.
class Palette : public QFrame {
    Q_OBJECT

public:
    /// @param window it lies over, at the top
    Palette(Commands &commands, Session &session, QWidget &window);

    /// Text that begins with ">" finds commands only.
    void open(const QString &text = {});
    QLineEdit *edit() const { return m_edit; }
    QListView *list() const { return m_list; }

Q_SIGNALS:
    /// A function was chosen; it is selected.
    void entryChosen();
    /// Spans of a name, or a trace; the lens shows them.
    void spansChosen();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// What a search found; the evaluation keeps the names alive.
    struct Found {
        std::shared_ptr<const Evaluation> evaluation;
        std::vector<EntryHit> entries;
        std::shared_ptr<const std::vector<AttributeFacet>> facets;
        std::shared_ptr<const Snapshot> snapshot;
        std::vector<SpanNameHit> spans;
        LinkId trace = LinkId::none();
    };

    void search();
    void show(const Found &found);
    QList<PaletteItem> commandItems(const QString &typed) const;
    QList<PaletteItem> entryItems(const Found &found) const;
    QList<PaletteItem> spanItems(const Found &found);
    void chooseSpans(const SpanChoice &choice);
    QList<PaletteItem> attributeItems(const Found &found, const QString &typed) const;
    void run(const QModelIndex &index);
    void moveBy(int rows);
    void place();

    Commands &m_commands;
    Session &m_session;
    QWidget &m_window;
    QLineEdit *m_edit;
    QListView *m_list;
    PaletteModel *m_model;
    std::shared_ptr<const std::vector<AttributeFacet>> m_facets; ///< of the data set as it was on opening
    Worker m_worker;
};

} // namespace hearth
