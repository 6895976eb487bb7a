#include "ui/export/shown_text.h"

#include "ui/theme/figures.h"

namespace hearth {

namespace {

constexpr qsizetype kLongest = 2000;

/// Marks that change the direction of the text behind them, and characters without any width.
bool isHidden(char16_t unit)
{
    return (unit >= 0x200b && unit <= 0x200f) || (unit >= 0x2028 && unit <= 0x202e) ||
           (unit >= 0x2060 && unit <= 0x206f) || unit == 0x061c || unit == 0xfeff || unit >= 0xfffe;
}

QChar shown(QChar character)
{
    constexpr char16_t kPictures = 0x2400; // of control characters, in their order
    constexpr char16_t kPictureOfDelete = 0x2421;
    const char16_t unit = character.unicode();
    if (unit < 0x20)
        return QChar(kPictures + unit);
    if (unit == 0x7f)
        return kPictureOfDelete;
    const bool isControl = unit >= 0x80 && unit < 0xa0;
    return isControl || isHidden(unit) ? QChar(QChar::ReplacementCharacter) : character;
}

/// Halves of characters by themselves are nothing; at the cut there may be one.
void dropHalves(QString &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isPair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (isPair)
            ++i;
        else if (text[i].isSurrogate())
            text[i] = QChar::ReplacementCharacter;
    }
}

} // namespace

QString shownText(const QString &name)
{
    QString text = name.left(kLongest);
    for (QChar &character : text)
        character = shown(character);
    dropHalves(text);
    if (name.size() > kLongest)
        text += QStringLiteral("… (cut, %1 characters)").arg(name.size());
    return text;
}

QString shownText(std::string_view name)
{
    return shownText(qString(name));
}

} // namespace hearth
