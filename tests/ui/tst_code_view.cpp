#include "ingest/code/code_files.h"
#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "model/views/neighbours.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "tests/support/sampled_places.h"
#include "ui/code/code_view.h"
#include "ui/code/source_side.h"
#include "ui/code/stepper.h"
#include "ui/flame/flame_page.h"
#include "ui/log/log_model.h"
#include "ui/neighbours/neighbours_view.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <semaphore>

using namespace hearth;

namespace {

namespace fs = std::filesystem;

const std::string kProgram = KNOWN_PROGRAMS "/dwarf5";
const QString kSource = QStringLiteral(KNOWN_SOURCE);

/// Where a function of the known program calls here(), which every one of them does.
std::uint64_t callIn(const char *linkerName)
{
    const std::uint64_t begin = test::offsetOfFunction(kProgram, linkerName);
    const auto snapshot = test::namedPlaces({{kProgram, test::buildIdOf(kProgram), begin}});
    CodeFiles files({}, {});
    const std::array offsets{begin};
    const auto extents = files.extentsOf(*snapshot, BinaryId(0), offsets).value();
    const auto code = files.disassemble(*snapshot, extents.at(0), AssemblySyntax::Intel, {}).value();
    for (std::size_t i = 0; i < code.instructions.size(); ++i)
        if (code.instructions[i].comment == "known::here()")
            return code.offsets[i];
    throw std::runtime_error("it does not call here()");
}

/// Three samples in outer and five in a local function, both times in inner, which is inlined there; seven in
/// plainC.
std::shared_ptr<const Snapshot> knownSamples()
{
    const std::string id = test::buildIdOf(kProgram);
    return test::namedPlaces({{kProgram, id, callIn("_ZN5known5outerEv"), 3},
                              {kProgram, id, callIn("_ZZN5known6aroundEvENKUlRiS0_E_clES0_S0_"), 5},
                              {kProgram, id, callIn("plainC"), 7}});
}

/// A function of a hundred thousand lines, and instructions that jump.
class MadeUpCode : public CodeReader {
public:
    Result<std::vector<CodeExtent>> extentsOf(const Snapshot &, BinaryId binary,
                                              std::span<const std::uint64_t>) override
    {
        return std::vector<CodeExtent>{{binary, 0x1000, 0x1000 + kInstructions, "long"}};
    }
    Result<Disassembly> disassemble(const Snapshot &, const CodeExtent &extent, AssemblySyntax,
                                    const std::stop_token &) override
    {
        Disassembly code{.extent = extent,
                         .file = "/p",
                         .note = {},
                         .instructions = {},
                         .offsets = {},
                         .places = {{0, 0, 500}},
                         .functions = {"f"},
                         .files = {"/no/f.c"}};
        for (std::uint32_t i = 0; i < kInstructions; ++i) {
            code.instructions.push_back(
                {.address = 0x1000 + i, .size = 1, .placeBegin = 0, .placeCount = 1, .text = "nop"});
            code.offsets.push_back(0x1000 + i);
        }
        code.instructions[2].kind = InstructionKind::Jump;
        code.instructions[2].target = kInstructions - 3;
        return code;
    }
    SourceFound findSource(const Snapshot &, const SourceRequest &request, const std::stop_token &) override
    {
        std::string text;
        for (int line = 1; line <= 100'000; ++line)
            text += "line " + std::to_string(line) + '\n';
        return {.text = std::make_shared<SourceText>(std::move(text)),
                .path = request.path,
                .problem = {},
                .tried = {}};
    }

    static constexpr std::uint32_t kInstructions = 100'000;
};

/// Which takes as long as it is let.
class SlowCode : public MadeUpCode {
public:
    SourceFound findSource(const Snapshot &snapshot, const SourceRequest &request,
                           const std::stop_token &stop) override
    {
        goOn.acquire();
        return MadeUpCode::findSource(snapshot, request, stop);
    }

    std::binary_semaphore goOn{0};
};

} // namespace

/// The Source tab as people use it: with the mouse and with keys.
class TestCodeView : public QObject {
    Q_OBJECT

    LogModel m_log;
    std::shared_ptr<const Snapshot> m_known;
    std::unique_ptr<MainWindow> m_window;

    CodeView &view() { return *m_window->code(); }
    SourcePane &source() { return *view().source(); }
    AssemblyPane &assembly() { return *view().assembly(); }
    Session &session() { return m_window->session(); }

    void show(const std::shared_ptr<const Snapshot> &snapshot, std::shared_ptr<CodeReader> reader)
    {
        m_window->showDataSet(snapshot, QStringLiteral("test"));
        m_window->views()->setCurrentWidget(&view());
        view().setReader(std::move(reader));
        EVENTUALLY(!session().isEvaluating() && session().evaluation());
    }
    void select(const std::string &name)
    {
        session().selectName(name);
        EVENTUALLY(!view().isBusy());
    }
    void showKnown(const std::string &function, std::vector<std::string> places = {})
    {
        SourcePlaces sources;
        sources.places = std::move(places);
        show(m_known, std::make_shared<CodeFiles>(SearchPlaces(), sources));
        select(function);
    }
    static int rowWith(const CodePane &pane, const QString &text)
    {
        for (int row = 0; row < pane.rowCount(); ++row)
            if (pane.textOf(row).contains(text))
                return row;
        return -1;
    }
    static void click(const CodePane &pane, int row)
    {
        QTest::mouseClick(pane.viewport(), Qt::LeftButton, {}, pane.rectOf(row).center());
    }
    static int linkedRows(const CodePane &pane)
    {
        int count = 0;
        for (int row = 0; row < pane.rowCount(); ++row)
            count += pane.isLinked(row) ? 1 : 0;
        return count;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-code"));
        applyTheme(ThemeKind::Light);
        m_known = knownSamples();
    }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1400, 900);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void linesAndInstructionsHaveTheirWeights()
    {
        showKnown("plainC");
        QVERIFY2(view().isShowing(), qPrintable(view().message()));
        const int line = source().currentRow(); // the heaviest
        QVERIFY2(source().textOf(line).contains(QStringLiteral("known::here()")),
                 qPrintable(source().textOf(line)));
        QVERIFY2(source().describe(line).contains(QStringLiteral("self 7 count (46.7")),
                 qPrintable(source().describe(line)));
        QVERIFY(source().isHot(line));
        const int call = rowWith(assembly(), QStringLiteral("# known::here()"));
        QVERIFY2(assembly().describe(call).contains(QStringLiteral("self 7 count")),
                 qPrintable(assembly().describe(call)));
        QVERIFY(assembly().isLinked(call));
        QVERIFY(!view().sourceSide()->notice()->isVisible());
    }

    void aLineMarksItsInstructionsAndTheOtherWayRound()
    {
        showKnown("known::outer()");
        const int callsMiddle = rowWith(source(), QStringLiteral("middle(innerLine, middleLine)"));
        click(source(), rowWith(source(), QStringLiteral("void outer()")) + 1);
        const int call = rowWith(assembly(), QStringLiteral("# known::here()"));
        QVERIFY(!assembly().isLinked(call));
        click(source(), callsMiddle);
        QVERIFY(assembly().isLinked(call)); // though it is in inner, which is inlined there
        click(source(), rowWith(source(), QStringLiteral("void outer()")) + 1);
        click(assembly(), call);
        QVERIFY(source().isLinked(callsMiddle));
        QVERIFY(assembly().isLinked(call));
        QCOMPARE(source().currentRow(), callsMiddle); // which is what an editor would open
        QCOMPARE(linkedRows(source()), 1);
    }

    void anotherFunctionBeginsAtItsHeaviestLineEvenInTheSameInstructions()
    {
        showKnown("known::outer()");
        session().setLens(*parseLens("outer"));
        EVENTUALLY(!session().isEvaluating());
        const int call = rowWith(assembly(), QStringLiteral("# known::here()"));
        click(assembly(), 1);
        assembly().setFocus();
        select("known::inner(int&)");
        QVERIFY(assembly().shown()->listed.occurrence.extent.name == "known::outer()");
        QCOMPARE(assembly().currentRow(), -1);
        QVERIFY(source().textOf(source().currentRow()).contains(QStringLiteral("line = __LINE__, here()")));
        QVERIFY(assembly().isLinked(call));
        QCOMPARE(linkedRows(source()), 0);
    }

    void whatWasInlinedSaysFromWhere()
    {
        showKnown("known::outer()");
        const int call = rowWith(assembly(), QStringLiteral("# known::here()"));
        int head = call;
        while (!assembly().isHead(head))
            --head;
        const QString text = assembly().textOf(head);
        QVERIFY2(text.contains(QStringLiteral("known::inner · known_program.cpp ‹ known_program.cpp:")) &&
                     text.contains(QStringLiteral(" in known::outer")),
                 qPrintable(text));
    }

    void occurrencesAreSteppedThrough()
    {
        showKnown("known::inner(int&)");
        Stepper &stepper = *view().occurrences();
        QVERIFY(stepper.isVisible());
        QCOMPARE(stepper.label()->text(), QStringLiteral("1 of 2"));
        const auto outer = [this] {
            return assembly().shown()->listed.occurrence.extent.name == "known::outer()";
        };
        QVERIFY(!outer()); // the heavier one comes first
        QTest::mouseClick(stepper.next(), Qt::LeftButton);
        EVENTUALLY(!view().isBusy());
        QCOMPARE(stepper.label()->text(), QStringLiteral("2 of 2"));
        QVERIFY(outer());
        QVERIFY(assembly().shown()->listed.occurrence.isInlined);
        QTest::mouseClick(stepper.next(), Qt::LeftButton);
        EVENTUALLY(!view().isBusy());
        QVERIFY(!outer());
        select("plainC");
        QVERIFY(!stepper.isVisible());
    }

    void instructionsAreInEitherSyntaxAndItIsKept()
    {
        showKnown("plainC");
        QVERIFY(rowWith(assembly(), QStringLiteral("call    0x")) >= 0);
        QTest::mouseClick(view().syntaxButton(), Qt::LeftButton);
        EVENTUALLY(!view().isBusy());
        QVERIFY(rowWith(assembly(), QStringLiteral("callq   0x")) >= 0);
        QVERIFY(Settings::load().usesAttSyntax);
    }

    void foldedLinesOpen()
    {
        showKnown("plainC");
        QVERIFY(source().isFolded(0));
        const int folded = source().rowCount();
        QTest::mouseDClick(source().viewport(), Qt::LeftButton, {},
                           source().rectOf(source().rowAt(30)).center());
        QTest::keyClick(&source(), Qt::Key_Home);
        if (source().isFolded(0))
            QTest::keyClick(&source(), Qt::Key_Return);
        QVERIFY(!source().isFolded(0));
        QVERIFY(source().rowCount() > folded);
        QCOMPARE(source().currentLine(), std::int64_t(1));
        QTest::mouseClick(view().sourceSide()->foldButton(), Qt::LeftButton);
        QCOMPARE(rowWith(source(), QStringLiteral("int main()")) + 1,
                 rowWith(source(), QStringLiteral("known::outer();")) - 1); // as in the file
        QCOMPARE(source().currentLine(), std::int64_t(1));
    }

    void linesAreCopied()
    {
        showKnown("plainC");
        click(source(), rowWith(source(), QStringLiteral("void plainC()")));
        QTest::keyClick(&source(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&source(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&source(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("extern \"C\" [[gnu::noinline]] void plainC()\n{\n    int line = 0;"));
    }

    void sourcesThatAreNewerThanTheProgramSaySo()
    {
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("known_program.cpp"));
        QVERIFY(QFile::copy(kSource, copy));
        fs::last_write_time(copy.toStdString(), fs::last_write_time(kProgram) + std::chrono::hours(1));
        showKnown("plainC", {kSource.section(QLatin1Char('/'), 0, -2).toStdString() + "=" +
                             folder.path().toStdString()});
        QVERIFY(view().isShowing());
        QVERIFY(view().sourceSide()->notice()->isVisible());
        QVERIFY2(view().sourceSide()->notice()->text().contains(QStringLiteral("lines may have moved")),
                 qPrintable(view().sourceSide()->notice()->text()));
        QVERIFY(!view().sourceSide()->findButton()->isVisible());
    }

    void aMissingSourceSaysWhereItWasLookedForAndAsksForAFolder()
    {
        show(test::snapshotOf("main@/gone/src/main.c;parse@/gone/src/parse.c 3\n"),
             std::make_shared<CodeFiles>(SearchPlaces(), SourcePlaces()));
        select("parse");
        QVERIFY(view().isShowing());
        QVERIFY2(view().sourceSide()->notice()->text().contains(QStringLiteral("/gone/src/parse.c")),
                 qPrintable(view().sourceSide()->notice()->text()));
        QVERIFY(view().sourceSide()->findButton()->isVisible());
        QCOMPARE(source().rowCount(), 1); // what weighs is shown all the same
        QVERIFY(!assembly().isVisible());
        QVERIFY(view().remarks()->text().contains(QStringLiteral("no addresses")));
        QVERIFY(source().describe(0).contains(QStringLiteral("total 3")));

        QSignalSpy chosen(m_window.get(), &MainWindow::sourceFolderChosen);
        const QTemporaryDir folder;
        QTest::mouseClick(view().sourceSide()->findButton(), Qt::LeftButton);
        auto *dialog = view().findChild<QFileDialog *>();
        QVERIFY(dialog != nullptr);
        auto *edit = dialog->findChild<QLineEdit *>();
        edit->setText(folder.path());
        QTest::keyClick(edit, Qt::Key_Return);
        EVENTUALLY_COMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toString(), QStringLiteral("/gone/src/parse.c"));
        QCOMPARE(chosen[0][1].toString(), folder.path());
    }

    void whatCannotBeShownSaysWhy()
    {
        show(test::snapshotOf("main;parse 3 | thread=a\nmain;draw 2 | thread=b\n"),
             std::make_shared<CodeFiles>(SearchPlaces(), SourcePlaces()));
        QVERIFY(view().message().startsWith(QStringLiteral("Select a function")));
        select("parse");
        QVERIFY2(view().message().contains(QStringLiteral("which source file")),
                 qPrintable(view().message()));
        session().setLens(*parseLens("draw"));
        EVENTUALLY(view().message().contains(QStringLiteral("parse is not in what the filters leave")));
        session().setLens(*parseLens("by:thread"));
        EVENTUALLY(!session().isEvaluating());
        session().selectNode(NodeId(1)); // a group
        QVERIFY2(view().message().contains(QStringLiteral("is not a function")),
                 qPrintable(view().message()));
        session().clearSelection();
        QVERIFY(view().message().startsWith(QStringLiteral("Select a function")));
        session().setLens({});
        EVENTUALLY(!session().isEvaluating());
        select("parse");
        session().setLens(*parseLens("series:nothing"));
        session().selectName("draw");
        EVENTUALLY(view().message().contains(QStringLiteral("nothing")));
    }

    void whatTakesLongSaysSo()
    {
        const auto reader = std::make_shared<SlowCode>();
        show(test::snapshotOf("main@/no/main.c[/p];f@/no/f.c[/p] 3\n"), reader);
        session().selectName("f");
        EVENTUALLY(view().message().startsWith(QStringLiteral("Reading the code of f")));
        reader->goOn.release();
        EVENTUALLY(view().isShowing());
    }

    void theLensIsFollowed()
    {
        showKnown("known::inner(int&)");
        const auto weight = [this] { return source().describe(source().currentRow()); };
        QVERIFY2(weight().contains(QStringLiteral("self 8 count")), qPrintable(weight()));
        session().setLens(*parseLens("outer"));
        EVENTUALLY(weight().contains(QStringLiteral("self 3 count")));
    }

    void newerDataLeavesOneWhereOneIs()
    {
        Store store;
        store.append(test::batchOf("main@/no/main.c[/p];f@/no/f.c[/p] 3\n"));
        show(store.publish(), std::make_shared<MadeUpCode>());
        select("f");
        QTest::keyClick(&source(), Qt::Key_End);
        QVERIFY(source().isFolded(source().currentRow()));
        QTest::keyClick(&source(), Qt::Key_Return);
        QTest::keyClick(&source(), Qt::Key_End);
        QCOMPARE(source().currentLine(), std::int64_t(100'000));
        source().verticalScrollBar()->setValue(4321); // somewhere else
        store.append(test::batchOf("main@/no/main.c[/p];f@/no/f.c[/p] 5\n"));
        session().updateDataSet(store.publish());
        EVENTUALLY(source().describe(0).contains(QStringLiteral("total 8 ")));
        QCOMPARE(source().currentLine(), std::int64_t(100'000));
        QCOMPARE(source().verticalScrollBar()->value(), 4321);
    }

    void callsAreFollowedAndOneComesBack()
    {
        const std::string id = test::buildIdOf(kProgram);
        show(test::namedPlaces({{kProgram, id, callIn("plainC"), 7},
                                {kProgram, id, test::offsetOfFunction(kProgram, "_ZN5known4hereEv"), 2}}),
             std::make_shared<CodeFiles>(SearchPlaces(), SourcePlaces()));
        select("plainC");
        const int call = rowWith(assembly(), QStringLiteral("# known::here()"));
        QTest::mouseDClick(assembly().viewport(), Qt::LeftButton, {}, assembly().rectOf(call).center());
        QCOMPARE(session().selectedName(), QStringLiteral("known::here()"));
        EVENTUALLY(!view().isBusy());
        QVERIFY(rowWith(source(), QStringLiteral("__builtin_return_address")) >= 0);
        source().setFocus();
        QTest::keyClick(&source(), Qt::Key_Backspace);
        QCOMPARE(session().selectedName(), QStringLiteral("plainC"));
    }

    void manyLinesAreNoMatter()
    {
        show(test::snapshotOf("main@/no/main.c[/p];f@/no/f.c[/p] 3\n"), std::make_shared<MadeUpCode>());
        select("f");
        QVERIFY(view().isShowing());
        QTest::mouseClick(view().sourceSide()->foldButton(), Qt::LeftButton);
        QVERIFY(source().rowCount() >= 100'000);
        QTest::keyClick(&source(), Qt::Key_End);
        QCOMPARE(source().currentLine(), std::int64_t(100'000));
        QVERIFY(source().viewport()->rect().contains(source().rectOf(source().currentRow())));
        QTest::keyClick(&source(), Qt::Key_PageUp);
        QVERIFY(source().currentLine() < 100'000);
        QVERIFY(!source().grab().isNull());
        QVERIFY(!assembly().grab().isNull());
    }

    void enterGoesWhereAnInstructionJumps()
    {
        show(test::snapshotOf("main@/no/main.c[/p];f@/no/f.c[/p] 3\n"), std::make_shared<MadeUpCode>());
        select("f");
        const int jump = assembly().rowOf(2);
        click(assembly(), jump);
        QCOMPARE(assembly().currentRow(), jump);
        QTest::keyClick(&assembly(), Qt::Key_Return);
        QCOMPARE(assembly().currentRow(), assembly().rowOf(MadeUpCode::kInstructions - 3));
        QVERIFY(assembly().viewport()->rect().contains(assembly().rectOf(assembly().currentRow())));
    }

    void hotLinesAreOneKeyAway()
    {
        showKnown("plainC");
        const int hot = source().currentRow();
        QTest::keyClick(&source(), Qt::Key_Home);
        QVERIFY(source().currentRow() != hot);
        QTest::keyClick(&source(), Qt::Key_N);
        QCOMPARE(source().currentRow(), hot);
        QTest::keyClick(&source(), Qt::Key_End);
        QTest::keyClick(&source(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(source().currentRow(), hot);
        QVERIFY(source().accessibleDescription().contains(QStringLiteral("self 7 count")));
    }

    void oneKeyShowsTheSourceOfWhatIsSelected()
    {
        showKnown("plainC");
        m_window->views()->setCurrentWidget(m_window->flames());
        m_window->flames()->view()->setFocus();
        QTest::keyClick(m_window->flames()->view(), Qt::Key_E);
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
        EVENTUALLY(source().hasFocus());
        session().clearSelection();
        QVERIFY(!m_window->commands()[QStringLiteral("show-code")]->isEnabled());
    }

    void aDoubleClickOnALineOfTheCallersShowsIt()
    {
        showKnown("plainC");
        m_window->views()->setCurrentWidget(m_window->neighbours());
        QTableView &lines = *m_window->neighbours()->lines();
        EVENTUALLY_COMPARE(lines.model()->rowCount(), 1);
        const QPoint place = lines.visualRect(lines.model()->index(0, 0)).center();
        QTest::mouseClick(lines.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(lines.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(m_window->views()->currentWidget(), static_cast<QWidget *>(&view()));
    }

    void jumpsThatShareRowsHaveLanesOfTheirOwn()
    {
        std::vector<Instruction> code(10);
        const auto jump = [&](std::size_t from, std::uint32_t to) {
            code[from].kind = InstructionKind::Jump;
            code[from].target = to;
        };
        jump(0, 9);
        jump(2, 4);
        jump(7, 5);
        jump(3, 6);
        using Arrows = std::vector<JumpArrow>;
        QVERIFY(jumpArrows(code, 3) == (Arrows{{0, 9, 2}, {2, 4, 0}, {3, 6, 1}, {7, 5, 0}}));
        QVERIFY(jumpArrows(code, 1) ==
                (Arrows{{0, 9, JumpArrow::kNoLane}, {2, 4, 0}, {3, 6, JumpArrow::kNoLane}, {7, 5, 0}}));
    }
};

QTEST_MAIN(TestCodeView)
#include "tst_code_view.moc"
