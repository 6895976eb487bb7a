#include "ui/export/flame_sheet.h"

#include "model/lens/lens_text.h"
#include "ui/export/shown_text.h"
#include "ui/flame/flame_picture.h"
#include "ui/theme/figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

QString mergedNote(const FlameScene &scene, double width)
{
    std::uint64_t merged = 0;
    std::uint64_t blocks = 0;
    double narrow = 0;
    for (const FlameRow &row : scene.layout->rows)
        for (const FlameBox &box : row)
            if (box.merged > 0) {
                merged += box.merged;
                ++blocks;
                narrow += box.width;
            }
    if (blocks == 0)
        return {};
    return QStringLiteral(
               "%1 boxes narrower than a pixel, with all below them, are drawn as %2 hatched ones: "
               "%3 of the width.")
        .arg(countText(merged), countText(blocks), shareText(narrow, width));
}

} // namespace

QString weightText(const Evaluation &evaluation, std::int64_t value)
{
    return shownText(valueText(value, evaluation.series.unit)) + QStringLiteral(" · ") +
           shareText(static_cast<double>(value), static_cast<double>(evaluation.total));
}

QString subtitleOf(const Evaluation &evaluation, const Lens &lens)
{
    const std::string &unit = evaluation.series.unit;
    QString text = QString::fromStdString(evaluation.series.name()) + QStringLiteral(" · ") +
                   valueText(evaluation.matched, unit);
    if (evaluation.matched != evaluation.total)
        text += QStringLiteral(" of ") + valueText(evaluation.total, unit);
    Lens named = lens;
    named.series.clear(); // said already
    if (const std::string terms = printLens(named); !terms.empty())
        text += QStringLiteral(" · ") + QString::fromStdString(terms);
    return shownText(text);
}

QString subtitleOf(const Difference &difference)
{
    const std::string &unit = difference.series.unit;
    const Change &whole = difference.whole();
    return shownText(QString::fromStdString(difference.series.name()) + QStringLiteral(" · ") +
                     valueText(whole.base, unit) + QStringLiteral(" → ") + valueText(whole.current, unit) +
                     QStringLiteral(", ") + growthText(whole));
}

FlameSheet sheetOf(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Evaluation> evaluation,
                   const Lens &lens, const QString &title, int width)
{
    const FlameRequest request{.evaluation = evaluation,
                               .focus = {},
                               .isInverted = lens.isInverted,
                               .width = static_cast<double>(width - 2 * kSheetMargin),
                               .overviewWidth = 0};
    FlamePicture picture = *makeFlamePicture(request, {});
    FlameSheet sheet;
    sheet.title = shownText(title);
    sheet.subtitle = subtitleOf(*evaluation, lens);
    sheet.width = width;
    sheet.scene.snapshot = std::move(snapshot);
    sheet.scene.evaluation = std::move(picture.shown);
    sheet.scene.layout = std::move(picture.layout);
    sheet.scene.focus = picture.focus;
    sheet.scene.isInverted = lens.isInverted;
    return sheet;
}

QStringList notesOf(const FlameSheet &sheet, const QString &merged)
{
    const CallTree &tree = *sheet.scene.evaluation->tree;
    const double extent = tree.extent(TreeShape::kRoot);
    QStringList notes;
    if (extent == 0)
        notes += sheet.scene.evaluation->total == 0
                     ? QStringLiteral("There is nothing to draw: nothing in this data set weighs anything.")
                     : QStringLiteral("There is nothing to draw: no sample matches.");
    if (extent != std::abs(static_cast<double>(tree.total(TreeShape::kRoot))))
        notes +=
            QStringLiteral("Some weights are negative; boxes are as wide as the sum of what is below them "
                           "without its sign.");
    if (!merged.isEmpty())
        notes += merged;
    return notes;
}

QStringList notesOf(const FlameSheet &sheet)
{
    return notesOf(sheet, mergedNote(sheet.scene, sheet.width - 2 * kSheetMargin));
}

int topOfRows(const FlameSheet &sheet)
{
    return kSheetHead + (sheet.scene.growsUp ? sheet.scene.rowCount() * kFlameRowHeight : 0);
}

int heightOf(const FlameSheet &sheet)
{
    const auto lines = static_cast<int>(notesOf(sheet).size() + (kindsIn(sheet.scene).empty() ? 0 : 1));
    return kSheetHead + sheet.scene.rowCount() * kFlameRowHeight + kSheetFoot * lines + 2 * kSheetMargin;
}

} // namespace hearth
