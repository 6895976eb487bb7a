#include "ui/theme/labels.h"

#include <QLabel>

namespace hearth {

QLabel *plainLabel(QWidget *parent, int pixels, bool isBold, bool isMuted)
{
    auto *made = new QLabel(parent);
    QFont font = made->font();
    if (pixels > 0)
        font.setPixelSize(pixels);
    if (isBold)
        font.setWeight(QFont::DemiBold);
    made->setFont(font);
    made->setForegroundRole(isMuted ? QPalette::Dark : QPalette::WindowText);
    made->setTextFormat(Qt::PlainText); // names of functions may look like markup
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

QLabel *sectionHead(QWidget *parent)
{
    constexpr int kPixels = 11;
    return plainLabel(parent, kPixels, true, true);
}

} // namespace hearth
