#include "app/window/source_search.h"
#include "tests/support/eventually.h"
#include "tests/support/profile_text.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace hearth;

/// How the window gets at sources that are not where they were compiled.
class TestSourceSearch : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const QString m_wanted = QStringLiteral("/gone/app/src/parse.c");

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("checkout/app/src")));
        QFile file(m_folder.filePath(QStringLiteral("checkout/app/src/parse.c")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("int parse;\n");
    }

    void aFolderWithTheFileBecomesAPlace()
    {
        SourceSearch search;
        QSignalSpy found(&search, &SourceSearch::found);
        search.findIn(m_wanted, m_folder.path());
        EVENTUALLY_COMPARE(found.size(), 1);
        const QString place = found[0][0].toString();
        QCOMPARE(place, QStringLiteral("/gone=") + m_folder.filePath(QStringLiteral("checkout")));

        const auto snapshot = test::snapshotOf("main 1\n");
        const SourceRequest request{m_wanted.toStdString(), {}};
        QVERIFY(search.reader()->findSource(*snapshot, request, {}).text == nullptr);
        QSignalSpy changed(&search, &SourceSearch::readerChanged);
        search.setPlaces({}, {}, {place});
        QCOMPARE(changed.size(), 1);
        const SourceFound source = search.reader()->findSource(*snapshot, request, {});
        QVERIFY(source.text != nullptr);
        QCOMPARE(QByteArray(source.text->line(1).data(), qsizetype(source.text->line(1).size())),
                 QByteArray("int parse;"));
        search.setPlaces({}, {}, {place}); // nothing new
        QCOMPARE(changed.size(), 1);
    }

    void aFolderWithoutItIsNone()
    {
        const QTemporaryDir empty;
        SourceSearch search;
        QSignalSpy failed(&search, &SourceSearch::failed);
        search.findIn(m_wanted, empty.path());
        EVENTUALLY_COMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].toString(), QStringLiteral("There is no parse.c in ") + empty.path() + '.');
    }
};

QTEST_GUILESS_MAIN(TestSourceSearch)
#include "tst_source_search.moc"
