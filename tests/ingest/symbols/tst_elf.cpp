#include "ingest/elf/demangle.h"
#include "ingest/elf/dwarf/dwarf_file.h"
#include "ingest/elf/symbol_table.h"
#include "ingest/symbols/program.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

using namespace hearth;

namespace {

std::string known(const char *name)
{
    return std::string(KNOWN_PROGRAMS "/") + name;
}

/// What a program says of one of its addresses.
struct Claim {
    std::uint64_t address = 0;
    QStringList functions; ///< "name:line", the innermost first
};

std::vector<Claim> claimsOf(const std::string &program)
{
    QProcess process;
    process.start(QString::fromStdString(program), QStringList());
    process.waitForFinished(-1);
    std::vector<Claim> claims;
    for (const QByteArray &line : process.readAllStandardOutput().trimmed().split('\n')) {
        const QString text = QString::fromUtf8(line);
        Claim claim{.address = text.section(QLatin1Char(' '), 0, 0).toULongLong(nullptr, 16),
                    .functions = {}};
        QString function;
        for (const QString &word : text.section(QLatin1Char(' '), 1).split(QLatin1Char(' '))) {
            function += (function.isEmpty() ? QString() : QStringLiteral(" ")) + word;
            if (word.back().isDigit() && word.contains(QLatin1Char(':'))) {
                claim.functions += function;
                function.clear();
            }
        }
        claims.push_back(claim);
    }
    std::ranges::sort(claims, {}, &Claim::address);
    return claims;
}

QStringList texts(const std::vector<SymbolLine> &chain, bool hasLines = true)
{
    QStringList functions;
    for (const SymbolLine &line : chain)
        functions += QString::fromStdString(line.name.str()) +
                     (hasLines ? QStringLiteral(":%1").arg(line.line) : QString());
    return functions;
}

Program programOf(const std::string &path, const std::string &debug = {}, const std::string &supplement = {})
{
    const auto opened = [](const std::string &file) { return ElfFile::open(file).value_or(nullptr); };
    ProgramFiles files{.program = opened(path), .debug = nullptr, .supplement = nullptr};
    files.debug = debug.empty() ? files.program : opened(debug);
    if (!supplement.empty())
        files.supplement = opened(supplement);
    return Program(std::move(files));
}

std::vector<std::uint64_t> offsetsOf(const std::vector<Claim> &claims, const std::string &path)
{
    const auto file = *ElfFile::open(path);
    std::vector<std::uint64_t> offsets;
    for (const Claim &claim : claims)
        offsets.push_back(file->offsetOfAddress(claim.address).value_or(0));
    return offsets;
}

std::vector<std::uint8_t> bytesOf(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

/// Programs as they lie on disks: what they are and what they say of their addresses. The answers are those
/// that the program itself gives when it runs.
class TestElf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addressesHaveFunctionsAndLines_data()
    {
        QTest::addColumn<QByteArray>("program");
        QTest::addColumn<QByteArray>("debug");
        QTest::addColumn<QByteArray>("supplement");
        for (const char *const name : {"dwarf5", "dwarf4", "dwarf3", "dwarf64", "packed", "split5", "split4",
                                       "framed", "clang5", "clang4", "clang_split"})
            QTest::newRow(name) << QByteArray(name) << QByteArray() << QByteArray();
        for (const char *const name : {"package4/program", "package5/program"})
            QTest::newRow(name) << QByteArray(name) << QByteArray() << QByteArray();
        QTest::newRow("apart") << QByteArray("stripped") << QByteArray("stripped.debug") << QByteArray();
        QTest::newRow("shared") << QByteArray("shared5") << QByteArray() << QByteArray("shared.dwz");
        QTest::newRow("shared, version 4")
            << QByteArray("shared4") << QByteArray() << QByteArray("shared.dwz");
    }
    void addressesHaveFunctionsAndLines()
    {
        QFETCH(QByteArray, program);
        QFETCH(QByteArray, debug);
        QFETCH(QByteArray, supplement);
        const std::string path = known(program);
        if (program.startsWith("package") && !QFile::exists(QString::fromStdString(path)))
            QSKIP("there was no llvm-dwp to put split debug information together with");
        if (program.startsWith("clang") && !QFile::exists(QString::fromStdString(path)))
            QSKIP("there was no clang to build programs with");
        const Program names = programOf(path, debug.isEmpty() ? std::string() : known(debug),
                                        supplement.isEmpty() ? std::string() : known(supplement));
        QVERIFY(names.source() == SymbolSource::DebugInformation);
        const std::vector<Claim> claims = claimsOf(path);
        QCOMPARE(claims.size(), std::size_t(5));
        const auto chains = names.namesOf(offsetsOf(claims, path));
        for (std::size_t i = 0; i < claims.size(); ++i) {
            if (program.startsWith("clang") && claims[i].functions.back().contains(u"{lambda"))
                continue; // has another name there, and is inlined
            QCOMPARE(texts(chains[i]), claims[i].functions);
            QVERIFY2(chains[i][0].file.endsWith("/known_program.cpp"), chains[i][0].file.str().c_str());
        }
    }

    void symbolTablesNameTheOutermostFunction()
    {
        const std::string path = known("nodebug");
        const Program names = programOf(path);
        QVERIFY(names.source() == SymbolSource::SymbolTable);
        const std::vector<Claim> claims = claimsOf(path);
        const auto chains = names.namesOf(offsetsOf(claims, path));
        for (std::size_t i = 0; i < claims.size(); ++i)
            QCOMPARE(texts(chains[i], false),
                     QStringList(claims[i].functions.back().section(QLatin1Char(':'), 0, -2)));
    }

    void whereDebugInformationHasShortNamesTheTableHasWholeOnes()
    {
        const std::string path = known("few");
        const std::vector<Claim> claims = claimsOf(path);
        const auto chains = programOf(path).namesOf(offsetsOf(claims, path));
        for (std::size_t i = 0; i < claims.size(); ++i)
            QCOMPARE(texts(chains[i]).back(), claims[i].functions.back());
    }

    void strippedProgramsNameOnlyWhatTheyExport()
    {
        const std::string path = known("stripped");
        const auto file = *ElfFile::open(path);
        const SymbolTable table(*file);
        QVERIFY(table.origin() != SymbolTable::Origin::Symbols);
        for (const Claim &claim : claimsOf(path))
            QVERIFY(!table.find(claim.address));
    }

    void waysIntoLibrariesAreNamed_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("with its symbols") << QStringLiteral("dwarf5");
        QTest::newRow("stripped") << QStringLiteral("stripped");
    }
    /// Against what objdump makes of the same sections.
    void waysIntoLibrariesAreNamed()
    {
        QFETCH(QString, program);
        QProcess objdump;
        objdump.start(QStringLiteral("objdump"),
                      {QStringLiteral("-d"), QStringLiteral("-j.plt"), QStringLiteral("-j.plt.sec"),
                       QStringLiteral("-j.plt.got"), QString::fromStdString(known("dwarf5"))});
        if (!objdump.waitForStarted())
            QSKIP("there is no objdump");
        objdump.waitForFinished(-1);
        const Program file({ElfFile::open(known(qPrintable(program))).value(), nullptr, nullptr});
        int stubs = 0;
        static const QRegularExpression head(QStringLiteral("^([0-9a-f]{8,}) <(\\w+@plt)>:"));
        for (const QByteArray &line : objdump.readAllStandardOutput().split('\n')) {
            const auto match = head.match(QString::fromUtf8(line));
            if (!match.hasMatch())
                continue;
            const auto found = file.table().find(match.captured(1).toULongLong(nullptr, 16) + 3);
            QVERIFY2(found, line.constData());
            QCOMPARE(QString::fromStdString(found->name), match.captured(2));
            ++stubs;
        }
        QVERIFY(stubs >= 2);
    }
    void identitiesSurviveStripping()
    {
        const auto whole = *ElfFile::open(known("dwarf5"));
        const auto stripped = *ElfFile::open(known("stripped"));
        QCOMPARE(whole->buildId().size(), std::size_t(40));
        QCOMPARE(stripped->buildId(), whole->buildId());
        QVERIFY((*ElfFile::open(known("dwarf4")))->buildId() != whole->buildId());
        QVERIFY(htlHash(stripped->bytes()) != htlHash(whole->bytes()));
        // SHA-256 of "" twice and eight zeroes, by coreutils.
        QCOMPARE(htlHash(ByteRange::ofMemory({})), std::string("af5570f5a1810b7af78caf4bc70a660f"));
    }

    void namesAreDemangled_data()
    {
        QTest::addColumn<QByteArray>("mangled");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("C++") << QByteArray("_ZNK3foo3barILi3EEEvRKSs")
                             << QByteArray("void foo::bar<3>(std::string const&) const");
        QTest::newRow("C++, a clone") << QByteArray("_Z3foov.cold") << QByteArray("foo() [clone .cold]");
        QTest::newRow("Rust, old") << QByteArray("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE")
                                   << QByteArray("core::fmt::Write::write_fmt");
        QTest::newRow("Rust, new") << QByteArray("_RNvCs1234_7mycrate3foo") << QByteArray("mycrate::foo");
        QTest::newRow("D") << QByteArray("_D3std5stdio7writelnFZv") << QByteArray("std.stdio.writeln()");
        QTest::newRow("C") << QByteArray("main") << QByteArray("main");
        QTest::newRow("not quite") << QByteArray("_Zzz") << QByteArray("_Zzz");
    }
    void namesAreDemangled()
    {
        QFETCH(QByteArray, mangled);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray::fromStdString(demangled(mangled.toStdString())), name);
    }

    void whatIsNoProgramIsSaidToBeNone_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("empty") << QByteArray() << QByteArray("is no ELF file");
        QTest::newRow("text") << QByteArray("#!/bin/sh\n") << QByteArray("is no ELF file");
        QTest::newRow("cut") << QByteArray("\x7f"
                                           "ELF\2\1\1",
                                           7)
                             << QByteArray("ends within its header");
        QTest::newRow("neither order") << QByteArray("\x7f"
                                                     "ELF\2\3\1",
                                                     7)
                                       << QByteArray("no known order");
    }
    void whatIsNoProgramIsSaidToBeNone()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, message);
        const auto file = ElfFile::of(ByteRange::ofMemory({bytes.begin(), bytes.end()}), "it");
        QVERIFY(!file);
        QVERIFY2(file.error().message.find(message.toStdString()) != std::string::npos,
                 file.error().message.c_str());
        QVERIFY(file.error().message.starts_with("it: "));
    }

    void damagedFilesHarmNobody_data()
    {
        QTest::addColumn<QByteArray>("program");
        for (const char *const name : {"dwarf5", "dwarf4", "packed", "shared5"})
            QTest::newRow(name) << QByteArray(name);
    }
    void damagedFilesHarmNobody()
    {
        QFETCH(QByteArray, program);
        const std::vector<std::uint8_t> whole = bytesOf(known(program));
        std::vector<std::uint64_t> addresses;
        for (const Claim &claim : claimsOf(known(program)))
            addresses.push_back(claim.address);
        std::mt19937 random(4711);
        for (int i = 0; i < 60; ++i) {
            std::vector<std::uint8_t> bytes = whole;
            for (auto flips = 1 + random() % 200; flips > 0; --flips)
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
            if (random() % 4 == 0)
                bytes.resize(random() % bytes.size());
            std::copy_n(whole.begin(), std::min<std::size_t>(64, bytes.size()), bytes.begin());
            const auto file = ElfFile::of(ByteRange::ofMemory(std::move(bytes)), "it");
            if (!file)
                continue;
            (void)SymbolTable(**file).find(addresses[0]);
            if (const auto dwarf = DwarfFile::of(*file))
                QCOMPARE(dwarf->linesOf(addresses).size(), addresses.size());
        }
    }
};

QTEST_GUILESS_MAIN(TestElf)
#include "tst_elf.moc"
