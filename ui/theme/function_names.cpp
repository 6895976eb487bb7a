#include "ui/theme/function_names.h"

#include "ui/theme/figures.h"

#include <QFontMetrics>

namespace hearth {

namespace {

NameDetail g_detail = NameDetail::Full;

} // namespace

void showNames(NameDetail detail)
{
    g_detail = detail;
}

QString functionText(std::string_view name)
{
    return g_detail == NameDetail::Full ? qString(name) : qString(detailedName(name, g_detail));
}

QString functionText(std::string_view name, const QFontMetrics &metrics, int room)
{
    const auto fits = [&](std::string_view text) { return metrics.horizontalAdvance(qString(text)) <= room; };
    const std::string shown = shortName(detailedName(name, g_detail), fits);
    return fits(shown) ? qString(shown) : metrics.elidedText(qString(shown), Qt::ElideRight, room);
}

} // namespace hearth
