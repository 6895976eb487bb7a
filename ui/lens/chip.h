#pragma once

#include "model/lens/lens.h"

#include <QAbstractButton>

namespace hearth {

/// What a chip says of one term: a word for what it does, and what it does that to.
struct ChipText {
    QString word;
    QString value;
};

/// @param only a lens with this term and nothing else
ChipText chipTextOf(const Lens &only);

/// A term of the lens that a click takes off.
class Chip : public QAbstractButton {
    Q_OBJECT

public:
    Chip(const ChipText &text, const QString &toolTip, QWidget *parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont strongFont() const;

    ChipText m_text;
};

} // namespace hearth
