#include "ui/inspector/source_peek.h"

#include "ui/theme/theme.h"

#include <QFile>
#include <QFontDatabase>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace hearth {

namespace {

constexpr qint64 kLargestFile = qint64(8) << 20;
constexpr int kLinesBefore = 1;
constexpr int kLines = 7;
constexpr int kRowHeight = 19;

} // namespace

SourceLines sourceAround(const QString &name, qint64 line)
{
    QFile file(name);
    if (line <= 0 || !file.exists() || file.size() > kLargestFile ||
        !file.open(QIODevice::ReadOnly | QIODevice::Text))
        return {};
    SourceLines source{static_cast<int>(std::max<qint64>(1, line - kLinesBefore)), {}};
    for (int number = 1; !file.atEnd() && source.lines.size() < kLines; ++number) {
        QString text = QString::fromUtf8(file.readLine());
        if (number >= source.first)
            source.lines += text.remove(QLatin1Char('\n')).replace(QLatin1Char('\t'), QStringLiteral("    "));
    }
    return source;
}

SourcePeek::SourcePeek(QWidget *parent) : QWidget(parent)
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void SourcePeek::show(const SourceLines &source, qint64 marked)
{
    m_source = source;
    m_marked = marked;
    setFixedHeight(kRowHeight * static_cast<int>(source.lines.size()));
    setVisible(!source.lines.isEmpty());
    setAccessibleName(source.lines.join(QLatin1Char('\n')));
    setToolTip(source.lines.join(QLatin1Char('\n')));
    update();
}

void SourcePeek::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT clicked();
}

void SourcePeek::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int margin = fontMetrics().horizontalAdvance(QStringLiteral("00000"));
    for (int i = 0; i < m_source.lines.size(); ++i) {
        const QRect row(0, i * kRowHeight, width(), kRowHeight);
        if (m_source.first + i == m_marked)
            painter.fillRect(row, theme().accentFill);
        painter.setPen(theme().faint);
        painter.drawText(row.adjusted(0, 0, margin - 10 - width(), 0), Qt::AlignVCenter | Qt::AlignRight,
                         QString::number(m_source.first + i));
        painter.setPen(theme().text);
        painter.drawText(row.adjusted(margin, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         m_source.lines[i]);
    }
}

} // namespace hearth
