#pragma once

#include "model/views/log_list.h"
#include "model/views/trace_evaluator.h"
#include "model/views/trace_samples.h"
#include "model/views/waterfall.h"

#include <QWidget>

#include <span>

class QLabel;
class QVBoxLayout;

namespace hearth {

/// What a sender said of a span: its attributes, events and links.
class SpanDetails : public QWidget {
    Q_OBJECT

public:
    explicit SpanDetails(QWidget *parent = nullptr);

    /// @param logs what was written in it, in order
    /// @param parts its samples by context
    void show(const SpanStudy &study, const WaterfallRow &row, std::span<const LogMark> logs,
              std::span<const TraceSamples::Part> parts);
    void clear();

    /// What is shown, a line each, to be copied.
    QString asText() const { return m_lines.join(QLatin1Char('\n')); }

Q_SIGNALS:
    void traceRequested(const QString &traceId); ///< of a link to another span

private:
    void addHead(const QString &text);
    void addLine(const QString &key, const QString &value);
    void addAttributes(const Snapshot &snapshot, AttributeSetId set);
    void addThreads(const Snapshot &snapshot, std::span<const TraceSamples::Part> parts);
    void addLogs(const Snapshot &snapshot, std::int64_t startNs, std::span<const LogMark> logs);
    void addLink(const Snapshot &snapshot, const SpanLink &link);

    QVBoxLayout *m_column;
    QStringList m_lines;
};

} // namespace hearth
