#include "model/lens/lens_text.h"
#include "model/store/store.h"
#include "model/views/neighbours.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"
#include "ui/commands/palette.h"
#include "ui/executables/executables_model.h"
#include "ui/executables/executables_view.h"
#include "ui/flame/flame_page.h"
#include "ui/lens/chip.h"
#include "ui/lens/lens_bar.h"
#include "ui/lens/lens_completer.h"
#include "ui/log/log_model.h"
#include "ui/neighbours/neighbours_view.h"
#include "ui/settings/settings.h"
#include "ui/sources/sources_panel.h"
#include "ui/table/copied_table.h"
#include "ui/table/top_view.h"
#include "ui/table/tree_view.h"
#include "ui/theme/function_names.h"
#include "ui/theme/theme.h"
#include "ui/timeline/range_bar.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <thread>

using namespace hearth;

namespace {

const char *const kProfile =
    "main;parse;alloc 6\nmain;parse;copy 2\nmain;render;draw 10\nmain;render;alloc 2\n";

/// The box of a function's first occurrence in the flame graph, in the coordinates of its viewport.
QPoint placeOf(const FlameView &view, std::string_view name)
{
    const FlameScene &scene = view.scene();
    for (int y = 0; y < view.viewport()->height(); y += kFlameRowHeight / 2)
        for (int x = 0; x < view.viewport()->width(); x += 4)
            if (const FlameBox *box = view.boxAt({x, y});
                box != nullptr && box->merged == 0 && scene.entryOf(box->node).name == name)
                return {x, y};
    qFatal("no box called %s", std::string(name).c_str());
}

QString nameAt(const QAbstractItemView &view, int row, int column)
{
    return view.model()->index(row, column).data().toString();
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test"));
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_log);
        m_window->resize(1200, 700);
        m_window->show();
        m_window->showDataSet(test::snapshotOf(kProfile), QStringLiteral("test"));
        EVENTUALLY(flames().scene().layout != nullptr);
        EVENTUALLY_COMPARE(m_window->top()->table()->model()->rowCount(), 6);
    }
    void cleanup() { m_window.reset(); }

    void aClickSelectsAFrameEverywhere()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "draw"));
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("draw"));
        EVENTUALLY_COMPARE(
            nameAt(*m_window->top()->table(), m_window->top()->table()->currentIndex().row(), TopModel::Name),
            QStringLiteral("draw"));
    }
    void aDoubleClickFitsAFrameAndEscapeStepsOut()
    {
        QTest::mouseDClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "parse"));
        EVENTUALLY_COMPARE(focusName(), std::string_view("parse"));
        QTest::keyClick(&flames(), Qt::Key_Escape);
        EVENTUALLY_COMPARE(focusName(), std::string_view("main"));
        QTest::keyClick(&flames(), Qt::Key_Backspace);
        EVENTUALLY_COMPARE(focusName(), std::string_view("parse"));
    }
    void arrowKeysWalkThroughTheBoxes()
    {
        QTest::keyClick(&flames(), Qt::Key_Down);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("main"));
        QTest::keyClick(&flames(), Qt::Key_Down);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("render"));
        QTest::keyClick(&flames(), Qt::Key_Right);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("parse"));
        QTest::keyClick(&flames(), Qt::Key_Up);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("main"));
    }
    void executablesTellWhoseNamesAreMissing()
    {
        Store store;
        store.append(test::batchOf("main;[libdark.so] 6\nmain 2\n"));
        store.apply({.frames = {},
                     .binaries = {{.binary = BinaryId(0),
                                   .name = "libdark.so",
                                   .source = SymbolSource::None,
                                   .file = {},
                                   .problem = "no file of that build is here",
                                   .advice = "add it"}}});
        m_window->showDataSet(store.publish(), QStringLiteral("dark"));
        m_window->views()->setCurrentWidget(m_window->executables());
        QTableView *table = m_window->executables()->table();
        EVENTUALLY_COMPARE(table->model()->rowCount(), 1);
        QCOMPARE(nameAt(*table, 0, ExecutablesModel::Name), QStringLiteral("libdark.so"));
        EVENTUALLY(
            std::ranges::any_of(m_window->findChildren<QPushButton *>(), [](const QPushButton *button) {
                return button->toolTip().contains(
                    u"Most of the rest is in libdark.so. What would help: add it");
            }));
        QCOMPARE(nameAt(*table, 0, ExecutablesModel::Problem),
                 QStringLiteral("no file of that build is here"));
        QCOMPARE(table->model()->index(0, ExecutablesModel::Named).data(kShareRole).toDouble(), 0.0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, ExecutablesModel::Name)).center());
        QVERIFY(
            m_window->executables()->details()->text().contains(QStringLiteral("What would help: add it")));
        QTest::keyClick(table, Qt::Key_Return);
        EVENTUALLY_COMPARE(matched(), std::int64_t(6));
    }
    void whatCanBeDoneForOneExecutableCanBeDoneForSeveral()
    {
        Store store;
        store.append(
            test::batchOf("main;[libdark.so] 6\nmain;[libdim.so] 3\nmain;[libnight.so] 2\nmain 1\n"));
        std::vector<BinarySymbols> symbols;
        for (const char *const name : {"libdark.so", "libdim.so", "libnight.so"})
            symbols.push_back({.binary = BinaryId(symbols.size()),
                               .name = name,
                               .source = SymbolSource::None,
                               .file = {},
                               .problem = "no file is here",
                               .advice = "add it"});
        store.apply({.frames = {}, .binaries = symbols});
        m_window->showDataSet(store.publish(), QStringLiteral("dark"));
        ExecutablesView &view = *m_window->executables();
        m_window->views()->setCurrentWidget(&view);
        EVENTUALLY_COMPARE(view.table()->model()->rowCount(), 3);
        const auto clickRow = [&](int row, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
            const QModelIndex index = view.table()->model()->index(row, ExecutablesModel::Name);
            QWidget *viewport = view.table()->viewport();
            QTest::mouseClick(m_window->windowHandle(), button, modifiers,
                              viewport->mapTo(m_window.get(), view.table()->visualRect(index).center()));
        };
        const auto choose = [&](const QString &text) {
            auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
            QVERIFY2(menu != nullptr, qPrintable(text));
            const QList<QAction *> actions = menu->actions();
            const auto action = std::ranges::find(actions, text, &QAction::text);
            QVERIFY2(action != actions.end(), qPrintable(text));
            QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*action).center());
        };
        clickRow(0, Qt::LeftButton, {});
        clickRow(2, Qt::LeftButton, Qt::ControlModifier);
        QCOMPARE(view.details()->text(),
                 QStringLiteral(
                     "2 binaries are selected, 0 of them with names for all frames\n2 of them: add it"));

        QSignalSpy again(m_window.get(), &MainWindow::symbolsWantedAgain);
        QTest::mouseClick(view.lookAgainButton(), Qt::LeftButton);
        QCOMPARE(again.count(), 1);
        QCOMPARE(again.at(0).at(0).value<std::vector<BinaryId>>(), (std::vector{BinaryId(0), BinaryId(2)}));

        clickRow(2, Qt::RightButton, {});
        choose(QStringLiteral("Copy paths"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("libdark.so\nlibnight.so"));
        clickRow(2, Qt::RightButton, {});
        choose(QStringLiteral("Copy what is missing"));
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("libdark.so: no file is here; add it\nlibnight.so: no file is here; add it"));
        clickRow(2, Qt::RightButton, {});
        choose(QStringLiteral("Only stacks through any of these"));
        EVENTUALLY_COMPARE(matched(), std::int64_t(8));
        m_window->session().undo();
        EVENTUALLY_COMPARE(matched(), std::int64_t(12));
        clickRow(0, Qt::RightButton, {});
        choose(QStringLiteral("Leave out stacks through these"));
        EVENTUALLY_COMPARE(matched(), std::int64_t(4));
    }
    void framesWithoutAFileAreARowThatSaysWhy()
    {
        Batch batch = test::batchOf("main 1\n");
        for (Frame &frame : batch.frames)
            frame = {.address = 4096, .kind = frame.kind};
        Store store;
        store.append(std::move(batch));
        m_window->showDataSet(store.publish(), QStringLiteral("anonymous"));
        m_window->views()->setCurrentWidget(m_window->executables());
        const QTableView *table = m_window->executables()->table();
        EVENTUALLY_COMPARE(table->model()->rowCount(), 1);
        QCOMPARE(nameAt(*table, 0, ExecutablesModel::Name), QStringLiteral("memory without a file"));
        QVERIFY(nameAt(*table, 0, ExecutablesModel::Problem)
                    .startsWith(QStringLiteral("the sender told no file")));
    }
    void searchTellsWhatRunsThroughTheMatches()
    {
        QTest::keyClicks(m_window->flames()->search(), QStringLiteral("ALLOC"));
        QCOMPARE(flames().matchingEntries(), std::size_t(1));
        QCOMPARE(flames().matchedWeight(), std::int64_t(8));
        QTest::keyClick(m_window->flames()->search(), Qt::Key_Return);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("alloc"));
        m_window->flames()->search()->setText(QStringLiteral("("));
        QCOMPARE(flames().matchingEntries(), std::size_t(1)); // what is no expression changes nothing
    }
    void singleKeysChangeTheLensAndUndoTakesThemBack()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "parse"));
        QTest::keyClick(&flames(), Qt::Key_D);
        EVENTUALLY(!m_window->session().isEvaluating());
        QCOMPARE(matched(), std::int64_t(12));
        m_window->session().undo();
        EVENTUALLY_COMPARE(matched(), std::int64_t(20));
        m_window->session().redo();
        EVENTUALLY_COMPARE(matched(), std::int64_t(12));
    }
    void transformsHaveTheKeysThatPeopleKnow_data()
    {
        QTest::addColumn<QString>("selected");
        QTest::addColumn<QChar>("key");
        QTest::addColumn<QString>("lens");
        const auto row = [](const char *name, const char *selected, char key, const char *lens) {
            QTest::newRow(name) << QString::fromLatin1(selected) << QChar::fromLatin1(key)
                                << QString::fromLatin1(lens);
        };
        row("focus", "parse", 'f', "from:^parse$");
        row("focus subtree", "draw", 'F', "under:main,render,draw");
        row("focus self", "alloc", 'S', "self:^alloc$");
        row("merge", "parse", 'm', "hide:^parse$");
        row("drop", "parse", 'd', "-/^parse$/");
        row("collapse function", "parse", 'c', "to:^parse$");
        row("collapse recursion", "parse", 'r', "once:^parse$");
        row("pivot", "alloc", 'p', "pivot:^alloc$");
        row("invert", "alloc", 'i', "inverted");
    }
    void transformsHaveTheKeysThatPeopleKnow()
    {
        QFETCH(QString, selected);
        QFETCH(QChar, key);
        QFETCH(QString, lens);
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), selected.toStdString()));
        QTest::keyClick(&flames(), key.toLatin1(), key.isUpper() ? Qt::ShiftModifier : Qt::NoModifier);
        QCOMPARE(QString::fromStdString(printLens(m_window->session().lens())), lens);
        EVENTUALLY(!m_window->session().isEvaluating());
        QVERIFY(m_window->session().problem().isEmpty());
        QVERIFY(m_window->session().evaluation()->matched > 0);
    }
    void theLensBarTakesTextAndShowsWhereItIsWrong()
    {
        QLineEdit *edit = m_window->lensBar()->edit();
        QTest::keyClicks(edit, QStringLiteral("hide:^render$"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->session().lens().frames.size(), std::size_t(1));
        QVERIFY(edit->text().isEmpty());
        QTest::keyClicks(edit, QStringLiteral("parse /(/"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->session().lens().paths.size(), std::size_t(0));
        QCOMPARE(edit->text(), QStringLiteral("parse /(/"));
    }
    void theLensIsCompletedWhileOneTypes()
    {
        QLineEdit *edit = m_window->lensBar()->edit();
        QApplication::setActiveWindow(m_window.get());
        edit->setFocus();
        QTest::keyClicks(edit, QStringLiteral("hide:ren"));
        QAbstractItemView *popup = edit->findChild<LensCompleter *>()->popup()->popup();
        EVENTUALLY(popup->isVisible());
        QCOMPARE(nameAt(*popup, 0, 0), QStringLiteral("render"));
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
        QCOMPARE(edit->text(), QStringLiteral("hide:^render$"));
        QCOMPARE(m_window->session().lens().frames.size(), std::size_t(0));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_window->session().lens().frames.size(), std::size_t(1));
    }
    void whatIsTypedIsTakenUnlessACompletionIsMarked()
    {
        QLineEdit *edit = m_window->lensBar()->edit();
        QApplication::setActiveWindow(m_window.get());
        edit->setFocus();
        QTest::keyClicks(edit, QStringLiteral("ren"));
        QAbstractItemView *popup = edit->findChild<LensCompleter *>()->popup()->popup();
        EVENTUALLY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Return);
        QCOMPARE(QString::fromStdString(printLens(m_window->session().lens())), QStringLiteral("ren"));
        QVERIFY(edit->text().isEmpty() && !popup->isVisible());
        QTest::keyClicks(edit, QStringLiteral("hide:ren"));
        EVENTUALLY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Tab);
        QCOMPARE(edit->text(), QStringLiteral("hide:^render$"));
    }
    void topFunctionsAreFilteredAndSortedByAnyColumn()
    {
        QTableView *table = m_window->top()->table();
        m_window->views()->setCurrentWidget(m_window->top());
        QCOMPARE(nameAt(*table, 0, TopModel::Name), QStringLiteral("draw"));
        QCOMPARE(nameAt(*table, 0, TopModel::Self), QStringLiteral("10"));
        table->sortByColumn(TopModel::Name, Qt::AscendingOrder);
        EVENTUALLY_COMPARE(nameAt(*table, 0, TopModel::Name), QStringLiteral("alloc"));
        QTest::keyClicks(m_window->top()->filter(), QStringLiteral("R"));
        EVENTUALLY_COMPARE(table->model()->rowCount(), 3);
        QVERIFY(asTsv(copyOf(*table)).contains(QStringLiteral("render")));
    }
    void theCallTreeOpensItsHeaviestPathBothWays()
    {
        m_window->views()->setCurrentWidget(m_window->callTree());
        m_window->callTree()->expandHeaviest();
        QTreeView *tree = m_window->callTree()->tree();
        QCOMPARE(tree->currentIndex().siblingAtColumn(TreeModel::Name).data().toString(),
                 QStringLiteral("draw"));
        m_window->callTree()->setInverted(true);
        EVENTUALLY_COMPARE(nameAt(*tree, 0, TreeModel::Name), QStringLiteral("draw"));
        QCOMPARE(tree->model()->index(0, TreeModel::Name, tree->model()->index(0, 0)).data().toString(),
                 QStringLiteral("render"));
    }
    void otherSeriesStandBesideTheCallTree()
    {
        m_window->showDataSet(
            test::snapshotOf("series: cpu/nanoseconds alloc/bytes\nmain;a 5,100\nmain;b 1,2000\nc 7,0\n"),
            QStringLiteral("two"));
        EVENTUALLY(!m_window->session().isEvaluating());
        CallTreeView *view = m_window->callTree();
        m_window->views()->setCurrentWidget(view);
        const QString shown = QString::fromStdString(m_window->session().evaluation()->series.name());
        QCOMPARE(shown, QStringLiteral("alloc/bytes"));
        view->toggleBeside(QStringLiteral("cpu/nanoseconds"));
        QAbstractItemModel &model = *view->model();
        EVENTUALLY_COMPARE(model.columnCount(), int(TreeModel::kColumns) + 1);
        const auto beside = [&](const QModelIndex &index) {
            return index.siblingAtColumn(TreeModel::kColumns).data(kNumberRole).toLongLong();
        };
        const QModelIndex main = model.index(0, 0);
        QCOMPARE(beside(main), 6);
        QCOMPARE(beside(model.index(0, 0, main)), 1); // b, which allocates most
        view->setInverted(true);
        EVENTUALLY(view->model()->isInverted() && model.columnCount() > int(TreeModel::kColumns));
        QCOMPARE(nameAt(*view->tree(), 0, TreeModel::Name), QStringLiteral("b"));
        QCOMPARE(beside(model.index(0, 0)), 1);
        view->toggleBeside(QStringLiteral("cpu/nanoseconds"));
        QCOMPARE(model.columnCount(), int(TreeModel::kColumns));
    }
    void callersAndCalleesAreWalkedThrough()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "alloc"));
        NeighboursView *view = m_window->neighbours();
        m_window->views()->setCurrentWidget(view);
        EVENTUALLY_COMPARE(view->callers()->model()->rowCount(), 2);
        QCOMPARE(nameAt(*view->callers(), 0, WeightModel::Name), QStringLiteral("parse"));
        QCOMPARE(nameAt(*view->callers(), 0, WeightModel::Total), QStringLiteral("6"));
        QCOMPARE(nameAt(*view->callers(), 0, WeightModel::Share), QStringLiteral("75.0\u202f%"));
        QCOMPARE(view->callees()->model()->rowCount(), 0);
        const QRect row = view->callers()->visualRect(view->callers()->model()->index(0, WeightModel::Name));
        QTest::mouseClick(view->callers()->viewport(), Qt::LeftButton, {}, row.center());
        QTest::keyClick(view->callers(), Qt::Key_Return);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("parse"));
        EVENTUALLY_COMPARE(view->callees()->model()->rowCount(), 2);
        QTest::keyClick(view->callers(), Qt::Key_Backspace);
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("alloc"));
    }
    void aFunctionIsWeighedByItsLines()
    {
        m_window->showDataSet(test::snapshotOf("main;f@a.c:3 5\nmain;f@a.c:7;g 2\nmain;f@a.c:7 1\n"),
                              QStringLiteral("lines"));
        EVENTUALLY(!m_window->session().isEvaluating());
        m_window->session().selectEntry(*entryNamed(*m_window->session().evaluation()->tree, "f"));
        m_window->views()->setCurrentWidget(m_window->neighbours());
        QTableView *lines = m_window->neighbours()->lines();
        EVENTUALLY_COMPARE(lines->model()->rowCount(), 2);
        QCOMPARE(nameAt(*lines, 0, WeightModel::Name), QStringLiteral("a.c:3"));
        QCOMPARE(nameAt(*lines, 1, WeightModel::Total), QStringLiteral("3"));
        QCOMPARE(nameAt(*lines, 1, WeightModel::Self), QStringLiteral("1"));
    }
    void tablesAreCopiedInEachForm()
    {
        m_window->views()->setCurrentWidget(m_window->callTree());
        m_window->callTree()->expandHeaviest();
        const auto copied = [this](const char *id) {
            m_window->commands()[QLatin1String(id)]->trigger();
            return QGuiApplication::clipboard()->text();
        };
        QVERIFY(copied("copy-table").contains(QStringLiteral("\n12\t60\t0\t  render\t")));
        QVERIFY(
            copied("copy-table-text").contains(QStringLiteral("\n   12   60.0\u202f%     0    render\n")));
        QVERIFY(copied("copy-table-markdown").contains(QStringLiteral("\n|--:|--:|--:|:--|:--|\n")));
        const QJsonArray rows = QJsonDocument::fromJson(copied("copy-table-json").toUtf8()).array();
        QCOMPARE(rows.at(0).toObject().value(QStringLiteral("Function")).toString(), QStringLiteral("main"));
    }
    void theCallTreeFindsTheSelectedFunctionAfterTheLensHasChanged()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "alloc"));
        m_window->session().setLens(parseLens("hide:^render$").value());
        EVENTUALLY(!m_window->session().isEvaluating());
        m_window->views()->setCurrentWidget(m_window->callTree());
        const QTreeView *tree = m_window->callTree()->tree();
        const auto current = [tree] {
            return tree->currentIndex().siblingAtColumn(TreeModel::Name).data().toString();
        };
        EVENTUALLY_COMPARE(current(), QStringLiteral("alloc"));
        QCOMPARE(tree->currentIndex().parent().siblingAtColumn(TreeModel::Name).data().toString(),
                 QStringLiteral("parse"));
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("alloc"));
    }
    void takingTheKeyboardSelectsNothing()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "draw"));
        m_window->views()->setCurrentWidget(m_window->callTree());
        m_window->callTree()->tree()->setFocus();
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("draw"));
    }
    void theStackIsCopiedFromItsRoot()
    {
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "draw"));
        QTest::keyClick(&flames(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("main\nrender\ndraw"));
        QTest::keyClick(&flames(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("draw"));
    }
    void thePaletteGoesToFunctionsAndRunsCommands()
    {
        Palette &palette = *m_window->goTo();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
        QVERIFY(palette.isVisible());
        QTest::keyClicks(palette.edit(), QStringLiteral("cop"));
        EVENTUALLY_COMPARE(palette.list()->currentIndex().data().toString(), QStringLiteral("copy"));
        QTest::keyClick(palette.edit(), Qt::Key_Return);
        QVERIFY(!palette.isVisible());
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("copy"));
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClicks(palette.edit(), QStringLiteral("top fun"));
        QTest::keyClick(palette.edit(), Qt::Key_Return);
        QCOMPARE(m_window->views()->currentWidget(), m_window->top());
    }
    void everyCommandHasANameAndNoTwoShareTheirKeys()
    {
        QSet<QString> keys;
        for (const QAction *action : m_window->commands().all()) {
            QVERIFY(!action->text().isEmpty());
            QVERIFY(!Commands::groupOf(*action).isEmpty());
            for (const QKeySequence &sequence : action->shortcuts()) {
                QVERIFY2(!keys.contains(sequence.toString()), qPrintable(sequence.toString()));
                keys.insert(sequence.toString());
            }
        }
    }
    void stepsAreOfferedForWhatIsSelectedOnly()
    {
        QVERIFY(!m_window->commands()[QStringLiteral("drop")]->isEnabled());
        QVERIFY(!m_window->commands()[QStringLiteral("undo")]->isEnabled());
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "parse"));
        QVERIFY(m_window->commands()[QStringLiteral("drop")]->isEnabled());
        QVERIFY(!m_window->commands()[QStringLiteral("merge-binary")]->isEnabled()); // it has none
        QTest::keyClick(&flames(), Qt::Key_F);
        QCOMPARE(printLens(m_window->session().lens()), std::string("from:^parse$"));
        QVERIFY(m_window->commands()[QStringLiteral("undo")]->isEnabled());
    }
    void anInvertedLensShowsCallersBelowCallees()
    {
        QTest::keyClick(&flames(), Qt::Key_I);
        EVENTUALLY(flames().scene().isInverted);
        const FlameScene &scene = flames().scene();
        QCOMPARE(scene.entryOf(scene.layout->rows[0][0].node).name, std::string_view("draw"));
        QCOMPARE(scene.entryOf(scene.layout->rows[1][0].node).name, std::string_view("render"));
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "alloc"));
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("alloc"));
        QTest::keyClick(&flames(), Qt::Key_Return);
        EVENTUALLY_COMPARE(focusName(), std::string_view("alloc"));
        QTest::keyClick(&flames(), Qt::Key_Z, Qt::ControlModifier);
        EVENTUALLY(!flames().scene().isInverted);
    }
    void aClickOnAnAttributeNarrowsTheLensAndTheNextTakesItBack()
    {
        m_window->showDataSet(test::snapshotOf("a 3 | thread=x\nb 1 | thread=y\n"), QStringLiteral("t"));
        SourcesPanel &panel = *m_window->sources();
        const auto rowOf = [&](const QString &text) {
            for (int row = 0; row < panel.model()->rowCount(); ++row)
                if (panel.model()->index(row, 0).data().toString() == text)
                    return panel.model()->index(row, 0);
            return QModelIndex();
        };
        EVENTUALLY(rowOf(QStringLiteral("y")).isValid());
        const auto click = [&] {
            QTest::mouseClick(panel.viewport(), Qt::LeftButton, {},
                              panel.visualRect(rowOf(QStringLiteral("y"))).center());
        };
        click();
        QCOMPARE(printLens(m_window->session().lens()), std::string("@thread=y"));
        EVENTUALLY_COMPARE(matched(), std::int64_t(1));
        click();
        QVERIFY(m_window->session().lens() == Lens());
    }
    void chipsReadLikeWords()
    {
        const auto text = [](const char *lens) {
            const ChipText chip = chipTextOf(parseLens(lens).value());
            return chip.word + QLatin1Char('|') + chip.value;
        };
        QCOMPARE(text("-/^json::parse$/"), QStringLiteral("drop|json::parse"));
        QCOMPARE(text("hide:(^|/)libc\\.so\\.6$"), QStringLiteral("hide|libc.so.6"));
        QCOMPARE(text("hide:^a.c$"), QStringLiteral("hide|^a.c$")); // matches more than one name
        QCOMPARE(text("-@thread=worker"), QStringLiteral("not thread|worker"));
        QCOMPARE(text("time=2s..4s"), QStringLiteral("time|2s..4s"));
    }
    void screenReadersSeeTheBoxes()
    {
        QAccessible::setActive(true);
        QAccessibleInterface *graph = QAccessible::queryAccessibleInterface(&flames());
        QVERIFY(graph != nullptr);
        QCOMPARE(graph->role(), QAccessible::Tree);
        QCOMPARE(graph->childCount(), 7);
        QCOMPARE(graph->child(0)->text(QAccessible::Name), QStringLiteral("main"));
        QVERIFY(graph->child(0)->text(QAccessible::Value).contains(QStringLiteral("100")));
        QCOMPARE(graph->indexOfChild(graph->child(2)), 2);
        graph->child(1)->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("render"));
        QCOMPARE(graph->focusChild(), graph->child(1));
        QAccessible::setActive(false);
    }
    void theLogKeepsWhatThreadsSayAndShowsWhatIsAskedFor()
    {
        LogModel log;
        std::jthread([&log] { log.add(LogLevel::Problem, QStringLiteral("port"), QStringLiteral("busy")); });
        log.add(LogLevel::Detail, QStringLiteral("files"), QStringLiteral("read"));
        EVENTUALLY_COMPARE(log.rowCount(), 1); // details are not shown at first
        log.setFilter(LogLevel::Detail, {});
        QCOMPARE(log.rowCount(), 2);
        log.setFilter(LogLevel::Detail, QStringLiteral("BUS"));
        QCOMPARE(log.rowCount(), 1);
        QVERIFY(LogModel::lineOf(log.entry(0)).endsWith(QStringLiteral("problem\tport\tbusy")));
    }
    void namesAreShownAsChosen()
    {
        const QString name = QStringLiteral("ns::list::add(int,char)");
        m_window->showDataSet(test::snapshotOf("main;ns::list::add(int,char) 5\n"), QStringLiteral("names"));
        QTableView *table = m_window->top()->table();
        EVENTUALLY_COMPARE(table->model()->rowCount(), 2);
        Settings settings = Settings::load();
        settings.names = NameDetail::Short;
        m_window->applySettings(settings);
        const QModelIndex cell = table->model()->index(0, TopModel::Name);
        QCOMPARE(cell.data().toString(), QStringLiteral("list::add"));
        QCOMPARE(cell.data(Qt::ToolTipRole).toString(), name);
        m_window->applySettings(Settings::load());
        QCOMPARE(cell.data().toString(), name);
        const QFontMetrics metrics(table->font());
        const int room = metrics.horizontalAdvance(QStringLiteral("ns::list::add"));
        QCOMPARE(functionText(name.toStdString(), metrics, room), QStringLiteral("ns::list::add"));
        QCOMPARE(functionText(name.toStdString(), metrics, 10'000), name);
    }
    void settingsSurviveAndKeysCanBeChanged()
    {
        Settings settings = Settings::load();
        settings.theme = ThemeKind::Dark;
        settings.keys.insert(QStringLiteral("drop"), {QKeySequence(Qt::CTRL | Qt::Key_D)});
        settings.save();
        QVERIFY(Settings::load() == settings);
        m_window->applySettings(settings);
        QCOMPARE(m_window->commands()[QStringLiteral("drop")]->shortcut(),
                 QKeySequence(Qt::CTRL | Qt::Key_D));
        QCOMPARE(theme().kind, ThemeKind::Dark);
        QSettings().clear();
        applyTheme(ThemeKind::Light);
    }
    void newerDataKeepsSelectionAndFocus()
    {
        Store store;
        store.append(test::batchOf(kProfile));
        m_window->showDataSet(store.publish(), QStringLiteral("test"));
        EVENTUALLY(!m_window->session().isEvaluating());
        QTest::mouseDClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "parse"));
        EVENTUALLY_COMPARE(focusName(), std::string_view("parse"));
        QTest::mouseClick(flames().viewport(), Qt::LeftButton, {}, placeOf(flames(), "copy"));
        store.append(test::batchOf("a;b 1\nmain;parse;copy 5\n"));
        m_window->session().updateDataSet(store.publish());
        EVENTUALLY_COMPARE(total(), std::int64_t(26));
        EVENTUALLY(flames().scene().evaluation == m_window->session().evaluation());
        QCOMPARE(focusName(), std::string_view("parse"));
        QCOMPARE(m_window->session().selectedName(), QStringLiteral("copy"));
        QVERIFY(m_window->session().selectedEntry().has_value());
    }
    void draggingOnTheTimelineNarrowsEveryViewToARange()
    {
        showTenSeconds();
        drag(0.5, 1);
        EVENTUALLY_COMPARE(matched(), std::int64_t(5));
        QTest::keyClick(m_window->timeline(), Qt::Key_Escape);
        EVENTUALLY_COMPARE(matched(), std::int64_t(10));
        m_window->showDataSet(test::snapshotOf("untimed 1\n"), QStringLiteral("none"));
        EVENTUALLY(!m_window->timeline()->isVisible());
    }
    void theTimelineIsZoomedThroughRangesAndBack()
    {
        TimelineView *timeline = m_window->timeline();
        showTenSeconds();
        const TimeRange all = timeline->scene().activity->all;
        drag(0.5, 1);
        QTest::keyClick(timeline, Qt::Key_Z);
        EVENTUALLY(timeline->scene().activity->timeline.range.begin > all.begin);
        const TimeRange half = timeline->scene().activity->timeline.range;
        drag(0.5, 1);
        EVENTUALLY_COMPARE(matched(), std::int64_t(3));
        QTest::keyClick(timeline, Qt::Key_Z);
        EVENTUALLY(timeline->scene().activity->timeline.range.begin > half.begin);
        const auto crumbs = timeline->rangeBar()->findChildren<QPushButton *>();
        const auto crumb = std::ranges::find_if(crumbs, [](const QPushButton *button) {
            return button->text().startsWith(QLatin1String("All 9"));
        });
        QVERIFY(crumb != crumbs.end());
        QTest::mouseClick(*crumb, Qt::LeftButton);
        EVENTUALLY(timeline->scene().activity->timeline.range == all);
        QCOMPARE(matched(), std::int64_t(3)); // the range stays
    }
    void aLaneOpensAndAClickShowsItAlone()
    {
        TimelineView *timeline = m_window->timeline();
        m_window->showDataSet(test::snapshotOf("f 4 | process=p thread=a @1\nf 3 | process=p thread=b @9\n"
                                               "f 2 | process=q thread=c @5\n"),
                              QStringLiteral("lanes"));
        EVENTUALLY(timeline->isVisible());
        EVENTUALLY_COMPARE(timeline->scene().rows(), std::size_t(3));
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->scene().mark(1).center());
        EVENTUALLY_COMPARE(timeline->scene().rows(), std::size_t(5));
        const QRect row = timeline->scene().row(3);
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, {60, row.center().y()});
        QCOMPARE(QString::fromStdString(printLens(m_window->session().lens())), QStringLiteral("@thread=b"));
        EVENTUALLY_COMPARE(matched(), std::int64_t(3));
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, {60, row.center().y()});
        EVENTUALLY_COMPARE(matched(), std::int64_t(9));
        timeline->setFocus();
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(timeline, Qt::Key_Down);
        QTest::keyClick(timeline, Qt::Key_Return);
        EVENTUALLY_COMPARE(matched(), std::int64_t(2));
    }
    void liveDataIsFollowedAndPaused()
    {
        Store store;
        const auto at = [](const char *name, int second) {
            return test::batchOf(std::string(name) + " 1 | @" + std::to_string(second * 1'000'000'000LL) +
                                 '\n');
        };
        store.append(at("a", 1));
        m_window->showDataSet(store.publish(), QStringLiteral("live"));
        m_window->session().setLive(true);
        m_window->timeline()->follow(true);
        store.append(at("b", 40));
        m_window->session().updateDataSet(store.publish());
        EVENTUALLY_COMPARE(matched(), std::int64_t(1));
        EVENTUALLY_COMPARE(total(), std::int64_t(2));
        QCOMPARE(QString::fromStdString(printLens(m_window->session().lens())),
                 QStringLiteral("time=-30s.."));
        QTest::keyClick(m_window->timeline(), Qt::Key_Space);
        QVERIFY(m_window->session().isPaused());
        store.append(at("c", 41));
        m_window->session().updateDataSet(store.publish());
        QCOMPARE(m_window->session().snapshot()->sampleCount(), std::uint64_t(2));
        QTest::keyClick(m_window->timeline(), Qt::Key_Space);
        EVENTUALLY_COMPARE(matched(), std::int64_t(2));
    }
    void everyThemeIsPaintedAtEveryScale()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            applyTheme(kind);
            const QImage image = m_window->grab().toImage();
            QVERIFY(image.width() > 0);
            // The panel behind the flame graph has the theme's colour.
            const QPoint corner = flames().mapTo(m_window.get(), QPoint(2, flames().height() - 3));
            QCOMPARE(image.pixelColor(corner).name(), theme().panel.name());
        }
        applyTheme(ThemeKind::Light);
    }

private:
    void showTenSeconds()
    {
        std::string profile;
        for (int second = 0; second < 10; ++second)
            profile += (second < 5 ? "early 1 | part=1 @" : "late 1 | part=2 @") +
                       std::to_string(second * 1'000'000'000LL + 1) + '\n';
        m_window->showDataSet(test::snapshotOf(profile), QStringLiteral("times"));
        EVENTUALLY(m_window->timeline()->isVisible());
    }
    /// Over the timeline, from one part of its width to another.
    void drag(double from, double to)
    {
        TimelineView *timeline = m_window->timeline();
        const TimelineScene &scene = timeline->scene();
        const auto place = [&](double share) {
            return QPoint(scene.left() + static_cast<int>(share * scene.width()), 10);
        };
        QTest::mousePress(timeline->viewport(), Qt::LeftButton, {}, place(from));
        QTest::mouseMove(timeline->viewport(), place(to));
        QTest::mouseRelease(timeline->viewport(), Qt::LeftButton, {}, place(to));
    }
    /// -1 until a data set has been evaluated.
    std::int64_t matched() const
    {
        const auto &evaluation = m_window->session().evaluation();
        return evaluation ? evaluation->matched : -1;
    }
    std::int64_t total() const
    {
        const auto &evaluation = m_window->session().evaluation();
        return evaluation ? evaluation->total : -1;
    }
    FlameView &flames() { return *m_window->flames()->view(); }
    std::string_view focusName()
    {
        return flames().focus() == TreeShape::kRoot ? "all" : flames().scene().entryOf(flames().focus()).name;
    }

    LogModel m_log;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
