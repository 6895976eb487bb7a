#pragma once

#include "model/views/short_name.h"
#include "ui/flame/flame_painter.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace hearth {

/// The themes that a page has the colours of.
inline constexpr std::array kPageThemes{std::pair{"light", ThemeKind::Light},
                                        std::pair{"dark", ThemeKind::Dark}};

/// The functions of a page, numbered in the order in which its nodes mention them: their names once, with
/// where they are from and how they are coloured.
class PageFunctions {
public:
    /// @param scene knows the kinds of functions; null where colours do not stand for them
    PageFunctions(NameDetail detail, const FlameScene *scene) : m_detail(detail), m_scene(scene) {}

    std::uint32_t add(EntryId id, const Entry &entry);
    void write(QJsonObject &data) const;

private:
    using Colors = std::array<QString, kPageThemes.size()>;

    void append(const Entry &entry);
    Colors colorsOf(const Entry &entry) const;
    int placeIndex(const QString &place);
    int colorIndex(const Colors &colors);

    NameDetail m_detail;
    const FlameScene *m_scene;
    std::unordered_map<std::uint32_t, std::uint32_t> m_known; ///< by entry
    QJsonArray m_names;
    QJsonArray m_shorter;
    QJsonArray m_nameless;
    QJsonArray m_places;
    QJsonArray m_placeOf;
    QJsonArray m_colorOf;
    std::array<QJsonArray, kPageThemes.size()> m_colors;
    QHash<QString, int> m_indexOfPlace;
    QHash<QString, int> m_indexOfColors;
};

} // namespace hearth
