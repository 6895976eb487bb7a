#include "ingest/elf/symbol_table.h"
#include "ingest/symbols/program_finder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <filesystem>

using namespace hearth;

namespace {

constexpr std::size_t kPlaces = 4000;

QString known(const char *name)
{
    return QStringLiteral(KNOWN_PROGRAMS "/") + QLatin1String(name);
}

/// The path of a library that this program was linked with, or that systems have; empty if it is not there.
QString library(const QString &name)
{
    for (const char *const folder : {"/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/",
                                     "/usr/lib64/", "/usr/lib/", "/lib/x86_64-linux-gnu/"})
        if (QFile::exists(QLatin1String(folder) + name))
            return QLatin1String(folder) + name;
    return {};
}

std::vector<std::uint64_t> addressesIn(const ElfFile &file)
{
    const ElfSection &code = *file.section(".text");
    std::vector<std::uint64_t> addresses;
    const std::size_t count = std::min<std::size_t>(kPlaces, code.size);
    for (std::size_t i = 0; i < count; ++i)
        addresses.push_back(code.address + code.size * i / count);
    return addresses;
}

QString peer()
{
    for (const char *const name : {"llvm-symbolizer-19", "llvm-symbolizer"})
        if (const QString path = QStandardPaths::findExecutable(QLatin1String(name)); !path.isEmpty())
            return path;
    return {};
}

/// What llvm-symbolizer says of each address, innermost function first.
std::vector<QJsonArray> peersChains(const QString &path, const std::vector<std::uint64_t> &addresses)
{
    QTemporaryFile input;
    if (!input.open())
        return {};
    for (const std::uint64_t address : addresses)
        input.write("0x" + QByteArray::number(qulonglong(address), 16) + '\n');
    input.flush();
    QProcess process;
    process.setStandardInputFile(input.fileName());
    process.start(peer(), {QStringLiteral("--inlines"), QStringLiteral("--no-demangle"),
                           QStringLiteral("--output-style=JSON"), QStringLiteral("--obj=") + path});
    process.waitForFinished(-1);
    std::vector<QJsonArray> chains;
    for (const QByteArray &line : process.readAllStandardOutput().trimmed().split('\n'))
        chains.push_back(QJsonDocument::fromJson(line).object()[QStringLiteral("Symbol")].toArray());
    return chains;
}

/// "name file:line"; the name alone where no line is known.
QString described(const QString &name, const QString &file, std::int64_t line)
{
    return line == 0 ? name : QStringLiteral("%1 %2:%3").arg(name, file).arg(line);
}
QString described(const QJsonObject &line)
{
    return described(line[QStringLiteral("FunctionName")].toString(),
                     line[QStringLiteral("FileName")].toString(), line[QStringLiteral("Line")].toInt());
}
QString described(const SymbolLine &line)
{
    return described(QString::fromStdString(line.systemName.str()), QString::fromStdString(line.file.str()),
                     line.line);
}

/// As C++ has several constructors and destructors of one class, of which linkers make one.
QString withoutVariant(QString name)
{
    static const QRegularExpression kVariant(QStringLiteral("([CD])[0-9](?=E)"));
    return name.replace(kVariant, QStringLiteral("\\1"));
}

/// Compares what is said of addresses, and counts.
struct Comparison {
    int named = 0;
    int inlined = 0; ///< of chains of more than one function
    int equal = 0;
    int aliases = 0; ///< equal but for which of several names at one address is the function's
    int more = 0;    ///< of functions that only the symbols of a debug file tell, which llvm leaves out
    int guesses = 0; ///< of llvm-symbolizer, where nothing is known
    QStringList others;

    void add(std::uint64_t address, const std::vector<SymbolLine> &ours, const QJsonArray &theirs,
             const SymbolTable &table)
    {
        const bool areTheirsNamed =
            !theirs.isEmpty() &&
            !theirs.last().toObject()[QStringLiteral("FunctionName")].toString().isEmpty();
        const bool areOursNamed = !ours.empty() && !ours.back().systemName.empty();
        if (!areOursNamed && !areTheirsNamed)
            return;
        if (!areOursNamed && isGuess(theirs, table)) {
            ++guesses;
            return;
        }
        if (!areTheirsNamed && ours.size() == 1 && ours.back().line == 0) {
            ++more;
            return;
        }
        ++named;
        inlined += theirs.size() > 1 ? 1 : 0;
        QStringList a;
        QStringList b;
        for (const SymbolLine &line : ours)
            a += described(line);
        for (const QJsonValue line : theirs)
            b += described(line.toObject());
        if (a == b)
            ++equal;
        else if (a.size() == b.size() && !a.isEmpty() &&
                 (withoutVariant(a.join(u'\n')) == withoutVariant(b.join(u'\n')) ||
                  isAlias(address, theirs.last().toObject(), a, b, table)))
            ++aliases;
        else
            others += QStringLiteral("0x%1\n  ours: %2\n  llvm: %3")
                          .arg(address, 0, 16)
                          .arg(a.join(QStringLiteral(" | ")), b.join(QStringLiteral(" | ")));
    }

    /// An exported name without a size, which llvm-symbolizer lets reach to the next one, whatever is
    /// between.
    static bool isGuess(const QJsonArray &theirs, const SymbolTable &table)
    {
        const QJsonObject only = theirs.first().toObject();
        const std::uint64_t begin = only[QStringLiteral("StartAddress")].toString().toULongLong(nullptr, 16);
        return theirs.size() == 1 && only[QStringLiteral("Line")].toInt() == 0 &&
               table.origin() == SymbolTable::Origin::Exported && !table.find(begin);
    }

    /// The outermost function has another name that begins where its own does; all else is the same.
    static bool isAlias(std::uint64_t address, const QJsonObject &outermost, QStringList a, QStringList b,
                        const SymbolTable &table)
    {
        const auto found = table.find(address);
        const QString begin = outermost[QStringLiteral("StartAddress")].toString();
        const bool isSame = found && begin.toULongLong(nullptr, 16) == found->address;
        a.last() = a.last().section(u' ', 1);
        b.last() = b.last().section(u' ', 1);
        return isSame && a == b;
    }
};

} // namespace

/// What llvm-symbolizer says of the same addresses.
class TestPeerNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addressesHaveTheNamesThatLlvmGivesThem_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<bool>("isOwn");
        for (const char *const name :
             {"dwarf5", "dwarf4", "dwarf3", "framed", "clang5", "clang4", "clang_split", "rust", "rust_old"})
            QTest::newRow(name) << known(name) << true;
        QTest::newRow("this test") << QString::fromStdString(
                                          std::filesystem::read_symlink("/proc/self/exe").string())
                                   << true;
        for (const char *const name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libQt6Core.so.6",
                                       "libcrypto.so.3", "libzstd.so.1"})
            QTest::newRow(name) << library(QLatin1String(name)) << false;
    }
    void addressesHaveTheNamesThatLlvmGivesThem()
    {
        QFETCH(QString, program);
        QFETCH(bool, isOwn);
        if (peer().isEmpty())
            QSKIP("there is no llvm-symbolizer");
        if (program.isEmpty() || !QFile::exists(program))
            QSKIP("the program or its compiler is not on this machine");
        const auto file = ElfFile::open(program.toStdString()).value();
        const std::vector<std::uint64_t> addresses = addressesIn(*file);
        std::vector<std::uint64_t> offsets;
        for (const std::uint64_t address : addresses)
            offsets.push_back(file->offsetOfAddress(address).value());
        const BinaryIdentity identity{program.toStdString(), file->buildId(), {}, {}};
        const auto found = ProgramFinder({}).find(identity, {}, 0);
        const Program names(found.files);
        if (isOwn)
            QVERIFY(names.source() == SymbolSource::DebugInformation);
        const auto ours = names.namesOf(offsets);
        const auto theirs = peersChains(program, addresses);
        QCOMPARE(theirs.size(), addresses.size());

        Comparison comparison;
        for (std::size_t i = 0; i < addresses.size(); ++i)
            comparison.add(addresses[i], ours[i], theirs[i], names.table());
        qInfo("%d addresses with a name, %d of them in inlined functions; %d equal, %d but for an alias; "
              "%d more than there, %d guesses",
              comparison.named, comparison.inlined, comparison.equal, comparison.aliases, comparison.more,
              comparison.guesses);
        QVERIFY(comparison.named > 0);
        QVERIFY2(comparison.others.isEmpty(),
                 qPrintable(QStringLiteral("%1 of %2 differ\n%3")
                                .arg(comparison.others.size())
                                .arg(comparison.named)
                                .arg(comparison.others.first(std::min<qsizetype>(8, comparison.others.size()))
                                         .join(u'\n'))));
    }

    void rustProgramsShowWhatWasInlined_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("the newer mangling") << known("rust");
        QTest::newRow("the older mangling") << known("rust_old");
    }
    void rustProgramsShowWhatWasInlined()
    {
        QFETCH(QString, program);
        if (!QFile::exists(program))
            QSKIP("there was no rustc to build programs with");
        const auto file = ElfFile::open(program.toStdString()).value();
        std::vector<std::uint64_t> offsets;
        const ElfSection &code = *file->section(".text");
        for (std::uint64_t i = 0; i < code.size; ++i)
            offsets.push_back(code.offset + i);
        // Within a function of the standard library, which was inlined into the innermost.
        QStringList chain;
        for (const std::vector<SymbolLine> &found : Program({file, file, nullptr}).namesOf(offsets)) {
            if (found.size() != 5 || !found[1].file.endsWith("main.rs"))
                continue;
            for (const SymbolLine &line : std::span(found).subspan(1))
                chain += QStringLiteral("%1:%2").arg(QString::fromStdString(line.name.str())).arg(line.line);
            break;
        }
        static const QRegularExpression kArguments(QStringLiteral("(::)?<.*>(?=:)"));
        chain.replaceInStrings(kArguments, QString());
        QCOMPARE(chain.size(), 4);
        QVERIFY2(chain[0].endsWith(u"::inner:5"), qPrintable(chain[0]));
        QVERIFY2(chain[1].contains(u"middle") && chain[1].endsWith(u":10"), qPrintable(chain[1]));
        QVERIFY2(chain[2].contains(u"middle") && chain[2].endsWith(u":11"), qPrintable(chain[2]));
        QVERIFY2(chain[3].endsWith(u"outer:21"), qPrintable(chain[3]));
    }
};

QTEST_GUILESS_MAIN(TestPeerNames)
#include "tst_peer_names.moc"
