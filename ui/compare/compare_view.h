#pragma once

#include "model/views/arranged_differences.h"
#include "model/views/difference_evaluator.h"
#include "ui/session/session.h"
#include "ui/sources/sources_model.h"

#include <QJsonObject>
#include <QWidget>

#include <memory>
#include <optional>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace hearth {

class DifferenceModel;
class FlameView;

/// What the window's view is compared with.
struct Baseline {
    QString name; ///< of its data set
    std::shared_ptr<const Snapshot> snapshot;
    std::optional<Lens> lens; ///< none: that of the window, whatever it becomes, but for its time
    QString id = {};          ///< of its data set; empty: that which is looked at
};

/// The window's view beside a baseline: what grew, what shrank, and what of that may be chance. A is the
/// baseline and B what is looked at, until they are swapped.
class CompareView : public QWidget {
    Q_OBJECT

public:
    explicit CompareView(Session &session, QWidget *parent = nullptr);

    enum class Picture : std::uint8_t { Flames, SideBySide, Table };

    void setDataSetTitle(const QString &title);
    void setDataSets(const QList<DataSource> &dataSets, const QString &current);
    /// @param normalisation none: by duration if the sides were recorded for different times, else not at all
    void compareWith(Baseline baseline, std::optional<Normalisation> normalisation = {});
    /// What is looked at becomes the baseline: what is looked at next is compared with it.
    void keepView();
    void swap();
    void setPicture(Picture picture);

    /// Scale, sides and picture, for a workspace.
    QJsonObject choices() const;
    void setChoices(const QJsonObject &choices);

    const std::optional<Baseline> &baseline() const { return m_baseline; }
    bool isSwapped() const { return m_isSwapped; }
    bool isComparing() const { return m_isStale || m_worker.isBusy() || m_rowWorker.isBusy(); }
    /// The newest result; null while there is none.
    std::shared_ptr<const Difference> difference() const;

    FlameView *flames() const { return m_flames; }
    FlameView *leftFlames() const { return m_leftFlames; }
    FlameView *rightFlames() const { return m_rightFlames; }
    QTableView *table() const { return m_table; }
    QLineEdit *search() const { return m_search; }
    QLabel *summary() const { return m_summary; }
    QPushButton *baseButton() const { return m_base; }
    QPushButton *scaleButton() const { return m_scale; }
    QPushButton *noiseButton() const { return m_hidesNoise; }

Q_SIGNALS:
    void baselineChanged();
    void dataSetRequested(const QString &id); ///< as the baseline
    void menuRequested(const QPoint &globalPosition);

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// What is computed together.
    struct Findings {
        std::shared_ptr<const Snapshot> base;
        std::shared_ptr<const Snapshot> current;
        std::shared_ptr<const Difference> difference;
        std::shared_ptr<const Evaluation> bothSides; ///< the difference as a tree to be drawn
        std::shared_ptr<const DifferenceTable> table;
    };

    QWidget *makeBar();
    QWidget *makeSides();
    void makeTable();
    void fillBaseMenu();
    void fillScaleMenu();
    void addTimeBaselines();
    void addAttributeBaselines();
    void addBaseline(const QString &title, Lens lens);
    void setNormalisation(Normalisation normalisation);
    ComparedView baseSide() const;
    ComparedView currentSide() const;
    static Result<std::shared_ptr<const Findings>> find(DifferenceEvaluator &evaluator,
                                                        const ComparedView &base, const ComparedView &current,
                                                        Normalisation normalisation,
                                                        const std::stop_token &stop);
    void forget();
    void compare();
    void take(const Result<std::shared_ptr<const Findings>> &findings);
    void showSides();
    void showNames();
    void showSummary();
    void arrange();
    void takeSearch();
    void takeRow();
    void shareSelection(Session &from);

    Session &m_session;
    Session m_both; ///< draws the difference
    Session m_left; ///< draws A beside B
    Session m_right;
    QString m_title; ///< of what is looked at
    QList<DataSource> m_dataSets;
    QString m_current; ///< id of what is looked at
    std::optional<Baseline> m_baseline;
    bool m_isSwapped = false;
    Normalisation m_normalisation = Normalisation::None;
    DifferenceArrangement m_arrangement;

    QPushButton *m_base; ///< what the baseline is
    QPushButton *m_swap;
    QLabel *m_other;
    QPushButton *m_scale;
    QPushButton *m_hidesNoise;
    QButtonGroup *m_pictures;
    QLineEdit *m_search;
    QLabel *m_summary;
    QStackedWidget *m_pages; ///< why there is nothing, and the pictures
    QLabel *m_nothing;
    FlameView *m_flames;
    QSplitter *m_sides;
    QLabel *m_leftName;
    QLabel *m_rightName;
    FlameView *m_leftFlames;
    FlameView *m_rightFlames;
    DifferenceModel *m_model;
    QTableView *m_table;

    bool m_isStale = true;                            ///< something changed while this could not be seen
    bool m_isFollowing = false;                       ///< what is selected elsewhere is taken over
    std::shared_ptr<const Findings> m_findings;       ///< the newest; null while there are none
    std::shared_ptr<DifferenceEvaluator> m_evaluator; ///< used by one job at a time
    Worker m_worker;
    Worker m_rowWorker;
};

} // namespace hearth
