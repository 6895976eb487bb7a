#include "tests/bench/window.h"

#include "ingest/otlp/decode.h"
#include "model/store/store.h"
#include "model/views/evaluator.h"
#include "model/views/flame_scope.h"
#include "tests/bench/agent_request.h"
#include "tests/bench/generate.h"
#include "tests/bench/report.h"
#include "tests/bench/timing.h"
#include "ui/chart/chart_page.h"
#include "ui/export/web_page.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/table/top_view.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"
#include "ui/traces/traces_view.h"
#include "ui/traces/waterfall_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

namespace hearth::bench {

namespace {

constexpr QSize kScreen(1920, 1080);

/// Runs the event loop until something is so.
void await(const std::function<bool()> &isSo)
{
    while (!isSo())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 1);
}

/// A window that shows a data set, on no screen.
class Shown {
public:
    explicit Shown(std::shared_ptr<const Snapshot> snapshot) : window(m_log)
    {
        window.resize(kScreen);
        window.show();
        window.showDataSet(std::move(snapshot), QStringLiteral("bench"));
        awaitFrame();
    }

    /// Until what was computed last is in the picture.
    void awaitFrame()
    {
        await([this] {
            return !window.session().isEvaluating() &&
                   flames().scene().evaluation == window.session().evaluation() &&
                   flames().scene().layout != nullptr;
        });
        flames().viewport()->repaint();
    }
    FlameView &flames() { return *window.flames()->view(); }

private:
    LogModel m_log;

public:
    MainWindow window;
};

void benchFrames()
{
    const std::string name = "window: 1 M nodes, 1920 x 1080";
    if (!isWanted(name))
        return;
    Shown shown(agentSnapshot(2'000'000, 1'000'000));
    const FlameScene &scene = shown.flames().scene();
    char note[80];
    std::snprintf(note, sizeof note, "%zu nodes", scene.evaluation->tree->nodeCount());
    QImage image(kScreen, QImage::Format_RGB32);
    FrameLabels labels;
    const auto paint = [&] {
        QPainter painter(&image);
        painter.fillRect(image.rect(), theme().panel);
        paintFlames(painter, scene, 0, image.rect(), labels);
    };
    paint(); // finds the labels that fit
    row(name + ": a frame of the flame graph", medianOf(15, paint), note);
    constexpr int kTests = 10'000;
    int found = 0;
    const double hits = medianOf(5, [&] {
        for (int i = 0; i < kTests; ++i)
            found += shown.flames().boxAt({i * 37 % kScreen.width(), i * 53 % 600}) != nullptr;
    });
    row(name + ": a hit test", hits / kTests, found > 0 ? "" : "hit nothing");
    row(name + ": the whole window", medianOf(9, [&] { (void)shown.window.grab(); }));
}

void benchChanges()
{
    const std::string name = "window: 10 M samples, 100 k stacks";
    if (!isWanted(name))
        return;
    Shown shown(agentSnapshot(10'000'000, 100'000));
    Session &session = shown.window.session();
    int count = 0;
    const auto change = [&](const std::function<void(Lens &)> &edit) {
        return medianOf(9, [&] {
            Lens lens;
            edit(lens);
            session.setLens(lens);
            shown.awaitFrame();
        });
    };
    row(name + ": from another range to its frame",
        change([&](Lens &lens) { lens.time.from = TimePoint{TimeBase::Start, 1'000'000'000LL * ++count}; }));
    row(name + ": from another thread to its frame", change([&](Lens &lens) {
            lens.attributes.push_back(
                {AttributeTermKind::Equals, "thread", "thread-" + std::to_string(++count % 64), false});
        }));
    row(name + ": from another function to its frame", change([&](Lens &lens) {
            lens.paths.push_back({PathTermKind::Literal, "work" + std::to_string(++count), false});
        }));
}

void benchTable()
{
    const std::string name = "window: a table of 1 M rows";
    if (!isWanted(name))
        return;
    Shown shown(functionsSnapshot(1'000'000));
    TopView &top = *shown.window.top();
    shown.window.views()->setCurrentWidget(&top);
    const QAbstractItemModel &model = *top.table()->model();
    await([&] { return model.rowCount() > 900'000; });
    int resets = 0;
    QObject::connect(&model, &QAbstractItemModel::modelReset, &top, [&resets] { ++resets; });
    const auto arranged = [&](const std::function<void()> &ask) {
        return medianOf(7, [&] {
            const int before = resets;
            ask();
            await([&] { return resets > before; });
            top.table()->viewport()->repaint();
        });
    };
    int count = 0;
    row(name + ": sorted by name", arranged([&] {
            top.table()->sortByColumn(TopModel::Name,
                                      ++count % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        }));
    row(name + ": sorted by weight", arranged([&] {
            top.table()->sortByColumn(TopModel::Total,
                                      ++count % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        }));
    row(name + ": filtered", arranged([&] { top.filter()->setText(QString::number(100 + ++count)); }));
    top.filter()->clear();
    await([&] { return model.rowCount() > 900'000; });
    row(name + ": scrolled", medianOf(15, [&] {
            top.table()->scrollTo(model.index(++count * 20'011 % 900'000, 0));
            top.table()->viewport()->repaint();
        }));
}

/// Random stacks, so that no two neighbours share more than their first levels: the most boxes there can be.
void benchChart()
{
    const std::string name = "window: a time chart of 10 M samples in 1,000 lanes";
    if (!isWanted(name))
        return;
    Shown shown(agentSnapshot(10'000'000, 100'000, 1000));
    ChartView &view = *shown.window.chart()->view();
    row(name + ": made", timed([&] {
            shown.window.views()->setCurrentWidget(shown.window.chart());
            await([&] { return view.scene().chart != nullptr; });
        }));
    const auto frames = [&](const std::string &what) {
        int count = 0;
        double boxes = 0;
        const double time = medianOf(25, [&] {
            view.pan(++count % 2 == 0 ? 0.01 : -0.01);
            view.viewport()->repaint();
        });
        for (const ChartRow &row : view.scene().rows)
            boxes += static_cast<double>(row.boxes.size());
        char note[80];
        std::snprintf(note, sizeof note, "%.0f boxes", boxes);
        row(name + ": a frame, " + what, time, note);
    };
    frames("all of the time");
    const std::int64_t middle =
        view.scene().shown.begin + (view.scene().shown.end - view.scene().shown.begin) / 2;
    view.zoomAround(middle, 0.1);
    frames("a tenth of it");
    view.zoomAround(middle, 0.01);
    frames("a thousandth of it");
    view.showAll();
    view.setAllOpen(false);
    frames("lanes closed");
    row("window: a FlameScope of 10 M samples",
        medianOf(5, [&] { (void)flameScopeOf(shown.window.session().snapshot(), {}, 50, {}); }));
}

void benchPage()
{
    const std::string name = "window: a page of 100 k frames";
    if (!isWanted(name))
        return;
    const auto snapshot = agentSnapshot(200'000, 100'000);
    const FlameSheet sheet = sheetOf(snapshot, Evaluator().evaluate(snapshot, {}).value(), {},
                                     QStringLiteral("bench"), kPageWidth);
    QByteArray page;
    const double made = medianOf(7, [&] { page = webPage(sheet); });
    char note[80];
    std::snprintf(note, sizeof note, "%zu nodes, %.2f MB", sheet.scene.evaluation->tree->nodeCount(),
                  static_cast<double>(page.size()) / 1e6);
    row(name, made, note);
}

void benchWaterfall()
{
    const std::string name = "window: a trace of 100,000 spans";
    if (!isWanted(name))
        return;
    constexpr std::size_t kSpans = 100'000;
    Shown shown(tracedSnapshot(kSpans, 1'000'000, 10'000, kSpans));
    TracesView &view = *shown.window.traces();
    shown.window.views()->setCurrentWidget(&view);
    await([&] { return !view.isStudying() && view.waterfall()->scene().rows() == kSpans; });
    QScrollBar &bar = *view.waterfall()->verticalScrollBar();
    int count = 0;
    row(name + ": a frame while it is scrolled", medianOf(25, [&] {
            bar.setValue(++count * 12'347 % bar.maximum());
            view.waterfall()->viewport()->repaint();
        }));
}

/// How long the window does not answer while data comes in: each turn of the event loop asks for a frame.
void benchLive()
{
    const std::string name = "window: live at 100 k samples/s";
    if (!isWanted(name))
        return;
    constexpr int kRequests = 100;
    constexpr auto kBetween = std::chrono::milliseconds(100); // of 10,000 samples each
    Store store;
    const auto append = [&store](std::uint32_t number) {
        const std::string request = agentRequest(number);
        auto decoded = decodeOtlp(Signal::Profiles, Encoding::Protobuf,
                                  {reinterpret_cast<const std::uint8_t *>(request.data()), request.size()});
        store.append(std::move(decoded->batch));
        return store.publish();
    };
    Shown shown(append(0));
    std::atomic<bool> isOver = false;
    std::jthread sender([&] {
        for (std::uint32_t number = 1; number <= kRequests; ++number) {
            auto snapshot = append(number);
            QMetaObject::invokeMethod(&shown.window,
                                      [&shown, snapshot] { shown.window.session().updateDataSet(snapshot); });
            std::this_thread::sleep_for(kBetween);
        }
        isOver = true;
    });
    std::vector<double> gaps;
    while (!isOver)
        gaps.push_back(timed([&] {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 4);
            shown.flames().viewport()->repaint();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }));
    std::ranges::sort(gaps);
    char note[120];
    const double p99 = gaps[gaps.size() * 99 / 100];
    std::snprintf(note, sizeof note, "99 %% within %.1f ms, longest %.1f ms; %zu frames", p99, gaps.back(),
                  gaps.size());
    row(name + ": a frame", gaps[gaps.size() / 2], note);
}

} // namespace

void benchWindow(int &argc, char **argv)
{
    if (!isWanted("window: 1 M nodes, 10 M samples, 100 k stacks, a table of 1 M rows, a time chart of 10 M "
                  "samples in 1,000 lanes, a page of 100 k frames, a trace of 100,000 spans, live at 100 k "
                  "samples/s") &&
        !isWanted("window"))
        return;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    const QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth-bench"));
    applyTheme(ThemeKind::Light);
    benchFrames();
    benchChanges();
    benchTable();
    benchChart();
    benchPage();
    benchWaterfall();
    benchLive();
}

} // namespace hearth::bench
