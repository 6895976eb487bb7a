#include "app/window/application.h"
#include "app/window/file_loader.h"
#include "app/window/single_instance.h"
#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <functional>
#include <thread>

using namespace hearth;

namespace {

/// A file that takes as long to be read as one wants.
class LongFile {
public:
    /// @param record the text of the record with this number
    LongFile(const char *name, std::string head, std::function<std::string(int)> record, std::string end = {})
        : m_path(m_folder.filePath(QString::fromLatin1(name)))
    {
        ::mkfifo(m_path.toLocal8Bit().constData(), 0600);
        m_writer = std::jthread([this, head = std::move(head), record = std::move(record),
                                 end = std::move(end)](const std::stop_token &stop) {
            std::FILE *file = std::fopen(m_path.toLocal8Bit().constData(), "w");
            std::fputs(head.c_str(), file);
            for (int number = 0; !stop.stop_requested() && std::ferror(file) == 0; ++number) {
                std::fputs(record(number).c_str(), file);
                m_records = number + 1;
            }
            std::fputs(end.c_str(), file);
            std::fclose(file);
        });
    }

    const QString &path() const { return m_path; }
    /// @return how many records it has
    int end()
    {
        m_writer.request_stop();
        m_writer.join();
        return m_records;
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
    std::atomic<int> m_records = 0;
    std::jthread m_writer;
};

/// Comes in parts.
LongFile longScript()
{
    return {"long.txt", "", [](int number) {
                return "work 13 " + std::to_string(number / 1000) + ".000001: 1 cycles: \n\t 11f9 task" +
                       std::to_string(number % 10) + "+0x1 (/usr/bin/work)\n\n";
            }};
}

/// Comes as previews and a whole.
LongFile longTrace()
{
    return {"long.json", "[",
            [](int number) {
                return R"({"name":"task)" + std::to_string(number % 10) +
                       R"(","ph":"X","pid":1,"tid":2,"ts":)" + std::to_string(number * 10) + ",\"dur\":5},\n";
            },
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1}]"};
}

struct Running {
    QTemporaryDir folder;
    SingleInstance instance{folder.filePath(QStringLiteral("instance"))};
    Application application{
        instance, {.host = {}, .port = 0, .path = folder.filePath(QStringLiteral("port")).toStdString()}};

    static MainWindow *window()
    {
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *found = qobject_cast<MainWindow *>(widget))
                return found;
        return nullptr;
    }
};

std::uint64_t samplesIn(const MainWindow *window)
{
    const auto &snapshot = const_cast<MainWindow *>(window)->session().snapshot();
    return snapshot ? snapshot->sampleCount() : 0;
}

} // namespace

class TestFileLoader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-loader"));
        QSettings().clear();
        std::signal(SIGPIPE, SIG_IGN);
    }
    void whatIsReadOfALongFileIsShownMeanwhile_data()
    {
        QTest::addColumn<bool>("isTrace");
        QTest::newRow("in parts") << false;
        QTest::newRow("in previews") << true;
    }
    void whatIsReadOfALongFileIsShownMeanwhile()
    {
        QFETCH(const bool, isTrace);
        LongFile file = isTrace ? longTrace() : longScript();
        Running running;
        running.application.start({file.path()});
        MainWindow *window = Running::window();
        EVENTUALLY(window->session().evaluation() && !window->session().isEvaluating());
        const std::uint64_t first = samplesIn(window);
        QVERIFY(first > 0);
        Session &session = window->session();
        session.setLens(*parseLens("task3"));
        session.selectName("task3");
        EVENTUALLY(samplesIn(window) > first);
        EVENTUALLY(!session.isEvaluating());
        QVERIFY(session.selectedEntry().has_value());
        const auto records = static_cast<std::uint64_t>(file.end());
        EVENTUALLY_COMPARE(samplesIn(window), records);
        EVENTUALLY(!session.isEvaluating());
        QCOMPARE(session.lens(), *parseLens("task3"));
        QVERIFY(session.canUndo());
        QCOMPARE(session.selectedName(), QStringLiteral("task3"));
        QVERIFY(session.selectedEntry().has_value());
        QVERIFY(session.evaluation()->matched < session.evaluation()->total);
        QVERIFY(!window->windowTitle().contains(QStringLiteral("part")));
    }
    void whatWasReadBeforeItWasCancelledStaysAndSaysSo_data()
    {
        whatIsReadOfALongFileIsShownMeanwhile_data();
    }
    void whatWasReadBeforeItWasCancelledStaysAndSaysSo()
    {
        QFETCH(const bool, isTrace);
        LongFile file = isTrace ? longTrace() : longScript();
        Running running;
        running.application.start({file.path()});
        MainWindow *window = Running::window();
        EVENTUALLY(samplesIn(window) > 0);
        Q_EMIT window->cancelRequested();
        EVENTUALLY(window->windowTitle().contains(QStringLiteral("(part)")));
        EVENTUALLY(window->session().snapshot()->losses.count(Loss::CancelledReading) == 1);
        QVERIFY(samplesIn(window) > 0);
        QVERIFY(window->messages()->text().contains(QStringLiteral("cancelled")));
        file.end();
    }
    void aFileThatIsClosedWhileItIsReadDoesNotComeBack()
    {
        LongFile file = longScript();
        FileLoader loader;
        const QSignalSpy parts(&loader, &FileLoader::partLoaded);
        const QSignalSpy loaded(&loader, &FileLoader::loaded);
        loader.load({file.path()});
        EVENTUALLY(!parts.isEmpty());
        loader.giveUp();
        const auto before = parts.size();
        const QSignalSpy progress(&loader, &FileLoader::progress);
        file.end();
        EVENTUALLY(!progress.isEmpty() && progress.last().first().toString().isEmpty());
        QCOMPARE(parts.size(), before);
        QCOMPARE(loaded.size(), 0);
    }
    void whatCameBeforeDamageIsKept()
    {
        LongFile file(
            "long.json", "[",
            [](int number) {
                return R"({"name":"a","ph":"X","pid":1,"tid":2,"ts":)" + std::to_string(number * 10) +
                       ",\"dur\":5},\n";
            },
            "{\"name\" 7}");
        FileLoader loader;
        QSignalSpy loaded(&loader, &FileLoader::loaded);
        loader.load({file.path()});
        const QSignalSpy parts(&loader, &FileLoader::partLoaded);
        EVENTUALLY(!parts.isEmpty());
        const int records = file.end();
        EVENTUALLY_COMPARE(loaded.size(), 1);
        const auto store = loaded.first().first().value<std::shared_ptr<Store>>();
        QCOMPARE(store->snapshot()->sampleCount(), static_cast<std::uint64_t>(records));
        QCOMPARE(store->snapshot()->losses.count(Loss::DamagedInput), std::uint64_t(1));
    }
};

QTEST_MAIN(TestFileLoader)
#include "tst_file_loader.moc"
