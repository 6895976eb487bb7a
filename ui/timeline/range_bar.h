#pragma once

#include "model/views/selected_samples.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QPushButton;

namespace hearth {

/// The ranges that the timeline was zoomed through, and what can be done with the one at hand. Hidden while
/// there is nothing to say.
class RangeBar : public QWidget {
    Q_OBJECT

public:
    explicit RangeBar(QWidget *parent = nullptr);

    struct State {
        TimeRange all;
        std::vector<TimeRange> zooms;
        bool hasBrush = false;
        bool isLive = false;
        bool isFollowing = false;
        bool isPaused = false;
    };
    void show(const State &state);

Q_SIGNALS:
    /// @param depth how many zooms are left; 0 for all of the time
    void zoomChosen(std::size_t depth);
    void zoomRequested();
    void clearRequested();
    void followToggled(bool isFollowing);
    void pauseToggled(bool isPaused);

private:
    QPushButton *addButton(const QString &text, const QString &toolTip);
    void showCrumbs(const State &state);

    QWidget *m_crumbs;
    QHBoxLayout *m_crumbLayout;
    QPushButton *m_zoom;
    QPushButton *m_clear;
    QPushButton *m_follow;
    QPushButton *m_pause;
};

} // namespace hearth
