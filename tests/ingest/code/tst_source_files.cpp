#include "ingest/code/code_files.h"
#include "ingest/code/source_file.h"
#include "ingest/code/source_places.h"
#include "tests/support/sampled_places.h"

#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

namespace fs = std::filesystem;

const std::string kProgram = KNOWN_PROGRAMS "/dwarf5";

std::string converted(std::string_view bytes)
{
    return sourceTextOf({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
}

/// Its lines, each between bars.
std::string lined(const std::string &text)
{
    const SourceText source(text);
    std::string lines;
    for (std::size_t i = 1; i <= source.lineCount(); ++i)
        lines += '|' + std::string(source.line(static_cast<std::int64_t>(i)));
    return lines + '|';
}

void write(const std::string &path, std::string_view text)
{
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// A data set with one sample somewhere in the known program.
std::shared_ptr<const Snapshot> snapshot()
{
    return test::namedPlaces(
        {{kProgram, test::buildIdOf(kProgram), test::offsetOfFunction(kProgram, "main")}});
}

SourceFound found(const std::string &path, const std::vector<std::string> &places = {},
                  const std::string &cache = "/nowhere")
{
    SourcePlaces sources;
    sources.places = places;
    sources.debuginfod.cache = cache;
    return CodeFiles({}, sources).findSource(*snapshot(), {path, BinaryId(0)}, {});
}

} // namespace

/// Source files: where they are found, and what is made of their bytes.
class TestSourceFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesEndInAnyWay()
    {
        COMPARE_TEXT(lined("a\nb\r\nc\rd"), "|a|b|c|d|");
        COMPARE_TEXT(lined("a\n\n\r\n"), "|a|||");
        COMPARE_TEXT(lined(""), "|");
        const SourceText source("a\nb");
        COMPARE_TEXT(std::string(source.line(0)), "");
        COMPARE_TEXT(std::string(source.line(3)), "");
        COMPARE_TEXT(std::string(source.line(-1)), "");
    }

    void everyEncodingBecomesUtf8()
    {
        COMPARE_TEXT(converted("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
        COMPARE_TEXT(converted("\xef\xbb\xbfint"), "int");
        COMPARE_TEXT(converted("gr\xfc\xdf"), "gr\xc3\xbc\xc3\x9f");
        COMPARE_TEXT(converted(std::string_view("\xff\xfei\0n\0t\0", 8)), "int");
        COMPARE_TEXT(converted(std::string_view("\xfe\xff\0i\0n\0t", 8)), "int");
    }

    void linesAreThoseOfTheText()
    {
        const bool holds = rc::check("lines put together are the text", [] {
            const auto lines = *rc::gen::container<std::vector<std::string>>(
                rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
            std::string text;
            for (const std::string &line : lines)
                text += line + *rc::gen::element<std::string>("\n", "\r\n");
            const SourceText source(text);
            RC_ASSERT(source.lineCount() == lines.size());
            for (std::size_t i = 0; i < lines.size(); ++i)
                RC_ASSERT(source.line(static_cast<std::int64_t>(i + 1)) == lines[i]);
        });
        QVERIFY(holds);
    }

    void largeFilesAreRead()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("long.c")).toStdString();
        write(path, std::string(1 << 20, 'x') + '\n' + std::string(100'000, '\n'));
        const auto source = readSource(path).value();
        QCOMPARE(source->lineCount(), std::size_t(100'001));
        QCOMPARE(source->line(1).size(), std::size_t(1 << 20));
        const auto missing = readSource(path + ".gone");
        QVERIFY(!missing && missing.error().message.find("long.c.gone") != std::string::npos);
    }

    void aMappingComesBeforeThePathItself()
    {
        const auto candidates = candidatesFor("/build/app/src/a.c", {"/build/app=/home/me/app"}, {});
        QCOMPARE(candidates, (std::vector<std::string>{"/home/me/app/src/a.c", "/build/app/src/a.c"}));
    }

    void aMappingIsOfWholeNames()
    {
        const auto candidates =
            candidatesFor("/build/apple/a.c", {"/build/app=/home/me/app", "/build/=/b"}, {});
        QCOMPARE(candidates, (std::vector<std::string>{"/b/apple/a.c", "/build/apple/a.c"}));
    }

    void aFolderIsTriedWithEveryEndOfThePath()
    {
        const auto candidates = candidatesFor("/x/src/a.c", {"/home/me"}, {});
        QCOMPARE(candidates, (std::vector<std::string>{"/x/src/a.c", "/home/me/x/src/a.c", "/home/me/src/a.c",
                                                       "/home/me/a.c"}));
    }

    void relativePathsAreLookedForAroundTheProgram()
    {
        const auto candidates = candidatesFor("src/a.c", {}, "/home/me/build/app");
        QCOMPARE(candidates,
                 (std::vector<std::string>{"/home/me/build/src/a.c", "/home/me/src/a.c", "/home/src/a.c"}));
    }

    void whatAFolderIsChosenForBecomesAMapping()
    {
        COMPARE_TEXT(mappingBetween("/build/app/src/a.c", "/home/me/app/src/a.c"), "/build=/home/me");
        COMPARE_TEXT(mappingBetween("/build/x/a.c", "/home/y/a.c"), "/build/x=/home/y");
        COMPARE_TEXT(mappingBetween("/build/xy/a.c", "/home/zy/a.c"), "/build/xy=/home/zy");
        COMPARE_TEXT(mappingBetween("src/a.c", "/home/me/src/a.c"), "/home/me/");
    }

    void aMappingLeadsToTheFileThatItWasMadeOf()
    {
        const bool holds = rc::check("the mapped path is a candidate", [] {
            const auto part = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'd')));
            const auto path =
                rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(part)),
                             [](const std::vector<std::string> &parts) {
                                 std::string joined;
                                 for (const std::string &one : parts)
                                     joined += '/' + one;
                                 return joined;
                             });
            const std::string end = *path;
            const std::string wanted = *path + end;
            const std::string found = *path + end;
            const auto candidates = candidatesFor(wanted, {mappingBetween(wanted, found)}, {});
            RC_ASSERT(std::ranges::find(candidates, found) != candidates.end());
        });
        QVERIFY(holds);
    }

    void aFolderIsSearchedForTheBestOfItsFiles()
    {
        const QTemporaryDir folder;
        const std::string root = folder.path().toStdString();
        write(root + "/a/x/main.c", "");
        write(root + "/b/src/main.c", "");
        write(root + "/c/deep/src/app/main.c", "");
        COMPARE_TEXT(searchedIn(root, "/build/src/app/main.c"),
                     QByteArray::fromStdString(root + "/c/deep/src/app/main.c"));
        COMPARE_TEXT(searchedIn(root, "/build/b/src/main.c"),
                     QByteArray::fromStdString(root + "/b/src/main.c"));
        COMPARE_TEXT(searchedIn(root, "/build/none.c"), "");
    }

    void theSourceIsFoundWhereItWasCompiled()
    {
        const SourceFound source = found(KNOWN_SOURCE);
        QVERIFY(source.text != nullptr);
        COMPARE_TEXT(source.path, KNOWN_SOURCE);
        COMPARE_TEXT(std::string(source.text->line(5)), "#include <cstdint>");
    }

    void aMissingSourceSaysWhereItWasLookedFor()
    {
        const SourceFound source = found("/build/app/gone.c", {"/home/nobody"});
        QVERIFY(source.text == nullptr);
        QVERIFY(source.canBeFetched);
        QVERIFY2(source.problem.find("/build/app/gone.c is not on this machine") == 0,
                 source.problem.c_str());
        QVERIFY(std::ranges::find(source.tried, "/home/nobody/app/gone.c") != source.tried.end());
    }

    void aFolderThatIsCalledLikeASourceIsNone()
    {
        const SourceFound source = found(fs::path(kProgram).parent_path().string());
        QVERIFY(source.text == nullptr);
    }

    void aSourceThatIsNewerThanTheProgramIsMarked()
    {
        const QTemporaryDir folder;
        const std::string root = folder.path().toStdString();
        write(root + "/a.c", "int x;\n");
        fs::last_write_time(root + "/a.c", fs::last_write_time(kProgram) + std::chrono::hours(1));
        const SourceFound changed = found("/build/a.c", {"/build=" + root});
        QVERIFY(changed.text != nullptr);
        QVERIFY2(changed.problem.find("changed since dwarf5 was built") == 0, changed.problem.c_str());
        fs::last_write_time(root + "/a.c", fs::last_write_time(kProgram) - std::chrono::hours(1));
        COMPARE_TEXT(found("/build/a.c", {"/build=" + root}).problem, "");
    }

    void debuginfodsCacheHasSources()
    {
        const QTemporaryDir folder;
        const std::string cache = folder.path().toStdString();
        write(cache + '/' + test::buildIdOf(kProgram) + "/source#build#app#kept.c", "int kept;\n");
        const SourceFound source = found("/build/app/kept.c", {}, cache);
        QVERIFY(source.text != nullptr);
        COMPARE_TEXT(std::string(source.text->line(1)), "int kept;");
    }
};

QTEST_GUILESS_MAIN(TestSourceFiles)
#include "tst_source_files.moc"
