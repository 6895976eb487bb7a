#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"
#include "ui/compare/compare_view.h"
#include "ui/executables/executables_view.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/neighbours/neighbours_view.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/traces/traces_view.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QImage>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>
#include <QXmlStreamReader>

using namespace hearth;

/// What leaves the window: by its commands, through the dialog that asks where to.
class TestSaving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-saving"));
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings().setValue(QStringLiteral("folder"), m_folder->path());
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1200, 700);
        m_window->show();
        m_window->showDataSet(test::snapshotOf("main;parse;alloc 6\nmain;parse;copy 2\nmain;render;draw 10\n"
                                               "main;render;alloc 2\n"),
                              QStringLiteral("cpu: a/b"));
        EVENTUALLY(view().scene().layout != nullptr);
        EVENTUALLY_COMPARE(m_window->top()->table()->model()->rowCount(), 6);
    }
    void cleanup() { m_window.reset(); }

    void aFlameGraphIsSavedAsWhatItsNameSays()
    {
        save("save-flames", "a.svg");
        EVENTUALLY(message().startsWith(QStringLiteral("Saved as ")));
        QXmlStreamReader xml(contentOf("a.svg"));
        QVERIFY(xml.readNextStartElement());
        QCOMPARE(xml.attributes().value(QLatin1String("width")).toInt(), view().viewport()->width());
        QVERIFY(xml.readNextStartElement());
        QCOMPARE(xml.readElementText(), QStringLiteral("cpu: a/b – samples/count · 20"));
        save("save-flames", "a.png");
        EVENTUALLY(!contentOf("a.png").isEmpty());
        QCOMPARE(QImage::fromData(contentOf("a.png")).width(), 2 * view().viewport()->width());
        save("save-flames", "a.html");
        EVENTUALLY(!contentOf("a.html").isEmpty());
        QVERIFY(contentOf("a.html").contains("<h1>cpu: a/b</h1>"));
    }
    void aReportIsSavedWithItsNote()
    {
        save("save-report", "ticket.md");
        EVENTUALLY(!contentOf("ticket.md").isEmpty());
        QVERIFY(contentOf("ticket.md").contains("\nsince Tuesday\n"));
        save("save-report", "ticket.html");
        EVENTUALLY(!contentOf("ticket.html").isEmpty());
        QVERIFY(contentOf("ticket.html").contains("<svg"));
    }
    void thePartInViewIsWhatIsAskedFor()
    {
        QSignalSpy requested(m_window.get(), &MainWindow::saveRequested);
        m_window->session().setLens(*parseLens("parse"));
        save("save-part", "part.pb.gz");
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].value<Lens>(), *parseLens("parse"));
        QCOMPARE(requested[0][1].toString(), m_folder->filePath(QStringLiteral("part.pb.gz")));
        save("save", "all.pb.gz");
        QCOMPARE(requested[1][0].value<Lens>(), Lens());
    }
    void aPictureIsOfWhatIsFitted()
    {
        const auto root = view().scene().layout->rows[1][0].node;
        QCOMPARE(view().scene().entryOf(root).name, std::string_view("render"));
        view().zoomTo(root);
        EVENTUALLY(view().focus() == root);
        save("save-flames", "a.svg");
        EVENTUALLY(!contentOf("a.svg").isEmpty());
        QVERIFY(contentOf("a.svg").contains(">draw</text>"));
        QVERIFY(!contentOf("a.svg").contains(">parse</text>"));
        QVERIFY(contentOf("a.svg").contains(">main</text>")); // what it was called from
    }
    void theDialogProposesANameThatFilesCanHave()
    {
        QString proposed;
        save("save-flames", nullptr, [&](const QFileDialog &dialog) {
            proposed = QFileInfo(dialog.selectedFiles().value(0)).fileName();
        });
        QCOMPARE(proposed, QStringLiteral("cpu-a-b.svg"));
    }
    void aNameWithoutAnEndingGetsOne()
    {
        save("save-flames", "plain");
        EVENTUALLY(!contentOf("plain.svg").isEmpty());
    }
    void aNameThatTellsNoFormatIsSaidAndNothingIsWritten()
    {
        save("save-flames", "a.gif");
        QVERIFY(message().contains(QStringLiteral("flame graphs are written as .svg, .png or .html")));
        m_window->views()->setCurrentWidget(m_window->top());
        save("save-table", "a.xls");
        QVERIFY(message().contains(QStringLiteral("tables are written as .csv or .json")));
        QVERIFY(QDir(m_folder->path()).isEmpty());
    }
    void aFileThatCannotBeWrittenIsSaid()
    {
        m_window->views()->setCurrentWidget(m_window->top());
        QFile::link(QStringLiteral("/dev/full"), m_folder->filePath(QStringLiteral("full.csv")));
        save("save-table", "full.csv");
        EVENTUALLY(message().contains(QStringLiteral("Nothing was written.")));
        QVERIFY(message().contains(QStringLiteral("No space left on device")));
    }
    void topFunctionsAreSavedWithExactNumbers()
    {
        m_window->views()->setCurrentWidget(m_window->top());
        save("save-table", "top.csv");
        EVENTUALLY(!contentOf("top.csv").isEmpty());
        const QList<QByteArray> lines = contentOf("top.csv").split('\n');
        QCOMPARE(lines[0],
                 QByteArray("Self (count),Self %,Total (count),Total %,Function,Source,Binary,Kind\r"));
        QCOMPARE(lines[1], QByteArray("10,50,10,50,draw,,,\r"));
        QCOMPARE(lines.size(), 8); // a head, six functions, and nothing behind the last line's end
        save("save-table", "top.json");
        EVENTUALLY(!contentOf("top.json").isEmpty());
        const QJsonArray rows = QJsonDocument::fromJson(contentOf("top.json")).array();
        QCOMPARE(rows.size(), 6);
        QCOMPARE(rows[0][QLatin1String("Function")].toString(), QStringLiteral("draw"));
        QCOMPARE(rows[0][QLatin1String("Self (count)")].toInt(), 10);
    }
    void theCallTreeIsSavedAsItIsOpen()
    {
        m_window->views()->setCurrentWidget(m_window->callTree());
        m_window->callTree()->expandHeaviest();
        save("save-table", "tree.json");
        EVENTUALLY(!contentOf("tree.json").isEmpty());
        const QJsonArray rows = QJsonDocument::fromJson(contentOf("tree.json")).array();
        QStringList names;
        for (const QJsonValue &row : rows)
            names += QString::number(row[QLatin1String("Depth")].toInt()) + QLatin1Char(' ') +
                     row[QLatin1String("Function")].toString();
        QCOMPARE(names, QStringList({"0 main", "1 render", "2 draw", "2 alloc", "1 parse"}));
        save("save-table", "tree.csv");
        EVENTUALLY(!contentOf("tree.csv").isEmpty());
        QVERIFY2(contentOf("tree.csv").contains("\r\n1,12,60,0,render,"), contentOf("tree.csv").constData());
    }
    void callersAndCalleesAreTablesOfOneFile()
    {
        m_window->session().selectEntry(*entryNamed(*m_window->session().evaluation()->tree, "parse"));
        m_window->views()->setCurrentWidget(m_window->neighbours());
        EVENTUALLY_COMPARE(m_window->neighbours()->callees()->model()->rowCount(), 2);
        save("save-table", "around.json");
        EVENTUALLY(!contentOf("around.json").isEmpty());
        const QJsonObject tables = QJsonDocument::fromJson(contentOf("around.json")).object();
        QCOMPARE(tables.size(), 3);
        QCOMPARE(tables[m_window->neighbours()->callers()->accessibleName()].toArray().size(), 1);
        save("save-table", "around.csv");
        EVENTUALLY(!contentOf("around.csv").isEmpty());
        const QList<QByteArray> lines = contentOf("around.csv").split('\n');
        QCOMPARE(lines[0],
                 QByteArray("Table,Total (count),Total %,Called from,Calls,Self (count),Source line\r"));
        QCOMPARE(lines[1], QByteArray("Callers,8,100,main,,,\r"));
        QCOMPARE(lines[2], QByteArray("Callees,6,75,,alloc,,\r"));
    }
    void everyTableCanBeSavedAndOtherViewsSayThatTheyHaveNone()
    {
        for (QWidget *view :
             {static_cast<QWidget *>(m_window->executables()), static_cast<QWidget *>(m_window->traces())}) {
            m_window->views()->setCurrentWidget(view);
            const QByteArray name = QByteArray::number(m_window->views()->currentIndex()) + ".json";
            save("save-table", name.constData());
            EVENTUALLY(!contentOf(name.constData()).isEmpty());
            QVERIFY(QJsonDocument::fromJson(contentOf(name.constData())).isArray());
        }
        m_window->views()->setCurrentWidget(m_window->flames());
        m_window->commands()[QStringLiteral("save-table")]->trigger();
        QVERIFY(message().contains(QStringLiteral("There is no table in this view")));
    }
    void aComparisonIsSavedWithBothSides()
    {
        m_window->compareWith(test::snapshotOf("main;parse 500\nmain;render;draw 10\n"),
                              QStringLiteral("base"));
        EVENTUALLY(m_window->compare()->flames()->scene().difference != nullptr);
        EVENTUALLY(m_window->compare()->flames()->isVisible());
        save("save-flames", "diff.svg");
        EVENTUALLY(!contentOf("diff.svg").isEmpty());
        QStringList titles;
        QXmlStreamReader xml(contentOf("diff.svg"));
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("title"))
                titles += xml.readElementText();
        QCOMPARE(titles.value(2),
                 QStringLiteral("parse\ntotal 500 → 8, −98.4\u202f%\nself 500 → 0, −100\u202f%"));
        QVERIFY(contentOf("diff.svg").contains(">− parse</text>"));
        save("save-flames", "diff.html");
        EVENTUALLY(!contentOf("diff.html").isEmpty());
        QVERIFY(contentOf("diff.html").contains("\"base\":[0,0,"));
    }
    void tracesAreSavedWithTheirNanoseconds()
    {
        m_window->showDataSet(
            test::dataSetOf("main 5 | @1200 ~1.1\n",
                            "1.1 1000..9001 shop! GET /cart\n1.2<1.1 2000..3000 shop look up\n"),
            QStringLiteral("spans"));
        m_window->views()->setCurrentWidget(m_window->traces());
        m_window->traces()->showTraces(true);
        EVENTUALLY_COMPARE(m_window->traces()->traces()->model()->rowCount(), 1);
        save("save-table", "traces.csv");
        EVENTUALLY(!contentOf("traces.csv").isEmpty());
        const QList<QByteArray> lines = contentOf("traces.csv").split('\n');
        QVERIFY2(lines[0].startsWith(
                     "Trace,Service,Start (unix nanoseconds),Duration (nanoseconds),Spans,Errors,"),
                 lines[0].constData());
        QVERIFY2(lines[1].startsWith("GET /cart,shop,1000,8001,2,1,"), lines[1].constData());
        m_window->traces()->showTraces(false);
        EVENTUALLY_COMPARE(m_window->traces()->groups()->model()->rowCount(), 2);
        save("save-table", "groups.json");
        EVENTUALLY(!contentOf("groups.json").isEmpty());
        const QJsonArray groups = QJsonDocument::fromJson(contentOf("groups.json")).array();
        QCOMPARE(groups.size(), 2);
        QCOMPARE(groups[0][QLatin1String("p50 (nanoseconds)")].toInt() +
                     groups[1][QLatin1String("p50 (nanoseconds)")].toInt(),
                 9001);
    }
    void theViewIsCopiedAsItIsSeen()
    {
        for (int tab = 0; tab < m_window->views()->count(); ++tab) {
            m_window->views()->setCurrentIndex(tab);
            m_window->commands()[QStringLiteral("copy-picture")]->trigger();
            const QImage image = QGuiApplication::clipboard()->image();
            QCOMPARE(image.size(), m_window->views()->currentWidget()->size());
        }
    }

private:
    /// Triggers a command and answers its dialog. @param name none: the dialog is cancelled
    void save(const char *command, const char *name, std::function<void(const QFileDialog &)> look = {})
    {
        bool hasAnswered = false;
        QTimer::singleShot(0, this, [&] {
            if (auto *note = qobject_cast<QInputDialog *>(QApplication::activeModalWidget())) {
                note->setTextValue(QStringLiteral("since Tuesday"));
                note->accept(); // which closes it once this is over, and asks for a file
                QTimer::singleShot(0, this, [&] { answer(name, look, hasAnswered); });
                return;
            }
            answer(name, look, hasAnswered);
        });
        m_window->commands()[QLatin1String(command)]->trigger();
        QVERIFY(hasAnswered);
    }
    void answer(const char *name, const std::function<void(const QFileDialog &)> &look, bool &hasAnswered)
    {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        if (dialog == nullptr) // not open yet
            return QTimer::singleShot(0, this, [=, this, &hasAnswered] { answer(name, look, hasAnswered); });
        hasAnswered = true;
        if (look)
            look(*dialog);
        if (name == nullptr)
            return dialog->reject();
        dialog->setOption(QFileDialog::DontConfirmOverwrite);
        dialog->findChild<QLineEdit *>()->setText(m_folder->filePath(QLatin1String(name)));
        QTest::keyClick(dialog->findChild<QLineEdit *>(), Qt::Key_Return);
    }
    QByteArray contentOf(const char *name) const
    {
        QFile file(m_folder->filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString message() const { return m_window->messages()->text(); }
    FlameView &view() { return *m_window->flames()->view(); }

    LogModel m_log;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestSaving)
#include "tst_saving.moc"
