#include "tests/support/eventually.h"
#include "ui/record/process_list.h"
#include "ui/record/process_picker.h"
#include "ui/record/record_dialog.h"
#include "ui/record/record_presets.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace hearth;

namespace {

/// What looks like /proc.
class ProcFolder {
public:
    ProcFolder() { write(QStringLiteral("uptime"), "100.00 190.00\n"); }

    void add(int process, const QByteArray &name, quint64 flags, quint64 user, quint64 system, quint64 start,
             const QByteArray &words = {}, const QByteArray &cgroup = "0::/user.slice\n")
    {
        const QString folder = QString::number(process) + QLatin1Char('/');
        QVERIFY(QDir(path()).mkpath(QString::number(process)));
        write(folder + QStringLiteral("stat"),
              QByteArray::number(process) + " (" + name + ") S 1 1 1 0 -1 " + QByteArray::number(flags) +
                  " 0 0 0 0 " + QByteArray::number(user) + ' ' + QByteArray::number(system) +
                  " 0 0 20 0 1 0 " + QByteArray::number(start) + " 1000 10\n");
        write(folder + QStringLiteral("cmdline"), words);
        write(folder + QStringLiteral("cgroup"), cgroup);
    }
    void write(const QString &name, const QByteArray &content) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QString path() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
};

const ProcessRow *rowOf(const std::vector<ProcessRow> &rows, int process)
{
    for (const ProcessRow &row : rows)
        if (row.process == process)
            return &row;
    return nullptr;
}

std::vector<ProcessRow> threeProcesses()
{
    return {
        {.process = 10, .name = "shop", .user = "ann", .commandLine = "/srv/shop --port 80", .share = 0.2},
        {.process = 11, .name = "bash", .user = "bob", .commandLine = "-bash", .share = 0.0},
        {.process = 12, .name = "shop", .user = "bob", .commandLine = "shop test", .share = 0.7}};
}

QList<int> shownBy(const ProcessModel &model)
{
    QList<int> processes;
    for (int row = 0; row < model.rowCount(); ++row)
        processes += model.rowAt(row).process;
    return processes;
}

} // namespace

class TestRecordDialog : public QObject {
    Q_OBJECT

    RecordRights m_rights{RecordRights::Kind::Granted, QStringLiteral("It may.")};

    RecordDialog *open()
    {
        auto *dialog = new RecordDialog(m_rights);
        dialog->open();
        return dialog;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-record"));
    }
    void init() { QSettings().clear(); }

    void processesAreReadWithWhatTheySayOfThemselves()
    {
        ProcFolder proc;
        const QByteArray id(64, 'a');
        proc.add(7, "shop", 0, 300, 100, 5000,
                 QByteArray("/srv/shop\0--port\0"
                            "80\0",
                            20),
                 "0::/docker/" + id + "\n");
        proc.add(8, "evil) S (\n\x1b[31m", 0, 1, 1, 1,
                 "\xe2\x80\xae"
                 "name");
        proc.add(2, "kthreadd", 0x00208040, 5, 5, 0);
        proc.write(QStringLiteral("9"), "no folder");
        QVERIFY(QDir(proc.path()).mkpath(QStringLiteral("10")));
        QVERIFY(QDir(proc.path()).mkpath(QStringLiteral("11")));
        proc.write(QStringLiteral("11/stat"), "11 (cut S 1");
        QVERIFY(QDir(proc.path()).mkpath(QStringLiteral("sys")));
        const auto rows = readProcesses(proc.path(), {});
        QCOMPARE(rows.size(), std::size_t(2));
        const ProcessRow *shop = rowOf(rows, 7);
        QVERIFY(shop != nullptr);
        QCOMPARE(shop->name, QStringLiteral("shop"));
        QCOMPARE(shop->commandLine, QStringLiteral("/srv/shop --port 80"));
        QCOMPARE(shop->container, QStringLiteral("aaaaaaaaaaaa"));
        QCOMPARE(shop->ticks, quint64(400));
        QCOMPARE(shop->started, quint64(5000));
        QVERIFY(!shop->user.isEmpty());
        const ProcessRow *evil = rowOf(rows, 8);
        QVERIFY(evil != nullptr);
        QCOMPARE(evil->name, QStringLiteral("evil) S (\ufffd\ufffd[31m"));
        QCOMPARE(evil->commandLine, QStringLiteral("\ufffdname"));
        QCOMPARE(secondsUp(proc.path()), 100.0);
    }
    void thisMachineHasThisProcess()
    {
        const auto rows = readProcesses(QStringLiteral("/proc"), {});
        const ProcessRow *self = rowOf(rows, ::getpid());
        QVERIFY(self != nullptr);
        QVERIFY(self->commandLine.contains(QStringLiteral("tst_record_dialog")));
    }
    void sharesAreThoseSinceTheLastReading()
    {
        const auto perSecond = static_cast<quint64>(::sysconf(_SC_CLK_TCK));
        const std::vector<ProcessRow> before{{.process = 1, .ticks = 10 * perSecond, .started = 0},
                                             {.process = 2, .ticks = 10 * perSecond, .started = 3}};
        std::vector<ProcessRow> now{{.process = 1, .ticks = 11 * perSecond, .started = 0},
                                    {.process = 2, .ticks = 5 * perSecond, .started = 90 * perSecond},
                                    {.process = 3, .ticks = perSecond, .started = 98 * perSecond}};
        setShares(now, before, 2, 100);
        QCOMPARE(now[0].share, 0.5);
        QCOMPARE(now[1].share, 0.5); // another process has its number now
        QCOMPARE(now[2].share, 0.5);
    }
    void theListIsFoundInAndOrdered()
    {
        ProcessModel model;
        const QAbstractItemModelTester tester(&model);
        model.setProcesses(threeProcesses());
        QCOMPARE(shownBy(model), QList<int>({12, 10, 11}));
        model.setFilter(QStringLiteral("SHOP bob"));
        QCOMPARE(shownBy(model), QList<int>({12}));
        model.setFilter(QStringLiteral("10"));
        QCOMPARE(shownBy(model), QList<int>({10}));
        model.setFilter({});
        model.sort(ProcessModel::User, Qt::AscendingOrder);
        QCOMPARE(shownBy(model), QList<int>({10, 11, 12}));
        QCOMPARE(model.rowAt(model.busiest(QStringLiteral("shop"))).process, 12);
        QCOMPARE(model.rowOf(99), -1);
    }
    void enterRecordsWhatWasRecordedLast()
    {
        const RecordChoice last{.target = RecordTarget::Command,
                                .command = QStringLiteral("make \"-j 8\""),
                                .directory = QDir::tempPath(),
                                .frequency = 250,
                                .isOffCpu = true,
                                .hasNames = false};
        rememberRecordChoice(last, {});
        const QPointer<RecordDialog> dialog = open();
        QSignalSpy requested(dialog.data(), &RecordDialog::recordRequested);
        QTest::keyClick(dialog->command(), Qt::Key_Return);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested[0][0].value<RecordChoice>(), last);
        EVENTUALLY(dialog.isNull());
    }
    void theWholeMachineIsRecordedByOneClick()
    {
        RecordDialog *dialog = open();
        QSignalSpy requested(dialog, &RecordDialog::recordRequested);
        QTest::mouseClick(dialog->recordButton(), Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested[0][0].value<RecordChoice>(), RecordChoice());
        QCOMPARE(lastRecordChoice(), RecordChoice());
    }
    void aProcessIsFoundByTypingAndChosenByAClick()
    {
        RecordDialog *dialog = open();
        QSignalSpy requested(dialog, &RecordDialog::recordRequested);
        QTest::mouseClick(dialog->targetButton(RecordTarget::Process), Qt::LeftButton);
        QVERIFY(!dialog->recordButton()->isEnabled());
        const ProcessPicker *picker = dialog->processes();
        QTest::keyClicks(picker->filter(), QString::number(::getpid()));
        EVENTUALLY(picker->model()->rowOf(::getpid()) >= 0);
        QTableView *table = picker->table();
        const QRect cell = table->visualRect(picker->model()->index(picker->model()->rowOf(::getpid()), 1));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QVERIFY(dialog->recordButton()->isEnabled());
        QTest::keyClick(picker->filter(), Qt::Key_Return);
        QCOMPARE(requested.size(), 1);
        const auto choice = requested[0][0].value<RecordChoice>();
        QCOMPARE(choice.target, RecordTarget::Process);
        QCOMPARE(choice.process, ::getpid());
        QVERIFY(QStringLiteral("tst_record_dialog").startsWith(choice.processName));
    }
    void aProcessThatWasStartedAnewIsFoundByItsName()
    {
        RecordDialog *dialog = open();
        dialog->setTarget(RecordTarget::Process);
        ProcessPicker *picker = dialog->processes();
        EVENTUALLY(picker->model()->rowOf(::getpid()) >= 0);
        const QString name = picker->model()->rowAt(picker->model()->rowOf(::getpid())).name;
        constexpr int kNobody = 4194303;
        picker->choose(kNobody, name);
        QVERIFY(picker->process() != kNobody);
        QCOMPARE(picker->processName(), name);
        dialog->reject();
    }
    void whatCannotBeRecordedIsSaidAndNotStarted()
    {
        RecordDialog *dialog = open();
        QTest::mouseClick(dialog->targetButton(RecordTarget::Command), Qt::LeftButton);
        QVERIFY(!dialog->recordButton()->isEnabled());
        QTest::keyClicks(dialog->command(), QStringLiteral("true"));
        QVERIFY(dialog->recordButton()->isEnabled());
        QTest::keyClicks(dialog->directory(), QStringLiteral("/no/such/folder"));
        QVERIFY(!dialog->recordButton()->isEnabled());
        QTest::mouseClick(dialog->targetButton(RecordTarget::Cgroup), Qt::LeftButton);
        QVERIFY(!dialog->recordButton()->isEnabled());
        QTest::keyClicks(dialog->cgroup(), QStringLiteral("/sys/fs/cgroup"));
        QVERIFY(dialog->recordButton()->isEnabled());
        dialog->reject();
    }
    void aWayToRecordIsRememberedByName()
    {
        RecordDialog *first = open();
        QTest::mouseClick(first->targetButton(RecordTarget::Command), Qt::LeftButton);
        QTest::keyClicks(first->command(), QStringLiteral("make"));
        first->frequency()->setValue(500);
        first->savePreset(QStringLiteral("Build"));
        QTest::mouseClick(first->recordButton(), Qt::LeftButton);

        RecordDialog *second = open();
        QCOMPARE(second->presets()->currentText(), QStringLiteral("Build"));
        QCOMPARE(second->frequency()->value(), 500);
        second->frequency()->setValue(10);
        QTest::mouseClick(second->recordButton(), Qt::LeftButton);

        RecordDialog *third = open(); // it was another way in the end
        QCOMPARE(third->presets()->currentIndex(), 0);
        third->presets()->setCurrentIndex(1);
        Q_EMIT third->presets()->activated(1);
        QCOMPARE(third->frequency()->value(), 500);
        for (QPushButton *button : third->findChildren<QPushButton *>())
            if (button->text() == QLatin1String("Remove"))
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(recordPresets().isEmpty());
        QCOMPARE(third->presets()->count(), 1);
        third->reject();
    }
    void whatSettingsHoldOfOthersIsHarmless()
    {
        QCOMPARE(choiceOf({}), RecordChoice());
        QCOMPARE(choiceOf({{QStringLiteral("target"), 99},
                           {QStringLiteral("process"), -3},
                           {QStringLiteral("frequency"), 100000},
                           {QStringLiteral("command"), QVariantMap()}}),
                 RecordChoice());
        const RecordChoice choice{.target = RecordTarget::Cgroup,
                                  .process = 3,
                                  .processName = "a",
                                  .command = "b",
                                  .directory = "c",
                                  .cgroup = "/sys/fs/cgroup/x.slice",
                                  .frequency = 1000,
                                  .isOffCpu = true,
                                  .hasNames = false};
        QCOMPARE(choiceOf(toVariant(choice)), choice);
        QCOMPARE(targetText(choice), QStringLiteral("cgroup x.slice"));
        QSettings().setValue(QStringLiteral("record/presets"), QStringLiteral("nonsense"));
        QVERIFY(recordPresets().isEmpty());
    }
    void whatTheSamplerMayIsShown()
    {
        RecordDialog *dialog = open();
        QVERIFY(dialog->findChild<QLabel *>(QStringLiteral("rights"))->text().contains(m_rights.text));
        dialog->reject();
    }
};

QTEST_MAIN(TestRecordDialog)
#include "tst_record_dialog.moc"
