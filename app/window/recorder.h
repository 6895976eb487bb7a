#pragma once

#include "app/window/data_sets.h"
#include "app/window/recording.h"
#include "app/window/symbol_search.h"
#include "ui/record/record_rights.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>

namespace hearth {

/// Records, one recording at a time, and keeps what was recorded as long as its data sets are open.
class Recorder : public QObject {
    Q_OBJECT

public:
    Recorder(DataSets &dataSets, SymbolSearch &symbols, LaunchPlaces places, QObject *parent = nullptr);
    ~Recorder() override;

    bool isRecording() const { return m_current != nullptr; }
    /// Does nothing while another recording goes on.
    void start(const RecordChoice &choice, const QString &portAddress);
    void stop();
    /// Its data set was closed: it is given up if it goes on.
    void forget(const QString &id);

    /// Whether this user may record, and what it takes.
    RecordRights rights() const;

Q_SIGNALS:
    void stateChanged(const RecordingState &state);
    /// It has its first samples.
    void dataSetMade(const QString &id);
    /// It is over and has its last name.
    void finished(const QString &id);
    /// Something is missing from what is recorded, or nothing was.
    void noted(const QString &text);
    void failed(const RecordingFailure &failure, const RecordChoice &choice);

private:
    void takeStatus();
    void takeData(Recording &recording);
    void conclude();
    void showState();
    QString idOf(const Recording &recording) const;

    DataSets &m_dataSets;
    SymbolSearch &m_symbols;
    const LaunchPlaces m_places;
    std::unique_ptr<Recording> m_current;                       ///< until it is over
    QString m_currentId;                                        ///< empty until it has samples
    bool m_wasNoted = false;                                    ///< what is missing from it
    std::map<QString, std::unique_ptr<Recording>> m_recordings; ///< those that are over, by data set
    QTimer m_clock;
};

} // namespace hearth
