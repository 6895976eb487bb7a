#pragma once

#include <QString>

namespace hearth {

/// Whether this user may record here, and what has to be done for it.
struct RecordRights {
    enum class Kind : std::uint8_t { Unknown, Granted, Asked, ByHand, NoSampler } kind = Kind::Unknown;
    QString text; ///< a sentence or two
};

/// The recording that goes on, as the bar at the top shows it.
struct RecordingState {
    bool isOn = false;
    bool isStopping = false;
    QString text;    ///< "12 s · 1,940 samples/s"
    QString toolTip; ///< what is recorded, and what is missing from it
};

} // namespace hearth
