#include "ui/window/status_line.h"

#include "model/views/entry_table.h"
#include "model/views/symbol_coverage.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>

namespace hearth {

StatusLine::StatusLine(Session &session, QWidget *parent)
    : QStatusBar(parent), m_session(session), m_samples(new QLabel(this)), m_matched(new QLabel(this)),
      m_symbols(new QPushButton(this)), m_losses(new QPushButton(tr("something is missing"), this)),
      m_progress(new QLabel(this)), m_cancel(new QPushButton(tr("Cancel"), this)), m_memory(new QLabel(this))
{
    setSizeGripEnabled(false);
    for (QLabel *label : {m_samples, m_matched, m_progress, m_memory}) {
        label->setContentsMargins(8, 0, 8, 0);
        label->setForegroundRole(QPalette::Dark);
    }
    for (QPushButton *button : {m_symbols, m_losses, m_cancel}) {
        button->setProperty("link", true);
        button->hide();
    }
    addWidget(m_samples);
    addWidget(m_matched);
    addWidget(m_symbols);
    addWidget(m_losses);
    addPermanentWidget(m_progress);
    addPermanentWidget(m_cancel);
    addPermanentWidget(m_memory);
    connect(m_cancel, &QPushButton::clicked, this, &StatusLine::cancelRequested);
    connect(m_symbols, &QPushButton::clicked, this, &StatusLine::symbolsRequested);
    connect(m_losses, &QPushButton::clicked, this, &StatusLine::lossesRequested);
    connect(&session, &Session::snapshotChanged, this, &StatusLine::update);
    connect(&session, &Session::evaluationStarted, this, &StatusLine::update);
    connect(&session, &Session::evaluationChanged, this, &StatusLine::update);
    connect(&session, &Session::evaluationChanged, this, &StatusLine::showSymbols);
    update();
}

/// Some of its texts have a colour of the theme in them.
void StatusLine::changeEvent(QEvent *event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

void StatusLine::setProgress(const QString &text)
{
    m_progress->setText(text);
    m_cancel->setVisible(!text.isEmpty());
}

void StatusLine::setMatched(const QString &text)
{
    m_matched->setVisible(!text.isEmpty());
    m_matched->setText(
        text.isEmpty()
            ? QString()
            : tr("matched %1")
                  .arg(QStringLiteral("<b style='color:%1'>%2</b>").arg(theme().text.name(), text)));
}

QString StatusLine::samplesText() const
{
    const auto strong = [](const QString &text) {
        return QStringLiteral("<b style='color:%1'>%2</b>").arg(theme().text.name(), text);
    };
    const auto &snapshot = m_session.snapshot();
    if (!snapshot)
        return tr("no data yet");
    const QString samples = tr("%1 samples in all").arg(countText(snapshot->sampleCount()));
    const auto &evaluation = m_session.evaluation();
    if (m_session.isEvaluating())
        return samples + tr(" · computing…");
    if (!evaluation)
        return samples;
    const std::string &unit = evaluation->series.unit;
    return tr("%1 in view of %2 (%3)")
               .arg(strong(valueText(evaluation->matched, unit)), valueText(evaluation->total, unit),
                    shareText(static_cast<double>(evaluation->matched),
                              static_cast<double>(evaluation->total))) +
           QStringLiteral(" · ") + samples;
}

void StatusLine::showSymbols()
{
    const auto evaluation = m_session.evaluation();
    if (!evaluation || evaluation->matched == 0)
        return m_symbols->hide();
    m_worker.run(
        [this, evaluation, snapshot = m_session.snapshot()](const std::stop_token &stop) -> Worker::Delivery {
            const auto coverage = symbolCoverageOf(*evaluation->tree, stop);
            if (!coverage)
                return nullptr;
            QStringList lines{tr("So much of what is in view ran in functions whose names are known.")};
            if (!coverage->worst.empty()) {
                const QString binary = qString(baseName(coverage->worst));
                const QString advice = qString(adviceFor(coverage->worst, *snapshot));
                lines += advice.isEmpty()
                             ? tr("Most of the rest is in %1.").arg(binary)
                             : tr("Most of the rest is in %1. What would help: %2").arg(binary, advice);
            }
            lines += tr("Click for all that is missing.");
            return [this, share = coverage->named, toolTip = lines.join(QLatin1Char('\n'))] {
                m_symbols->setText(tr("symbols %1").arg(shareText(share, 1)));
                m_symbols->setToolTip(toolTip);
                m_symbols->show();
            };
        });
}

void StatusLine::update()
{
    m_samples->setText(samplesText());
    const auto &snapshot = m_session.snapshot();
    if (!snapshot) {
        m_losses->hide();
        m_memory->clear();
        return;
    }
    m_losses->setVisible(snapshot->losses.any());
    m_losses->setToolTip(lossLines(snapshot->losses).join(QLatin1Char('\n')));
    m_memory->setText(bytesText(snapshot->memory.total()));
    m_memory->setToolTip(
        tr("Samples %1, names and stacks %2")
            .arg(bytesText(snapshot->memory.samples), bytesText(snapshot->memory.dictionary)));
}

} // namespace hearth
