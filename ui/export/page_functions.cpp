#include "ui/export/page_functions.h"

#include "ui/export/shown_text.h"
#include "ui/theme/page_colors.h"

namespace hearth {

namespace {

/// Without arguments, without template arguments, the last components; 0 if none is shorter.
QJsonValue shorterForms(const std::string &name)
{
    QJsonArray forms;
    std::size_t length = name.size();
    for (const NameDetail detail : {NameDetail::NoArguments, NameDetail::NoTemplates, NameDetail::Short}) {
        const std::string form = detailedName(name, detail);
        if (form.size() < std::exchange(length, form.size()))
            forms.append(shownText(form));
    }
    return forms.isEmpty() ? QJsonValue(0) : QJsonValue(forms);
}

} // namespace

std::uint32_t PageFunctions::add(EntryId id, const Entry &entry)
{
    const auto [known, isNew] = m_known.try_emplace(id.value, static_cast<std::uint32_t>(m_known.size()));
    if (isNew)
        append(entry);
    return known->second;
}

void PageFunctions::append(const Entry &entry)
{
    const std::string name = detailedName(entry.name, m_detail);
    const bool isNameless =
        m_scene != nullptr && !entry.isTag && m_scene->classOf(entry) == FrameClass::NoSymbols;
    if (isNameless)
        m_nameless.append(m_names.size());
    m_names.append(shownText(name));
    m_shorter.append(shorterForms(name));
    m_placeOf.append(placeIndex(shownText(entry.file.empty() ? entry.binary : entry.file)));
    if (m_scene != nullptr)
        m_colorOf.append(colorIndex(colorsOf(entry)));
}

void PageFunctions::write(QJsonObject &data) const
{
    QJsonObject colors;
    for (std::size_t i = 0; i < kPageThemes.size(); ++i)
        colors[QLatin1String(kPageThemes[i].first)] = m_colors[i];
    data[QStringLiteral("names")] = m_names;
    data[QStringLiteral("shorter")] = m_shorter;
    data[QStringLiteral("nameless")] = m_nameless;
    data[QStringLiteral("places")] = m_places;
    data[QStringLiteral("placeOf")] = m_placeOf;
    data[QStringLiteral("colorOf")] = m_colorOf;
    data[QStringLiteral("colors")] = colors;
}

PageFunctions::Colors PageFunctions::colorsOf(const Entry &entry) const
{
    Colors colors;
    for (std::size_t i = 0; i < kPageThemes.size(); ++i) {
        const ThemeKind kind = kPageThemes[i].second;
        const QColor color =
            entry.isTag ? themeOf(kind).line : frameColor(m_scene->classOf(entry), entry.name, kind);
        colors[i] = color.name();
    }
    return colors;
}

int PageFunctions::placeIndex(const QString &place)
{
    const auto known = m_indexOfPlace.constFind(place);
    if (known != m_indexOfPlace.constEnd())
        return *known;
    m_places.append(place);
    return m_indexOfPlace[place] = static_cast<int>(m_places.size()) - 1;
}

int PageFunctions::colorIndex(const Colors &colors)
{
    const QString key = colors[0] + colors[1];
    const auto known = m_indexOfColors.constFind(key);
    if (known != m_indexOfColors.constEnd())
        return *known;
    for (std::size_t i = 0; i < colors.size(); ++i)
        m_colors[i].append(colors[i]);
    return m_indexOfColors[key] = static_cast<int>(m_colors[0].size()) - 1;
}

} // namespace hearth
