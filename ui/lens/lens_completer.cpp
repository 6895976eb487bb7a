#include "ui/lens/lens_completer.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace hearth {

namespace {

constexpr int kRowHeight = 26;
constexpr int kWidth = 460;
constexpr std::size_t kMostOffered = 12;

QString nameOf(CompletionKind kind)
{
    switch (kind) {
    case CompletionKind::Key:
        return {};
    case CompletionKind::Function:
        return LensCompleter::tr("function");
    case CompletionKind::Binary:
        return LensCompleter::tr("binary");
    case CompletionKind::File:
        return LensCompleter::tr("file");
    case CompletionKind::FrameKind:
        return LensCompleter::tr("kind");
    case CompletionKind::Attribute:
        return LensCompleter::tr("attribute");
    case CompletionKind::Value:
        return LensCompleter::tr("value");
    case CompletionKind::Series:
        return LensCompleter::tr("series");
    case CompletionKind::Row:
        return LensCompleter::tr("rows");
    case CompletionKind::Span:
        return LensCompleter::tr("span");
    }
    return {};
}

/// The name, then what it is and what it weighs.
class CompletionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override
    {
        return {option.rect.width(), kRowHeight};
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        constexpr int kPadding = 8;
        constexpr int kWeightWidth = 60;
        const QFontMetrics metrics(option.font);
        painter->fillRect(option.rect,
                          (option.state & QStyle::State_Selected) != 0 ? theme().accentFill : theme().panel);
        QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        painter->setPen(theme().muted);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight,
                          index.data(CompletionModel::Weight).toString());
        room.setRight(room.right() - kWeightWidth);
        const QString kind = index.data(CompletionModel::Kind).toString();
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, kind);
        room.setRight(room.right() - metrics.horizontalAdvance(kind) - kPadding);
        painter->setPen(theme().text);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                          metrics.elidedText(index.data().toString(), Qt::ElideMiddle, room.width()));
    }
};

} // namespace

int CompletionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

QVariant CompletionModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Completion &item = m_items[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return qString(item.kind == CompletionKind::Key ? item.term : item.name);
    case Qt::EditRole:
        return m_before + qString(item.term);
    case Qt::ToolTipRole:
        return qString(item.term).toHtmlEscaped();
    case Kind:
        return nameOf(item.kind);
    case Weight:
        return item.weight ? shareText(static_cast<double>(*item.weight), static_cast<double>(m_whole))
                           : QString();
    default:
        return {};
    }
}

void CompletionModel::set(QString before, std::vector<Completion> items, std::int64_t whole)
{
    beginResetModel();
    m_before = std::move(before);
    m_items = std::move(items);
    m_whole = whole;
    endResetModel();
}

LensCompleter::LensCompleter(Session &session, QLineEdit &edit)
    : QObject(&edit), m_session(session), m_edit(edit), m_model(new CompletionModel(this)),
      m_completer(new QCompleter(m_model, this))
{
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setCompletionRole(Qt::EditRole);
    m_completer->setMaxVisibleItems(static_cast<int>(kMostOffered));
    m_completer->setWidget(&edit);
    m_completer->popup()->setItemDelegate(new CompletionDelegate(m_completer));
    m_completer->popup()->setObjectName(QStringLiteral("completions"));
    m_completer->popup()->installEventFilter(this);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &LensCompleter::choose);
    connect(&edit, &QLineEdit::textEdited, this, &LensCompleter::offer);
}

void LensCompleter::choose(const QString &text)
{
    m_edit.setText(text);
    if (text.endsWith(QLatin1Char(':')) || text.endsWith(QLatin1Char('=')))
        offer(); // what may stand behind it
}

/// The line of text would get these keys first. What is typed is what is meant unless a row is marked; the
/// first row is Qt's current one from the beginning, which is no mark. Tab takes it.
bool LensCompleter::eventFilter(QObject *watched, QEvent *event)
{
    QAbstractItemView *popup = m_completer->popup();
    if (event->type() != QEvent::KeyPress || !popup->isVisible())
        return QObject::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    const QModelIndex current = popup->currentIndex();
    const bool isMarked = popup->selectionModel()->isSelected(current);
    const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (current.isValid() && (key == Qt::Key_Tab || (isReturn && isMarked))) {
        popup->hide();
        choose(current.data(Qt::EditRole).toString());
        return true;
    }
    if (isReturn)
        popup->setCurrentIndex({});
    return QObject::eventFilter(watched, event);
}

/// Only the end of the text is completed: what stands behind the cursor would be in the way.
void LensCompleter::offer()
{
    const QString text = m_edit.text();
    if (!m_session.evaluation() || text.isEmpty() || m_edit.cursorPosition() != text.size()) {
        m_completer->popup()->hide();
        return;
    }
    m_worker.run([this, text, snapshot = m_session.snapshot(),
                  evaluation = m_session.evaluation()](const std::stop_token &stop) -> Worker::Delivery {
        auto found = completionsOf(*snapshot, *evaluation, text.toStdString(), kMostOffered, stop);
        if (!found)
            return nullptr;
        return
            [this, text, found = std::move(*found), whole = evaluation->total] { show(text, found, whole); };
    });
}

void LensCompleter::show(const QString &text, Completions completions, std::int64_t whole)
{
    if (text != m_edit.text() || !m_edit.hasFocus())
        return;
    const QByteArray before = text.toUtf8().left(static_cast<qsizetype>(completions.begin));
    const bool isEmpty = completions.items.empty();
    m_model->set(QString::fromUtf8(before), std::move(completions.items), whole);
    if (isEmpty)
        return m_completer->popup()->hide();
    const int left = m_edit.fontMetrics().horizontalAdvance(QString::fromUtf8(before));
    m_completer->complete(QRect(std::min(left, m_edit.width() / 2), 0, kWidth, m_edit.height()));
}

} // namespace hearth
