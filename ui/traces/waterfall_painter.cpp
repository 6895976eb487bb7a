#include "ui/traces/waterfall_painter.h"

#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace hearth {

namespace {

constexpr int kIndent = 13;
constexpr std::uint32_t kDeepest = 9; ///< further in, rows are not indented more: their names need the room
constexpr int kBarInset = 5;
constexpr int kGap = 6;

QString tr(const char *text)
{
    return QCoreApplication::translate("Waterfall", text);
}

/// Each cause has its hatch; the legend names those that there are.
Qt::BrushStyle patternOf(std::size_t cause)
{
    constexpr std::array<Qt::BrushStyle, kWaitCauses> kPatterns{Qt::FDiagPattern,  Qt::HorPattern,
                                                                Qt::BDiagPattern,  Qt::VerPattern,
                                                                Qt::Dense6Pattern, Qt::DiagCrossPattern};
    return kPatterns[cause];
}

QString causeText(std::size_t cause)
{
    static const std::array kTexts{
        QT_TRANSLATE_NOOP("Waterfall", "lock"),    QT_TRANSLATE_NOOP("Waterfall", "disk"),
        QT_TRANSLATE_NOOP("Waterfall", "network"), QT_TRANSLATE_NOOP("Waterfall", "events"),
        QT_TRANSLATE_NOOP("Waterfall", "sleep"),   QT_TRANSLATE_NOOP("Waterfall", "waiting")};
    return tr(kTexts[cause]);
}

void fillUnobserved(QPainter &painter, const QRectF &box, const QColor &color)
{
    painter.fillRect(box, theme().panel);
    painter.fillRect(box, QBrush(mixed(color, theme().panel, 0.4), Qt::BDiagPattern));
}

void fillWaiting(QPainter &painter, const QRectF &box, const QColor &color, std::size_t cause)
{
    painter.fillRect(box, mixed(color, theme().panel, 0.6));
    painter.fillRect(box, QBrush(mixed(color, theme().panel, 0.15), patternOf(cause)));
}

class WaterfallPainter {
public:
    WaterfallPainter(QPainter &painter, const WaterfallScene &scene, const QFont &font)
        : m_painter(painter), m_scene(scene), m_waterfall(*scene.waterfall), m_font(font), m_bold(font)
    {
        m_bold.setWeight(QFont::DemiBold);
    }

    void paint()
    {
        const int head = WaterfallScene::kHeadHeight;
        m_painter.setFont(m_font);
        m_painter.save();
        m_painter.setClipRect(0, head, m_scene.size.width(), m_scene.size.height() - head);
        const auto first = static_cast<std::size_t>(m_scene.scrolled / WaterfallScene::kRowHeight);
        for (std::size_t row = first; row < m_scene.rows() && m_scene.row(row).top() < m_scene.size.height();
             ++row)
            paintRow(row);
        paintLogs();
        paintCriticalPath();
        m_painter.restore();
        paintHead();
    }

private:
    void paintRow(std::size_t index)
    {
        const WaterfallRow &row = m_waterfall.rows[index];
        const QRect room = m_scene.row(index);
        if (m_scene.current == index)
            m_painter.fillRect(room, theme().accentFill);
        paintName(row, room);
        paintBar(row);
        paintSamples(index);
    }

    void paintName(const WaterfallRow &row, const QRect &room)
    {
        const int indent = static_cast<int>(std::min(row.depth, kDeepest)) * kIndent;
        int left = WaterfallScene::kMargin + indent;
        const int end = WaterfallScene::kMargin + WaterfallScene::kNameWidth - kGap;
        const auto write = [&](const QString &text, const QColor &color) {
            const QString shown = m_painter.fontMetrics().elidedText(text, Qt::ElideRight, end - left);
            m_painter.setPen(color);
            m_painter.drawText(QRect(left, room.top(), end - left, room.height()),
                               Qt::AlignLeft | Qt::AlignVCenter, shown);
            left += m_painter.fontMetrics().horizontalAdvance(shown) + kGap;
        };
        if (isFailed(row))
            write(QStringLiteral("✕"), theme().bad);
        write(m_scene.nameOf(row), row.span.isNone() ? theme().muted : theme().text);
        if (const QString oddity = m_scene.oddityOf(row); !oddity.isEmpty() && left < end)
            write(QStringLiteral("⚠ ") + oddity, theme().warn);
        m_painter.setPen(theme().muted);
        const QRect service(end + kGap, room.top(), WaterfallScene::kServiceWidth - kGap, room.height());
        m_painter.drawText(
            service, Qt::AlignLeft | Qt::AlignVCenter,
            m_painter.fontMetrics().elidedText(m_scene.serviceOf(row), Qt::ElideRight, service.width()));
    }

    void paintBar(const WaterfallRow &row)
    {
        const QRectF bar = m_scene.bar(row);
        const QRectF visible =
            bar.intersected(QRectF(m_scene.left(), bar.top(), m_scene.width(), bar.height()));
        if (visible.isEmpty())
            return;
        const QColor color = serviceColor(m_scene.study->snapshot->text(row.service));
        m_painter.save();
        m_painter.setClipRect(visible, Qt::IntersectClip);
        fillUnobserved(m_painter, bar, color);
        fillObserved(row, bar, color);
        m_painter.setPen(isFailed(row) ? theme().bad : color);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        m_painter.restore();
        m_painter.setPen(theme().muted);
        m_painter.drawText(
            QRectF(visible.right() + kGap, bar.top(), WaterfallScene::kFigureWidth, bar.height()),
            Qt::AlignLeft | Qt::AlignVCenter, valueText(row.durationNs, "nanoseconds"));
    }

    /// Below its bar, when samples of the span itself were taken. Those of a pixel are one.
    void paintSamples(std::size_t index)
    {
        constexpr double kHeight = 3;
        if (!m_scene.samples)
            return;
        const WaterfallRow &row = m_waterfall.rows[index];
        const QColor color = serviceColor(m_scene.study->snapshot->text(row.service));
        const double top = m_scene.bar(row).bottom() + 1;
        const double end = m_scene.left() + m_scene.width();
        double painted = -1;
        for (const TraceSamples::Tick &tick : m_scene.samples->ofRow(static_cast<std::uint32_t>(index))) {
            const double left = std::floor(m_scene.placeOf(m_scene.samples->beginOf(tick.step)));
            const double right =
                std::max(left + 1, std::floor(m_scene.placeOf(m_scene.samples->beginOf(tick.step + 1U))));
            if (right <= std::max<double>(painted, m_scene.left()) || left >= end)
                continue;
            m_painter.fillRect(QRectF(left, top, std::min(right, end) - left, kHeight),
                               tick.isWaiting ? mixed(color, theme().panel, 0.55) : color);
            painted = right;
        }
    }

    /// What was observed comes first: this says how much, not when.
    void fillObserved(const WaterfallRow &row, const QRectF &bar, const QColor &color)
    {
        double left = bar.left();
        const auto take = [&](std::int64_t ns) {
            const double share =
                row.durationNs > 0 ? static_cast<double>(ns) / static_cast<double>(row.durationNs) : 0;
            const double right = std::min(bar.right(), left + std::max(0.0, share) * bar.width());
            const QRectF part(left, bar.top(), right - left, bar.height());
            left = right;
            return part;
        };
        m_painter.fillRect(take(row.onCpuNs), color);
        for (std::size_t cause = 0; cause < kWaitCauses; ++cause)
            if (row.waitNs[cause] > 0)
                fillWaiting(m_painter, take(row.waitNs[cause]), color, cause);
    }

    /// A diamond where a record was written. Those in the same place are one.
    void paintLogs()
    {
        constexpr double kHalf = 4;
        if (!m_scene.logs)
            return;
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        std::unordered_map<std::uint64_t, std::uint32_t> placed; // by row and pixel: the gravest
        for (const LogMark &mark : *m_scene.logs) {
            const double x = m_scene.placeOf(mark.timeNs);
            const double y = m_scene.row(mark.row).center().y() + 0.5;
            const bool isSeen = x >= m_scene.left() && x <= m_scene.left() + m_scene.width() && y > 0 &&
                                y < m_scene.size.height();
            const auto place =
                (std::uint64_t(mark.row) << 32U) | static_cast<std::uint32_t>(std::max(0.0, x) / kHalf);
            const auto [known, isNew] = placed.try_emplace(place, mark.severity);
            if (!isSeen || (!isNew && known->second >= mark.severity))
                continue;
            known->second = mark.severity;
            m_painter.setPen(theme().panel);
            m_painter.setBrush(mark.severity >= kSeverityError  ? theme().bad
                               : mark.severity >= kSeverityWarn ? theme().warn
                                                                : theme().text);
            m_painter.drawPolygon(
                QPolygonF({{x, y - kHalf}, {x + kHalf, y}, {x, y + kHalf}, {x - kHalf, y}}));
        }
        m_painter.restore();
    }

    /// From step to step: along the span that is waited for, then up or down to the next.
    void paintCriticalPath()
    {
        m_painter.setPen(QPen(theme().bad, 1.2, Qt::DashLine));
        const double right = m_scene.left() + m_scene.width();
        m_painter.setClipRect(
            QRectF(m_scene.left(), WaterfallScene::kHeadHeight, m_scene.width(), m_scene.size.height()),
            Qt::IntersectClip);
        const auto heightOf = [&](std::size_t row) { return m_scene.row(row).center().y() + 0.5; };
        const CriticalStep *before = nullptr;
        for (const CriticalStep &step : m_waterfall.critical) {
            const double begin = m_scene.placeOf(step.beginNs);
            if (begin > right)
                break;
            const double y = heightOf(step.row);
            const double from = before != nullptr ? heightOf(before->row) : y;
            before = &step;
            const double end = m_scene.placeOf(step.endNs);
            const bool isSeen =
                end >= m_scene.left() && std::max(y, from) >= 0 && std::min(y, from) <= m_scene.size.height();
            if (!isSeen)
                continue;
            m_painter.drawLine(QPointF(begin, from), QPointF(begin, y));
            m_painter.drawLine(QPointF(begin, y), QPointF(end, y));
        }
    }

    void paintHead()
    {
        const QRect head(0, 0, m_scene.size.width(), WaterfallScene::kHeadHeight);
        m_painter.fillRect(head, theme().panel);
        const int end = paintLegend(head);
        QRect room = head.adjusted(WaterfallScene::kMargin, 0, end - head.width(), 0);
        const QString id = m_scene.traceId();
        const QString title = tr("Trace %1").arg(id.left(8) + QStringLiteral("…") + id.right(7));
        m_painter.setFont(m_bold);
        m_painter.setPen(theme().text);
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, title);
        room.setLeft(room.left() + m_painter.fontMetrics().horizontalAdvance(title) + kGap);
        m_painter.setFont(m_font);
        m_painter.setPen(theme().muted);
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                           m_painter.fontMetrics().elidedText(figures(), Qt::ElideRight, room.width()));
    }

    QString figures() const
    {
        const auto spans = static_cast<std::uint64_t>(std::ranges::count_if(
            m_waterfall.rows, [](const WaterfallRow &row) { return !row.span.isNone(); }));
        const auto critical = static_cast<std::uint64_t>(
            std::ranges::count_if(m_waterfall.rows, [](const WaterfallRow &row) { return row.isCritical; }));
        QStringList parts{valueText(m_waterfall.endNs - m_waterfall.beginNs, "nanoseconds"),
                          tr("%1 spans").arg(countText(spans)),
                          tr("%1 services").arg(countText(m_waterfall.services.size()))};
        if (m_waterfall.failed > 0)
            parts += tr("%1 with error").arg(countText(m_waterfall.failed));
        if (critical > 0)
            parts += tr("critical path through %1").arg(countText(critical));
        if (m_scene.study->estimate)
            parts += tr("samples estimated by thread and time");
        return parts.join(QStringLiteral(" · "));
    }

    /// From the right. @return where it begins
    int paintLegend(const QRect &head)
    {
        struct Item {
            QString text;
            std::optional<std::size_t> cause;
            bool isOnCpu = false;
        };
        std::vector<Item> items{{tr("not observed"), std::nullopt, false}};
        for (std::size_t cause = kWaitCauses; cause-- > 0;)
            if (std::ranges::any_of(m_waterfall.rows,
                                    [&](const WaterfallRow &row) { return row.waitNs[cause] > 0; }))
                items.push_back({causeText(cause), cause, false});
        items.push_back({tr("on CPU"), std::nullopt, true});
        constexpr int kBox = 10;
        int right = head.width() - WaterfallScene::kMargin;
        m_painter.setFont(m_font);
        for (const Item &item : items) {
            const int width = m_painter.fontMetrics().horizontalAdvance(item.text);
            m_painter.setPen(theme().muted);
            m_painter.drawText(QRect(right - width, 0, width, head.height()), Qt::AlignVCenter, item.text);
            const QRectF box(right - width - kGap - kBox, head.center().y() - kBox / 2.0 + 1, kBox, kBox);
            if (item.isOnCpu)
                m_painter.fillRect(box, theme().muted);
            else if (item.cause)
                fillWaiting(m_painter, box, theme().muted, *item.cause);
            else
                fillUnobserved(m_painter, box, theme().muted);
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            right -= width + kGap + kBox + 2 * kGap;
        }
        return right;
    }

    bool isFailed(const WaterfallRow &row) const
    {
        return !row.span.isNone() && (m_scene.study->table.marks(row.span) & kSpanFailed) != 0;
    }

    QPainter &m_painter;
    const WaterfallScene &m_scene;
    const Waterfall &m_waterfall;
    QFont m_font;
    QFont m_bold;
};

} // namespace

QRect WaterfallScene::row(std::size_t index) const
{
    return {0, kHeadHeight + static_cast<int>(index) * kRowHeight - scrolled, size.width(), kRowHeight};
}

std::optional<std::size_t> WaterfallScene::rowAt(int y) const
{
    const int top = y - kHeadHeight + scrolled;
    const auto index = static_cast<std::size_t>(std::max(0, top) / kRowHeight);
    return y < kHeadHeight || index >= rows() ? std::nullopt : std::optional(index);
}

double WaterfallScene::placeOf(double ns) const
{
    const double length = std::max(1.0, static_cast<double>(endNs) - static_cast<double>(beginNs));
    return left() + (ns - static_cast<double>(beginNs)) / length * width();
}

std::int64_t WaterfallScene::timeAt(int x) const
{
    const double share = std::clamp(static_cast<double>(x - left()) / width(), 0.0, 1.0);
    return beginNs +
           static_cast<std::int64_t>(share * (static_cast<double>(endNs) - static_cast<double>(beginNs)));
}

QRectF WaterfallScene::bar(const WaterfallRow &of) const
{
    constexpr double kNarrowest = 2; // a span of no length can be seen, too
    const auto index = static_cast<std::size_t>(&of - waterfall->rows.data());
    const double begin = placeOf(of.startNs);
    const double end = std::max(begin + kNarrowest, placeOf(of.endNs()));
    const QRect room = row(index);
    return {begin, static_cast<double>(room.top() + kBarInset), end - begin,
            static_cast<double>(room.height() - 2 * kBarInset)};
}

QString WaterfallScene::nameOf(const WaterfallRow &row) const
{
    return row.span.isNone() ? tr("(span not received)")
                             : qString(study->snapshot->text(study->table.name(row.span)));
}

QString WaterfallScene::serviceOf(const WaterfallRow &row) const
{
    return qString(study->snapshot->text(row.service));
}

QString WaterfallScene::oddityOf(const WaterfallRow &row) const
{
    QStringList oddities;
    const std::uint8_t marks = row.span.isNone() ? std::uint8_t(0) : study->table.marks(row.span);
    if (row.isOrphan)
        oddities += tr("missing parent");
    if (row.isCyclic)
        oddities += tr("its own ancestor");
    if ((marks & kSpanReversed) != 0)
        oddities += tr("ends before it starts");
    if ((marks & kSpanDuplicate) != 0)
        oddities += tr("id of another span");
    if (row.isOutside)
        oddities += tr("outside its parent");
    return oddities.join(QStringLiteral(", "));
}

QString WaterfallScene::traceId() const
{
    return rows() == 0
               ? QString()
               : QString::fromStdString(traceText(study->snapshot->links[waterfall->rows[0].link.value]));
}

QColor serviceColor(std::string_view service)
{
    constexpr std::array kClasses{FrameClass::Go,  FrameClass::Native, FrameClass::Python,
                                  FrameClass::Php, FrameClass::Jvm,    FrameClass::V8};
    const auto number = qHash(qString(service)) % kClasses.size();
    return mixed(frameColor(kClasses[number], service), theme().text, 0.18);
}

void paintWaterfall(QPainter &painter, const WaterfallScene &scene, const QFont &font)
{
    if (scene.rows() > 0)
        WaterfallPainter(painter, scene, font).paint();
}

} // namespace hearth
