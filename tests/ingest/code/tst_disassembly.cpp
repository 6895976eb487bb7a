#include "ingest/code/code_files.h"
#include "ingest/code/disassembler.h"
#include "ingest/code/function_extents.h"
#include "ingest/code/source_file.h"
#include "model/code/function_code.h"
#include "tests/support/sampled_places.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <filesystem>

using namespace hearth;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

namespace fs = std::filesystem;

const std::string kFolder = KNOWN_PROGRAMS;
const std::string kProgram = kFolder + "/dwarf5";

using Bytes = std::vector<std::uint8_t>;

/// A line an instruction: its address, its text, where it jumps to.
std::string listed(const Bytes &bytes, ElfMachine machine = ElfMachine::X86_64,
                   AssemblySyntax syntax = AssemblySyntax::Intel)
{
    const auto instructions = instructionsOf(bytes, 0x1000, machine, syntax);
    if (!instructions)
        return instructions.error().message;
    std::string lines;
    for (const Instruction &instruction : *instructions) {
        lines +=
            QByteArray::number(qulonglong(instruction.address), 16).toStdString() + ' ' + instruction.text;
        if (instruction.target != Instruction::kNone)
            lines += " -> " + std::to_string(instruction.target);
        if (instruction.kind == InstructionKind::Data)
            lines += " data";
        lines += '\n';
    }
    return lines;
}

QString objdump(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral("objdump"), arguments);
    process.waitForFinished(-1);
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// The addresses that instructions begin at, as another disassembler sees them.
std::vector<std::uint64_t> addressesByObjdump(const std::string &file, const CodeExtent &extent,
                                              std::uint64_t address)
{
    std::vector<std::uint64_t> addresses;
    const QString text =
        objdump({QStringLiteral("-d"), QStringLiteral("--no-show-raw-insn"),
                 QStringLiteral("--start-address=%1").arg(address),
                 QStringLiteral("--stop-address=%1").arg(address + (extent.end - extent.begin)),
                 QString::fromStdString(file)});
    for (const QString &line : text.split(QLatin1Char('\n')))
        if (const qsizetype colon = line.indexOf(QStringLiteral(":\t")); colon > 0)
            addresses.push_back(line.left(colon).trimmed().toULongLong(nullptr, 16));
    return addresses;
}

std::vector<CodeExtent> extentsOf(const Snapshot &snapshot, std::size_t binary, std::uint64_t offset)
{
    const std::array offsets{offset};
    const auto extents = CodeFiles({}, {}).extentsOf(snapshot, BinaryId(binary), offsets);
    return extents ? *extents : std::vector<CodeExtent>();
}

std::string problemOf(const Snapshot &snapshot)
{
    const std::array<std::uint64_t, 1> offsets{snapshot.frames[0].address};
    const auto extents = CodeFiles({}, {}).extentsOf(snapshot, BinaryId(0), offsets);
    return extents ? std::string() : extents.error().message;
}

} // namespace

/// Instructions of functions, from the files of binaries.
class TestDisassembly : public QObject {
    Q_OBJECT

    const std::string m_buildId = test::buildIdOf(kProgram);
    const std::uint64_t m_outer = test::offsetOfFunction(kProgram, "_ZN5known5outerEv");

private Q_SLOTS:
    void instructionsAreReadInEitherSyntax()
    {
        const Bytes bytes{0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x47, 0x08, 0x74, 0xf6, 0xc3};
        COMPARE_TEXT(listed(bytes), "1000 push    rbp\n"
                                    "1001 mov     rbp, rsp\n"
                                    "1004 mov     rax, qword ptr [rdi + 8]\n"
                                    "1008 je      0x1000 -> 0\n"
                                    "100a ret\n");
        COMPARE_TEXT(listed(bytes, ElfMachine::X86_64, AssemblySyntax::Att), "1000 pushq   %rbp\n"
                                                                             "1001 movq    %rsp, %rbp\n"
                                                                             "1004 movq    8(%rdi), %rax\n"
                                                                             "1008 je      0x1000 -> 0\n"
                                                                             "100a retq\n");
    }

    void instructionsOfArm64AreRead()
    {
        // stp x29, x30, [sp, #-16]!; cbz x0, +8; bl 0x1000; ret; and what is no instruction
        const Bytes bytes{0xfd, 0x7b, 0xbf, 0xa9, 0x40, 0x00, 0x00, 0xb4, 0xfe, 0xff,
                          0xff, 0x97, 0xc0, 0x03, 0x5f, 0xd6, 0xff, 0xff, 0xff, 0xff};
        COMPARE_TEXT(listed(bytes, ElfMachine::Arm64), "1000 stp     x29, x30, [sp, #-0x10]!\n"
                                                       "1004 cbz     x0, #0x100c -> 3\n"
                                                       "1008 bl      #0x1000\n"
                                                       "100c ret\n"
                                                       "1010 .byte   0xff, 0xff, 0xff, 0xff data\n");
    }

    void whatIsNoInstructionIsData()
    {
        COMPARE_TEXT(listed({0x06, 0xc3}), "1000 .byte   0x06 data\n1001 ret\n");
        COMPARE_TEXT(listed({0x48}), "1000 .byte   0x48 data\n"); // cut
        COMPARE_TEXT(listed({}), "");
    }

    void jumpsIntoAnInstructionHaveNoTarget()
    {
        COMPARE_TEXT(listed({0x48, 0x89, 0xe5, 0xeb, 0xfc}), "1000 mov     rbp, rsp\n1003 jmp     0x1001\n");
    }

    void otherProcessorsAreRefused()
    {
        QVERIFY(!instructionsOf(Bytes{0, 0, 0, 0}, 0, ElfMachine::RiscV, AssemblySyntax::Intel));
        QVERIFY(!instructionsOf(Bytes{0, 0, 0, 0}, 0, ElfMachine::Arm, AssemblySyntax::Intel));
    }

    void anyBytesAreCoveredWithoutGaps()
    {
        const bool holds = rc::check("instructions follow each other", [] {
            const auto bytes = *rc::gen::arbitrary<Bytes>();
            const auto machine = *rc::gen::element(ElfMachine::X86_64, ElfMachine::X86, ElfMachine::Arm64);
            const auto syntax = *rc::gen::element(AssemblySyntax::Intel, AssemblySyntax::Att);
            const auto instructions = instructionsOf(bytes, 0x1000, machine, syntax).value();
            std::uint64_t next = 0x1000;
            for (const Instruction &instruction : instructions) {
                RC_ASSERT(instruction.address == next);
                RC_ASSERT(instruction.size > 0);
                if (instruction.target != Instruction::kNone)
                    RC_ASSERT(instructions.at(instruction.target).address == instruction.reference);
                next += instruction.size;
            }
            RC_ASSERT(next == 0x1000 + bytes.size());
        });
        QVERIFY(holds);
    }

    void functionsAreShownAsAnotherDisassemblerShowsThem()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("objdump")).isEmpty())
            QSKIP("objdump is not installed");
        const auto snapshot = test::namedPlaces({{kProgram, m_buildId, m_outer}});
        for (const char *name : {"_ZN5known5outerEv", "_ZN5knownL6hiddenEv", "plainC", "main", "_start"}) {
            const auto extents = extentsOf(*snapshot, 0, test::offsetOfFunction(kProgram, name));
            QCOMPARE(extents.size(), std::size_t(1));
            const auto code =
                CodeFiles({}, {}).disassemble(*snapshot, extents[0], AssemblySyntax::Intel, {}).value();
            std::vector<std::uint64_t> addresses;
            for (const Instruction &instruction : code.instructions)
                addresses.push_back(instruction.address);
            const auto others = addressesByObjdump(kProgram, extents[0], code.instructions[0].address);
            QVERIFY2(addresses.size() > 3, name);
            QVERIFY2(addresses == others, name);
        }
    }

    void instructionsKnowTheirLines()
    {
        const auto snapshot = test::namedPlaces({{kProgram, m_buildId, m_outer}});
        const auto extents = extentsOf(*snapshot, 0, m_outer);
        COMPARE_TEXT(extents.at(0).name, "known::outer()");
        QCOMPARE(extents[0].begin, m_outer);
        const auto code =
            CodeFiles({}, {}).disassemble(*snapshot, extents[0], AssemblySyntax::Intel, {}).value();
        const auto call = std::ranges::find_if(code.instructions, [](const Instruction &instruction) {
            return instruction.comment == "known::here()";
        });
        QVERIFY(call != code.instructions.end());
        QVERIFY(call->kind == InstructionKind::Call);
        const auto source = readSource(KNOWN_SOURCE).value();
        std::string chain;
        std::vector<std::int64_t> lines;
        for (const CodePlace &place : code.placesOf(*call)) {
            chain += code.functions[place.function] + '\n';
            COMPARE_TEXT(code.files[place.file], KNOWN_SOURCE);
            lines.push_back(place.line);
        }
        COMPARE_TEXT(chain, "known::inner(int&)\nunsigned long known::middle<int>(int&, int&)\n"
                            "known::outer()\n");
        QVERIFY(source->line(lines[0]).find("here()") != std::string_view::npos);
        QVERIFY(source->line(lines[1]).find("inner(innerLine)") != std::string_view::npos);
        QVERIFY(source->line(lines[2]).find("middle(innerLine, middleLine)") != std::string_view::npos);
        QCOMPARE(placeIn(code, *call, "known::inner(int&)")->line, lines[0]);
        QCOMPARE(placeIn(code, *call, "no such function")->line, lines[2]);
    }

    void inlinedFunctionsOccurWhereTheyWereInlined()
    {
        // Two places of inner, in outer and in a local function of around, and the heavier one comes first.
        const std::uint64_t lambda =
            test::offsetOfFunction(kProgram, "_ZZN5known6aroundEvENKUlRiS0_E_clES0_S0_");
        const auto callIn = [&](std::uint64_t offset) {
            const auto snapshot = test::namedPlaces({{kProgram, m_buildId, offset}});
            const auto code =
                CodeFiles({}, {})
                    .disassemble(*snapshot, extentsOf(*snapshot, 0, offset).at(0), AssemblySyntax::Intel, {})
                    .value();
            for (std::size_t i = 0; i < code.instructions.size(); ++i)
                if (code.instructions[i].comment == "known::here()")
                    return code.offsets[i];
            throw std::runtime_error("it does not call here()");
        };
        const auto snapshot = test::namedPlaces(
            {{kProgram, m_buildId, callIn(m_outer), 3}, {kProgram, m_buildId, callIn(lambda), 5}});
        const auto weights = CodeWeigher().weigh(snapshot, {}).value();
        CodeFiles files({}, {});
        const FunctionCode code = codeOf(*weights, *snapshot, "known::inner(int&)", &files);
        QCOMPARE(code.weight, (CodeWeight{8, 8}));
        QCOMPARE(code.occurrences.size(), std::size_t(2));
        QCOMPARE(code.occurrences[0].weight, (CodeWeight{5, 5}));
        COMPARE_TEXT(code.occurrences[1].extent.name, "known::outer()");
        QVERIFY(code.occurrences[0].isInlined && code.occurrences[1].isInlined);
        QCOMPARE(code.sources.size(), std::size_t(1));
        COMPARE_TEXT(code.sources[0].file, KNOWN_SOURCE);
        QCOMPARE(code.sources[0].lines.at(0).self, std::int64_t(8));
        const auto listing =
            files.disassemble(*snapshot, code.occurrences[1].extent, AssemblySyntax::Intel, {}).value();
        const auto sums = weightsOf(listing, *weights);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sum += sums[i].self;
            QVERIFY(sums[i].self == 0 || listing.instructions[i].comment == "known::here()");
        }
        QCOMPARE(sum, std::int64_t(3));
    }

    void strippedFunctionsEndWhereUnwindingSaysSo()
    {
        const QTemporaryDir folder;
        const std::string alone = folder.filePath(QStringLiteral("alone")).toStdString();
        fs::copy_file(kFolder + "/stripped", alone);
        const auto file = ElfFile::open(alone).value();
        const auto whole = ElfFile::open(kProgram).value();
        const SymbolTable none(*file);
        const SymbolTable symbols(*whole);
        const FunctionExtents extents(file, none);
        for (const char *name : {"_ZN5known5outerEv", "plainC", "main"}) {
            const std::uint64_t begin =
                whole->addressOfOffset(test::offsetOfFunction(kProgram, name)).value();
            const auto symbol = symbols.find(begin).value();
            const auto extent = extents.find(begin + 1);
            QVERIFY2(extent.has_value(), name);
            QCOMPARE(extent->begin, symbol.address);
            QCOMPARE(extent->end, symbol.address + symbol.size);
            QVERIFY(extent->name.empty());
        }
        QVERIFY(!extents.find(1));
        QVERIFY(!extents.find(~std::uint64_t(0)));
    }

    void whatCannotBeShownSaysWhy()
    {
        const auto problem = [](const test::SampledPlace &place) {
            return problemOf(*test::namedPlaces({place}));
        };
        const std::string other = problem({kFolder + "/dwarf4", m_buildId, m_outer});
        QVERIFY2(other.find("another build") != std::string::npos, other.c_str());
        const std::string gone = problem({"/no/such/program", m_buildId, m_outer});
        QVERIFY2(gone.find("no file of build id") != std::string::npos, gone.c_str());
        const std::string jit = problem({"[anon:v8]", {}, m_outer});
        QVERIFY2(jit.find("without a file") != std::string::npos, jit.c_str());
        const std::string kernel = problem({"[kernel.kallsyms]", {}, m_outer});
        QVERIFY2(kernel.find("kernel") != std::string::npos, kernel.c_str());
        const std::string beyond = problem({kProgram, m_buildId, 0x7fff'ffff});
        QVERIFY2(beyond.find("does not tell where the function begins") != std::string::npos, beyond.c_str());
    }

    void aFunctionThatTheFileEndsBeforeSaysSo()
    {
        const auto snapshot = test::namedPlaces({{kProgram, m_buildId, m_outer}});
        CodeFiles files({}, {});
        CodeExtent extent = extentsOf(*snapshot, 0, m_outer).at(0);
        extent.end = extent.begin + fs::file_size(kProgram);
        const auto code = files.disassemble(*snapshot, extent, AssemblySyntax::Intel, {});
        QVERIFY(!code);
        QVERIFY(code.error().message.find("ends before") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestDisassembly)
#include "tst_disassembly.moc"
