#include "ui/timeline/range_bar.h"

#include "ui/timeline/timeline_painter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace hearth {

RangeBar::RangeBar(QWidget *parent)
    : QWidget(parent), m_crumbs(new QWidget(this)), m_crumbLayout(new QHBoxLayout(m_crumbs)),
      m_zoom(addButton(tr("Zoom to the range"), tr("Z"))),
      m_clear(addButton(tr("All of the time"), tr("Esc in the timeline"))),
      m_follow(addButton(tr("Follow"), tr("Keep to the newest data"))),
      m_pause(addButton(tr("Pause"), tr("Space")))
{
    m_follow->setCheckable(true);
    m_pause->setCheckable(true);
    m_crumbLayout->setContentsMargins(0, 0, 0, 0);
    m_crumbLayout->setSpacing(2);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 2, 10, 2);
    layout->setSpacing(6);
    layout->addWidget(m_crumbs);
    layout->addStretch();
    for (QPushButton *button : {m_zoom, m_clear, m_follow, m_pause})
        layout->addWidget(button);
    connect(m_zoom, &QPushButton::clicked, this, &RangeBar::zoomRequested);
    connect(m_clear, &QPushButton::clicked, this, &RangeBar::clearRequested);
    connect(m_follow, &QPushButton::clicked, this, &RangeBar::followToggled);
    connect(m_pause, &QPushButton::clicked, this, &RangeBar::pauseToggled);
    hide();
}

QPushButton *RangeBar::addButton(const QString &text, const QString &toolTip)
{
    auto *button = new QPushButton(text, this);
    button->setProperty("quiet", true);
    button->setToolTip(toolTip);
    return button;
}

void RangeBar::show(const State &state)
{
    showCrumbs(state);
    m_zoom->setVisible(state.hasBrush);
    m_clear->setVisible(state.hasBrush);
    m_follow->setVisible(state.isLive);
    m_follow->setChecked(state.isFollowing);
    m_pause->setVisible(state.isLive);
    m_pause->setChecked(state.isPaused);
    m_pause->setText(state.isPaused ? tr("Go on") : tr("Pause"));
    setVisible(state.hasBrush || state.isLive || !state.zooms.empty());
}

void RangeBar::showCrumbs(const State &state)
{
    while (QLayoutItem *item = m_crumbLayout->takeAt(0)) {
        item->widget()->deleteLater(); // it may be the one that was clicked
        delete item;
    }
    if (state.zooms.empty())
        return;
    for (std::size_t depth = 0; depth <= state.zooms.size(); ++depth) {
        if (depth > 0)
            m_crumbLayout->addWidget(new QLabel(QStringLiteral("›"), m_crumbs));
        const QString text =
            depth == 0 ? tr("All %1").arg(spanText(state.all)) : spanText(state.zooms[depth - 1]);
        auto *crumb = new QPushButton(text, m_crumbs);
        crumb->setProperty("quiet", true);
        crumb->setEnabled(depth < state.zooms.size());
        connect(crumb, &QPushButton::clicked, this, [this, depth] { Q_EMIT zoomChosen(depth); });
        m_crumbLayout->addWidget(crumb);
    }
}

} // namespace hearth
