#include "ui/overview/note_edit.h"

#include <QMimeData>
#include <QSignalBlocker>

#include <algorithm>

namespace hearth {

NoteEdit::NoteEdit(const QString &name, const QString &hint, QWidget *parent) : QPlainTextEdit(parent)
{
    setAccessibleName(name);
    setPlaceholderText(hint);
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        fitHeight();
        Q_EMIT edited(toPlainText());
    });
    fitHeight();
}

void NoteEdit::setNote(const QString &note)
{
    if (note == toPlainText())
        return;
    const QSignalBlocker blocker(this);
    setPlainText(note);
    fitHeight();
}

void NoteEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fitHeight();
}

bool NoteEdit::canInsertFromMimeData(const QMimeData *source) const
{
    return source->hasText() && !source->hasUrls();
}

void NoteEdit::fitHeight()
{
    constexpr int kFewestLines = 2;
    constexpr int kMostLines = 14;
    const int lines = static_cast<int>(document()->size().height()); // which counts lines, not pixels
    constexpr int kAround = 20;                                      // margins of the text, padding and frame
    setFixedHeight(std::clamp(lines, kFewestLines, kMostLines) * fontMetrics().lineSpacing() + kAround);
}

} // namespace hearth
