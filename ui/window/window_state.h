#pragma once

#include <QJsonObject>
#include <QString>

namespace hearth {

/// How a window looks at what it shows, apart from the lens: what a workspace keeps of it. Names and values
/// are the window's own; what it does not know it leaves alone.
struct WindowState {
    QString view;        ///< the tab in front
    QJsonObject choices; ///< by view: order, search, colours
    QJsonObject layout;  ///< by panel: where it is, its size, whether it is shown

    bool operator==(const WindowState &) const = default;
};

} // namespace hearth
