#include "app/window/application.h"
#include "app/workspace/workspace_file.h"
#include "ingest/formats/format.h"
#include "model/lens/lens_text.h"
#include "tests/support/eventually.h"
#include "ui/compare/compare_view.h"
#include "ui/flame/flame_page.h"
#include "ui/overview/note_edit.h"
#include "ui/overview/overview_view.h"
#include "ui/settings/settings.h"
#include "ui/sources/sources_panel.h"
#include "ui/table/top_view.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QJsonArray>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace hearth;

namespace {

/// A program of its own, with its window.
struct Running {
    explicit Running(const QString &folder, const QStringList &files = {})
        : instance(folder + QStringLiteral("/instance")),
          application(instance,
                      {.host = {}, .port = 0, .path = (folder + QStringLiteral("/port")).toStdString()})
    {
        application.start(files);
        for (QWidget *widget : QApplication::topLevelWidgets())
            if (auto *found = qobject_cast<MainWindow *>(widget))
                window = found;
    }

    SingleInstance instance;
    Application application;
    MainWindow *window = nullptr;
};

} // namespace

/// A workspace as people use it: with keys, the mouse, and another program later.
class TestWorkspaceWindow : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Running> m_program;

    QString pathOf(const char *name) { return m_folder->filePath(QString::fromUtf8(name)); }
    void write(const char *name, const QByteArray &bytes)
    {
        QFile file(pathOf(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    MainWindow &window() { return *m_program->window; }
    Session &session() { return window().session(); }
    NoteEdit &note() { return *window().overview()->note(); }
    QString message() { return window().messages()->isVisible() ? window().messages()->text() : QString(); }
    std::int64_t total() { return session().evaluation() ? session().evaluation()->total : -1; }
    void run(const char *command) { window().commands()[QString::fromLatin1(command)]->trigger(); }
    void start(const QStringList &files = {})
    {
        m_program.reset();
        m_program = std::make_unique<Running>(m_folder->path(), files);
        QApplication::setActiveWindow(m_program->window);
    }
    bool isIdle() { return !session().isEvaluating() && session().evaluation(); }
    /// With keys, and the dialog that asks for a file.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers, const char *name)
    {
        QTimer::singleShot(0, this, [this, name] { answer(name); });
        m_hasAnswered = false;
        QApplication::setActiveWindow(&window()); // a dialog before may have taken that
        QTest::keyClick(&window(), key, modifiers);
        EVENTUALLY(m_hasAnswered);
    }
    void answer(const char *name)
    {
        auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        if (dialog == nullptr) // not open yet
            return QTimer::singleShot(0, this, [this, name] { answer(name); });
        m_hasAnswered = true;
        dialog->setOption(QFileDialog::DontConfirmOverwrite);
        dialog->findChild<QLineEdit *>()->setText(pathOf(name));
        QMetaObject::invokeMethod(dialog, "accept");
    }
    void saveAs(const char *name)
    {
        press(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier, name);
    }
    void save()
    {
        QApplication::setActiveWindow(&window());
        QTest::keyClick(&window(), Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    }
    /// With the mouse, in the list at the left.
    void choose(const char *title)
    {
        SourcesPanel *list = window().sources();
        for (int i = 0; i < list->model()->rowCount(); ++i)
            if (list->rows()->row(i).text == QLatin1String(title))
                QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                                  list->visualRect(list->model()->index(i, 0)).center());
        EVENTUALLY(window().windowTitle().startsWith(QLatin1String(title)) && isIdle());
    }
    QStringList openSources()
    {
        QStringList names;
        const SourcesModel *rows = window().sources()->rows();
        for (int i = 0; i < rows->rowCount(); ++i)
            if (rows->row(i).kind == SourcesModel::RowKind::Source)
                names += rows->row(i).text;
        return names;
    }
    /// Both files, with lenses, notes, an order and a baseline, as shop.hearth.
    void saveShop()
    {
        start({pathOf("before.folded")});
        EVENTUALLY(isIdle());
        Q_EMIT window().openRequested({pathOf("after.folded")});
        EVENTUALLY(window().windowTitle() == QStringLiteral("after.folded – Hearth") && isIdle());
        session().setLens(*parseLens("parse"));
        choose("before.folded");
        Q_EMIT window().baselineRequested(idOf("after.folded"));
        window().views()->setCurrentWidget(window().top());
        window().top()->table()->horizontalHeader()->setSortIndicator(TopModel::Name, Qt::AscendingOrder);
        window().top()->filter()->setText(QStringLiteral("a"));
        saveAs("shop.hearth");
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – shop – Hearth"));
    }
    QString idOf(const char *title)
    {
        const SourcesModel *rows = window().sources()->rows();
        for (int i = 0; i < rows->rowCount(); ++i)
            if (rows->row(i).text == QLatin1String(title))
                return rows->row(i).key;
        return {};
    }
    void press(const QString &text)
    {
        for (QPushButton *button : window().messages()->findChildren<QPushButton *>())
            if (button->text() == text)
                return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL("there is no such button");
    }
    Workspace saved(const char *name)
    {
        const auto read = readWorkspace(pathOf(name));
        return read ? read->workspace : Workspace();
    }
    bool m_hasAnswered = false;

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("hearth"));
        QCoreApplication::setApplicationName(QStringLiteral("hearth-test-workspace"));
        applyTheme(ThemeKind::Light);
    }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_STATE_HOME", m_folder->path().toLocal8Bit());
        write("before.folded", "main;parse 10\nmain;draw 30\n");
        write("after.folded", "main;parse 20\nmain;draw 31\n");
    }
    void cleanup() { m_program.reset(); }

    void whatIsOpenIsThereAgainAnotherDay()
    {
        saveShop();
        start({pathOf("shop.hearth")});
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – shop – Hearth") && isIdle());
        QCOMPARE(openSources(),
                 QStringList({QStringLiteral("before.folded"), QStringLiteral("after.folded")}));
        QCOMPARE(window().views()->currentWidget(), window().top());
        QCOMPARE(window().top()->table()->horizontalHeader()->sortIndicatorSection(), int(TopModel::Name));
        QCOMPARE(window().top()->filter()->text(), QStringLiteral("a"));
        QCOMPARE(window().compare()->baseline()->name, QStringLiteral("after.folded"));
        QCOMPARE(session().lens(), Lens());
        QCOMPARE(message(), QString());
        QVERIFY(!window().isWindowModified());
        choose("after.folded");
        QCOMPARE(printLens(session().lens()), std::string("parse"));
        QCOMPARE(session().evaluation()->matched, 20);
    }
    void theFileHasNamesThatGoWithItsFolder()
    {
        saveShop();
        QFile file(pathOf("shop.hearth"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("\"path\": \"before.folded\""), text);
        QVERIFY2(text.contains("\"view\": \"top\""), text);
        QVERIFY(!text.contains(m_folder->path().toUtf8()));
        QVERIFY(saved("shop.hearth").baseline);
    }
    void changesAreMarkedAndUndoneOnesAreNone()
    {
        saveShop();
        QVERIFY(!window().isWindowModified());
        session().setLens(*parseLens("draw"));
        EVENTUALLY(window().isWindowModified());
        QVERIFY(window().windowTitle().startsWith(QStringLiteral("before.folded[*] – shop")));
        session().undo();
        EVENTUALLY(!window().isWindowModified());
        window().views()->setCurrentWidget(window().overview());
        EVENTUALLY(window().isWindowModified());
        save();
        EVENTUALLY(!window().isWindowModified());
        QCOMPARE(saved("shop.hearth").window.view, QStringLiteral("overview"));
    }
    void notesAreWrittenInTheOverviewAndAreThereAgain()
    {
        saveShop();
        window().views()->setCurrentWidget(window().overview());
        QTest::mouseClick(note().viewport(), Qt::LeftButton);
        QTest::keyClicks(&note(), QStringLiteral("slow 1 since /Tuesday"));
        QTest::mouseClick(window().overview()->workspaceNote()->viewport(), Qt::LeftButton);
        QTest::keyClicks(window().overview()->workspaceNote(), QStringLiteral("the shop"));
        QCOMPARE(window().views()->currentWidget(), window().overview()); // letters are no commands here
        EVENTUALLY(window().isWindowModified());
        save();
        QCOMPARE(saved("shop.hearth").note, QStringLiteral("the shop"));
        QCOMPARE(saved("shop.hearth").sources[0].note, QStringLiteral("slow 1 since /Tuesday"));
        start({pathOf("shop.hearth")});
        EVENTUALLY_COMPARE(note().toPlainText(), QStringLiteral("slow 1 since /Tuesday"));
        QCOMPARE(window().overview()->workspaceNote()->toPlainText(), QStringLiteral("the shop"));
        choose("after.folded");
        QCOMPARE(note().toPlainText(), QString());
    }
    void aNoteWithoutAWorkspaceIsMarkedAsNotSaved()
    {
        start({pathOf("before.folded")});
        EVENTUALLY(isIdle());
        QVERIFY(!window().isWindowModified());
        window().views()->setCurrentWidget(window().overview());
        QTest::keyClicks(&note(), QStringLiteral("x"));
        EVENTUALLY(window().isWindowModified());
        saveAs("x"); // which gets its ending
        EVENTUALLY(!window().isWindowModified());
        QCOMPARE(saved("x.hearth").sources[0].note, QStringLiteral("x"));
    }
    void filesThatChangedOrWentAreSaidAndNotForgotten()
    {
        saveShop();
        write("before.folded", "main;parse 11\n");
        QVERIFY(QFile::remove(pathOf("after.folded")));
        start({pathOf("shop.hearth")});
        EVENTUALLY(message().contains(QStringLiteral("after.folded is gone")));
        QVERIFY(message().contains(QStringLiteral("before.folded has changed since")));
        QCOMPARE(openSources(), QStringList(QStringLiteral("before.folded")));
        EVENTUALLY(isIdle());
        QCOMPARE(total(), 11);
        save();
        QCOMPARE(saved("shop.hearth").sources.size(), std::size_t(2));
        QCOMPARE(printLens(saved("shop.hearth").sources[1].lens), std::string("parse"));
    }
    void whatWasReceivedIsSavedBesideItOnRequest()
    {
        start();
        run("open-demo");
        EVENTUALLY(isIdle());
        const std::int64_t demoTotal = total();
        saveAs("demo.hearth");
        EVENTUALLY(
            message().contains(QStringLiteral("Left out, because no file has it as it is now: Demo.")));
        QVERIFY(saved("demo.hearth").sources.empty());
        press(QStringLiteral("Save it beside the workspace"));
        EVENTUALLY(QFile::exists(pathOf("demo-Demo.otlp.zst")) && saved("demo.hearth").sources.size() == 1);
        EVENTUALLY_COMPARE(message(), QStringLiteral("Saved as %1.").arg(pathOf("demo.hearth")));
        start({pathOf("demo.hearth")});
        EVENTUALLY(window().windowTitle() == QStringLiteral("Demo – demo – Hearth") && isIdle());
        QCOMPARE(total(), demoTotal);
    }
    void anotherWorkspaceTakesThePlaceOfTheFirstAndBack()
    {
        saveShop();
        write("other.hearth", R"({"hearthWorkspace": 1, "sources": [{"files": [{"path": "before.folded"}],
                                 "lens": "draw", "note": "n"}]})");
        press(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier, "other.hearth");
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – other – Hearth") && isIdle());
        QCOMPARE(openSources(), QStringList(QStringLiteral("before.folded")));
        EVENTUALLY_COMPARE(printLens(session().lens()), std::string("draw"));
        QCOMPARE(note().toPlainText(), QStringLiteral("n"));
        press(QStringLiteral("Back to what was open before"));
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – shop – Hearth") && isIdle());
        QCOMPARE(openSources().size(), 2);
        QCOMPARE(session().lens(), Lens());
    }
    void aDroppedWorkspaceIsOpenedAlsoUnderAnotherName()
    {
        saveShop();
        QVERIFY(QFile::copy(pathOf("shop.hearth"), pathOf("mail.txt")));
        start();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(pathOf("mail.txt"))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &enter);
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window(), &drop);
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – mail – Hearth"));
    }
    void aWorkspaceInAWorkspaceIsNotFollowed()
    {
        write("a.hearth", R"({"hearthWorkspace": 1, "note": "kept", "sources": [
                             {"files": [{"path": "a.hearth"}]}, {"files": [{"path": "before.folded"}]}]})");
        start({pathOf("a.hearth")});
        EVENTUALLY(message().contains(QStringLiteral("a workspace, which says where profiles are")));
        EVENTUALLY(window().windowTitle() == QStringLiteral("before.folded – a – Hearth"));
        QCOMPARE(window().overview()->workspaceNote()->toPlainText(), QStringLiteral("kept"));
    }
    void whatWasNotUnderstoodIsNotOverwritten()
    {
        const QByteArray newer = R"({"hearthWorkspace": 9, "marvel": 1,
                                     "sources": [{"files": [{"path": "before.folded"}]}]})";
        write("new.hearth", newer);
        start({pathOf("new.hearth")});
        EVENTUALLY(message().contains(QStringLiteral("newer Hearth")) && isIdle());
        press(Qt::Key_S, Qt::ControlModifier | Qt::AltModifier, "mine.hearth");
        EVENTUALLY(QFile::exists(pathOf("mine.hearth")));
        QFile file(pathOf("new.hearth"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), newer);
    }
    void whatIsNoWorkspaceIsSaidAndNothingIsLost()
    {
        start({pathOf("before.folded")});
        EVENTUALLY(isIdle());
        write("bad.hearth", "{\"hearthWorkspace\": oh");
        Q_EMIT window().openRequested({pathOf("bad.hearth")});
        EVENTUALLY(message().contains(QStringLiteral("not a workspace of Hearth: line 1: damaged")));
        QCOMPARE(openSources(), QStringList(QStringLiteral("before.folded")));
    }
    void choicesOfFlameGraphAndCompareAreKept()
    {
        saveShop();
        WindowState state = window().state();
        QJsonObject flames = state.choices[QStringLiteral("flames")].toObject();
        flames[QStringLiteral("growsUp")] = true;
        flames[QStringLiteral("order")] = QStringLiteral("name");
        flames[QStringLiteral("colour")] = QStringLiteral("binary");
        QJsonObject compare = state.choices[QStringLiteral("compare")].toObject();
        compare[QStringLiteral("scale")] = QStringLiteral("total");
        compare[QStringLiteral("picture")] = QStringLiteral("table");
        compare[QStringLiteral("isSwapped")] = true;
        compare[QStringLiteral("hidesNoise")] = true;
        state.choices[QStringLiteral("flames")] = flames;
        state.choices[QStringLiteral("compare")] = compare;
        window().restore(state);
        QCOMPARE(window().state().choices, state.choices);
        QVERIFY(window().flames()->view()->scene().growsUp);
        QVERIFY(window().compare()->isSwapped());
    }
    void panelsAreWhereTheyWereAndNonsenseMovesNone()
    {
        saveShop();
        run("show-log");
        const WindowState state = window().state();
        QVERIFY(state.layout[QStringLiteral("log")].toObject()[QStringLiteral("isShown")].toBool());
        run("show-log");
        run("show-sources");
        QVERIFY(window().state().layout != state.layout);
        window().restore(state);
        QCOMPARE(window().state().layout, state.layout);
        WindowState nonsense = state;
        nonsense.view = QStringLiteral("nothing");
        nonsense.layout = {
            {QStringLiteral("log"), QJsonObject{{QStringLiteral("area"), QStringLiteral("sky")}}},
            {QStringLiteral("sources"), 7}};
        nonsense.choices = {{QStringLiteral("top"), 3}, {QStringLiteral("flames"), QJsonArray{1}}};
        window().restore(nonsense);
        QCOMPARE(window().state().layout, state.layout);
        QCOMPARE(window().state().view, state.view);
    }
};

QTEST_MAIN(TestWorkspaceWindow)
#include "tst_workspace_window.moc"
