#pragma once

#include <QPlainTextEdit>

namespace hearth {

/// Where a note is written: as high as its text, and quiet while there is none.
class NoteEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    NoteEdit(const QString &name, const QString &hint, QWidget *parent);

    /// Unlike what is typed, not reported by edited().
    void setNote(const QString &note);

Q_SIGNALS:
    void edited(const QString &note);

protected:
    void resizeEvent(QResizeEvent *event) override;
    /// Files that are dropped here are for the window.
    bool canInsertFromMimeData(const QMimeData *source) const override;

private:
    void fitHeight();
};

} // namespace hearth
