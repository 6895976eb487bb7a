#include "ui/lens/chip.h"

#include "model/lens/lens_steps.h"
#include "model/lens/lens_text.h"
#include "model/lens/lens_words.h"
#include "model/lens/time_text.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace hearth {

namespace {

constexpr int kHeight = 24;
constexpr int kPadding = 10;
constexpr int kGap = 6;
constexpr int kCross = 14;
constexpr int kMostValue = 220;

QString tr(const char *text)
{
    return QCoreApplication::translate("Chip", text);
}

/// An expression that matches one name exactly, or one binary, reads better as what it matches.
QString readable(std::string_view expression)
{
    constexpr std::string_view kAnyFolder = "(^|/)";
    std::string_view body = expression;
    if (body.starts_with(kAnyFolder))
        body.remove_prefix(kAnyFolder.size());
    else if (body.starts_with('^'))
        body.remove_prefix(1);
    else
        return qString(expression);
    if (!body.ends_with('$'))
        return qString(expression);
    body.remove_suffix(1);
    std::string plain;
    for (std::size_t i = 0; i < body.size(); ++i)
        plain += body[i] == '\\' && i + 1 < body.size() ? body[++i] : body[i];
    return exactly(plain).substr(1) == std::string(body) + '$' ? qString(plain) : qString(expression);
}

ChipText ofPath(const PathTerm &term)
{
    const QString verb = term.isNegated ? tr("drop") : tr("through");
    switch (term.kind) {
    case PathTermKind::Self:
        return {term.isNegated ? tr("not self") : tr("self"), readable(term.text)};
    case PathTermKind::Library:
        return {verb + tr(" binary"), readable(term.text)};
    case PathTermKind::File:
        return {verb + tr(" file"), readable(term.text)};
    case PathTermKind::FrameKind:
        return {verb + tr(" kind"), qString(term.text)};
    default:
        return {verb, readable(term.text)};
    }
}

QString wordOf(FrameTermKind kind)
{
    switch (kind) {
    case FrameTermKind::Hide:
        return tr("hide");
    case FrameTermKind::Show:
        return tr("show only");
    case FrameTermKind::From:
        return tr("from");
    case FrameTermKind::To:
        return tr("to");
    case FrameTermKind::Once:
        return tr("once");
    case FrameTermKind::Collapse:
        return tr("collapse");
    case FrameTermKind::Pivot:
        return tr("pivot");
    }
    return {};
}

ChipText ofAttribute(const AttributeTerm &term)
{
    const QString key = (term.isNegated ? tr("not ") : QString()) + qString(term.key);
    return {key, (term.kind == AttributeTermKind::Matches ? QStringLiteral("~ ") : QString()) +
                     qString(term.text)};
}

/// As it is written in formulas.
QString signOf(SpanTermKind comparison)
{
    QString sign = qString(comparisonOf(comparison));
    return sign.replace(QLatin1String(">="), QStringLiteral("≥"))
        .replace(QLatin1String("<="), QStringLiteral("≤"));
}

ChipText ofSpan(const SpanTerm &term)
{
    const QString of = (term.isNegated ? tr("not ") : QString()) + tr("span");
    switch (term.kind) {
    case SpanTermKind::Name:
        return {of, qString(term.text)};
    case SpanTermKind::Matches:
        return {of, QStringLiteral("~ ") + qString(term.text)};
    case SpanTermKind::Id:
        return {of, qString(term.text)};
    case SpanTermKind::Failed:
        return {of, tr("with error")};
    default:
        return {of, QStringLiteral("%1 %2").arg(signOf(term.kind), qString(printDuration(term.ns)))};
    }
}

} // namespace

ChipText chipTextOf(const Lens &only)
{
    if (!only.paths.empty())
        return ofPath(only.paths.front());
    if (!only.frames.empty())
        return {wordOf(only.frames.front().kind), readable(only.frames.front().text)};
    if (!only.under.empty())
        return {tr("under"), qString(only.under.back())};
    if (!only.attributes.empty())
        return ofAttribute(only.attributes.front());
    if (!only.spans.empty())
        return ofSpan(only.spans.front());
    if (!only.spanAttributes.empty()) {
        const ChipText text = ofAttribute(only.spanAttributes.front());
        return {tr("span ") + text.word, text.value};
    }
    if (!only.groupBy.empty())
        return {tr("by"), qString(only.groupBy.front())};
    const QString text = qString(printLens(only));
    for (const QChar separator : {QLatin1Char('='), QLatin1Char(':')})
        if (const qsizetype at = text.indexOf(separator); at > 0)
            return {text.left(at), text.mid(at + 1)};
    return {{}, text};
}

Chip::Chip(const ChipText &text, const QString &toolTip, QWidget *parent)
    : QAbstractButton(parent), m_text(text)
{
    m_text.value = QFontMetrics(strongFont()).elidedText(m_text.value, Qt::ElideMiddle, kMostValue);
    setToolTip(toolTip);
    setText(QStringLiteral("%1 %2").arg(text.word, text.value));
    setAccessibleName(tr("Take off %1").arg(this->text()));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QFont Chip::strongFont() const
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return strong;
}

QSize Chip::sizeHint() const
{
    const int word = m_text.word.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_text.word) + kGap;
    const int value = QFontMetrics(strongFont()).horizontalAdvance(m_text.value);
    return {kPadding + word + value + kGap + kCross + kPadding / 2, kHeight};
}

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(theme().accent, 2) : QPen(Qt::NoPen));
    painter.setBrush(underMouse() ? theme().accentFill : theme().soft);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kHeight / 2.0 - 1, kHeight / 2.0 - 1);
    QRect room = rect().adjusted(kPadding, 0, -kPadding / 2, 0);
    painter.setPen(theme().muted);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, m_text.word);
    if (!m_text.word.isEmpty())
        room.setLeft(room.left() + fontMetrics().horizontalAdvance(m_text.word) + kGap);
    const QPointF cross(room.right() - kCross / 2.0, rect().center().y() + 0.5);
    constexpr double kArm = 3;
    painter.setPen(QPen(theme().muted, 1.2));
    painter.drawLine(cross + QPointF(-kArm, -kArm), cross + QPointF(kArm, kArm));
    painter.drawLine(cross + QPointF(-kArm, kArm), cross + QPointF(kArm, -kArm));
    painter.setPen(theme().text);
    painter.setFont(strongFont());
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, m_text.value);
}

} // namespace hearth
