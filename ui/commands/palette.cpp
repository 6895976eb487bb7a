#include "ui/commands/palette.h"

#include "model/lens/lens_steps.h"
#include "model/views/neighbours.h"
#include "model/views/span_table.h"
#include "ui/commands/commands.h"
#include "ui/commands/palette_delegate.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr int kWidth = 620;
constexpr int kMostRows = 14;
constexpr std::size_t kMostHits = 100;
constexpr char16_t kCommandMark = u'>';

} // namespace

Palette::Palette(Commands &commands, Session &session, QWidget &window)
    : QFrame(&window), m_commands(commands), m_session(session), m_window(window),
      m_edit(new QLineEdit(this)), m_list(new QListView(this)), m_model(new PaletteModel(this))
{
    setObjectName(QStringLiteral("palette"));
    m_edit->setPlaceholderText(tr("Go to function, span, thread…   > for commands"));
    m_edit->setAccessibleName(tr("Go to"));
    m_edit->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("What was found"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    hide();
    window.installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &Palette::search);
    connect(m_list, &QListView::clicked, this, &Palette::run);
    connect(&session, &Session::evaluationChanged, this, [this] {
        if (isVisible())
            search();
    });
}

void Palette::open(const QString &text)
{
    m_facets = nullptr;
    m_edit->setText(text);
    search();
    place();
    QWidget::show();
    raise();
    m_edit->setFocus();
    m_edit->end(false);
}

/// Names are searched on the worker: there may be a million of them.
void Palette::search()
{
    const QString typed = m_edit->text();
    if (typed.startsWith(kCommandMark) || !m_session.evaluation())
        return show({});
    m_worker.run([this, typed = typed.trimmed().toStdString(), evaluation = m_session.evaluation(),
                  snapshot = m_session.snapshot(), lens = m_session.lens(),
                  facets = m_facets](const std::stop_token &stop) mutable -> Worker::Delivery {
        auto entries = findEntries(*evaluation->tree, typed, kMostHits, stop);
        if (!facets)
            if (auto computed = facetsOf(*snapshot, lens, stop))
                facets = std::make_shared<const std::vector<AttributeFacet>>(std::move(*computed));
        auto spans = typed.empty() ? std::optional(std::vector<SpanNameHit>())
                                   : findSpanNames(*snapshot, typed, kMostRows, stop);
        if (!entries || !spans || stop.stop_requested())
            return nullptr;
        return [this, found = Found{evaluation, std::move(*entries), facets, snapshot, std::move(*spans),
                                    findTrace(*snapshot, typed)}] {
            m_facets = found.facets;
            show(found);
        };
    });
}

void Palette::show(const Found &found)
{
    QString typed = m_edit->text().trimmed();
    const bool wantsCommands = typed.startsWith(kCommandMark);
    if (wantsCommands)
        typed = typed.mid(1).trimmed();
    QList<PaletteItem> items;
    if (!wantsCommands) {
        items += entryItems(found);
        items += spanItems(found);
        items += attributeItems(found, typed);
    }
    if (wantsCommands || !typed.isEmpty() || items.isEmpty())
        items += commandItems(typed);
    m_model->setItems(std::move(items));
    moveBy(0);
    place();
}

QList<PaletteItem> Palette::commandItems(const QString &typed) const
{
    std::vector<std::pair<NameFit, QAction *>> fitting;
    for (QAction *action : m_commands.all())
        if (const NameFit fit = fitOf(plainText(*action).toStdString(), typed.toStdString());
            fit < NameFit::Letters)
            fitting.emplace_back(fit, action);
    std::ranges::stable_sort(fitting, {}, &std::pair<NameFit, QAction *>::first);
    QList<PaletteItem> items;
    for (const auto &[fit, action] : fitting)
        items.push_back({.text = plainText(*action),
                         .detail = action->shortcut().toString(QKeySequence::NativeText),
                         .kind = Commands::groupOf(*action),
                         .isEnabled = action->isEnabled(),
                         .run = [action = action] { action->trigger(); }});
    return items;
}

QList<PaletteItem> Palette::entryItems(const Found &found) const
{
    QList<PaletteItem> items;
    for (const EntryHit &hit : found.entries) {
        const std::string_view name = found.evaluation->tree->entries()[hit.entry].name;
        items.push_back({.text = qString(name),
                         .detail = shareText(static_cast<double>(hit.weight),
                                             static_cast<double>(found.evaluation->total)),
                         .kind = tr("function"),
                         .run = [this, name = std::string(name)] {
                             const auto &evaluation = m_session.evaluation();
                             if (const auto entry = entryNamed(*evaluation->tree, name))
                                 m_session.selectEntry(*entry);
                         }});
    }
    return items;
}

QList<PaletteItem> Palette::spanItems(const Found &found)
{
    QList<PaletteItem> items;
    if (!found.trace.isNone()) {
        SpanChoice choice;
        choice.trace = traceText(found.snapshot->links[found.trace.value]);
        items.push_back({.text = QString::fromStdString(choice.trace),
                         .detail = {},
                         .kind = tr("trace"),
                         .run = [this, choice] { chooseSpans(choice); }});
    }
    for (const SpanNameHit &hit : found.spans) {
        SpanChoice choice;
        choice.name = std::string(found.snapshot->text(hit.name));
        items.push_back({.text = qString(*choice.name),
                         .detail = countText(hit.spans),
                         .kind = tr("span"),
                         .run = [this, choice] { chooseSpans(choice); }});
    }
    return items;
}

void Palette::chooseSpans(const SpanChoice &choice)
{
    m_session.setLens(withSpanChoice(m_session.lens(), choice));
    Q_EMIT spansChosen();
}

QList<PaletteItem> Palette::attributeItems(const Found &found, const QString &typed) const
{
    QList<PaletteItem> items;
    if (!found.facets || typed.isEmpty())
        return items;
    const std::string text = typed.toStdString();
    for (const AttributeFacet &facet : *found.facets)
        for (const AttributeValue &value : facet.values)
            if (fitOf(value.text, text) < NameFit::Letters && items.size() < kMostRows)
                items.push_back({.text = qString(value.text),
                                 .detail = shareText(static_cast<double>(value.weight),
                                                     static_cast<double>(found.evaluation->total)),
                                 .kind = qString(facet.key),
                                 .run = [this, key = facet.key, value = value.text] {
                                     m_session.setLens(withAttribute(m_session.lens(), key, value));
                                 }});
    return items;
}

void Palette::run(const QModelIndex &index)
{
    if (!index.isValid() || (m_model->flags(index) & Qt::ItemIsEnabled) == 0)
        return;
    const PaletteItem item = m_model->item(index.row());
    hide();
    m_window.setFocus();
    item.run();
    if (item.kind == tr("function"))
        Q_EMIT entryChosen();
}

void Palette::moveBy(int rows)
{
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = m_list->currentIndex().isValid() && rows != 0 ? m_list->currentIndex().row() + rows : 0;
    const QModelIndex index = m_model->index(std::clamp(row, 0, count - 1));
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
}

void Palette::place()
{
    const int rows = std::clamp(m_model->rowCount(), 1, kMostRows);
    m_list->setFixedHeight(rows * PaletteDelegate::kRowHeight + 2);
    const int width = std::min(kWidth, m_window.width() - 40);
    resize(width, sizeHint().height());
    move((m_window.width() - width) / 2, 44);
}

bool Palette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_window && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_edit)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Escape:
        hide();
        m_window.setFocus();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run(m_list->currentIndex());
        return true;
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_PageDown:
        moveBy(kMostRows);
        return true;
    case Qt::Key_PageUp:
        moveBy(-kMostRows);
        return true;
    default:
        return false;
    }
}

void Palette::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().line);
    painter.setBrush(theme().panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace hearth
