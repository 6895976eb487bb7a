#include "ingest/formats/otlp_writer.h"
#include "ingest/otlp/anatomy.h"
#include "tests/support/profile_text.h"
#include "tests/support/spans_text.h"

#include <QTest>

#include <rapidcheck.h>

#include <functional>
#include <string>

using namespace hearth;
using namespace hearth::otlp;
using namespace hearth::test;

#define COMPARE_TEXT(actual, expected) QCOMPARE(QByteArray::fromStdString(actual), QByteArray(expected))

namespace {

Bytes bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// A field with bytes, shorter than 128 of them.
std::string withBytes(std::uint8_t number, const std::string &bytes)
{
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}
std::string withNumber(std::uint8_t field, std::uint8_t value)
{
    return {static_cast<char>(field << 3), static_cast<char>(value)};
}

std::string messageOf(std::string_view profile)
{
    return otlpFile(*snapshotOf(profile), OtlpForm::Message).value();
}

Anatomy anatomyOf(const std::string &message, Generation generation = Generation::V1_10)
{
    return {Signal::Profiles, generation, bytesOf(message)};
}

/// "stringTable 3 unused 1 twice 1", tables that are empty left out
std::string tablesText(const Anatomy &anatomy)
{
    std::string text;
    for (const TableUse &table : anatomy.tables())
        if (table.entries > 0)
            text += std::string(table.name) + ' ' + std::to_string(table.entries) + " unused " +
                    std::to_string(table.unused) + " twice " + std::to_string(table.duplicates) + '\n';
    return text;
}

/// Of all parts, however deep, those of a field: "value → meaning"
std::string valuesOf(const Anatomy &anatomy, std::string_view name)
{
    std::string text;
    const std::function<void(const std::vector<MessagePart> &)> visit = [&](const auto &parts) {
        for (const MessagePart &part : parts) {
            if (part.name == name)
                text += part.value + (part.meaning.empty() ? "" : " → " + part.meaning) + '\n';
            if (part.schema != nullptr)
                visit(anatomy.partsOf(part));
        }
    };
    visit(anatomy.parts());
    return text;
}

/// A dictionary with strings "", "a", "a", "b" and functions none, a.
std::string smallMessage()
{
    const std::string strings = withBytes(5, "") + withBytes(5, "a") + withBytes(5, "a") + withBytes(5, "b");
    return withBytes(2, withBytes(3, "") + withBytes(3, withNumber(1, 1)) + strings);
}

} // namespace

class TestAnatomy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatNothingRefersToAndWhatIsThereTwiceIsCounted()
    {
        const std::string message = smallMessage();
        COMPARE_TEXT(tablesText(anatomyOf(message)), "functionTable 2 unused 1 twice 0\n"
                                                     "stringTable 4 unused 2 twice 1\n");
    }
    void aTablesBytesAreThoseOfItsFields()
    {
        const std::string message = smallMessage();
        const Anatomy anatomy = anatomyOf(message);
        const auto &tables = anatomy.tables();
        const auto strings = std::ranges::find(tables, "stringTable", &TableUse::name);
        QCOMPARE(strings->bytes, std::uint64_t(4 * 2 + 3));
    }
    void aDictionaryInPiecesIsOne()
    {
        const std::string message =
            smallMessage() + withBytes(2, withBytes(5, "c") + withBytes(3, withNumber(1, 4)));
        COMPARE_TEXT(tablesText(anatomyOf(message)), "functionTable 3 unused 2 twice 0\n"
                                                     "stringTable 5 unused 2 twice 1\n");
        COMPARE_TEXT(valuesOf(anatomyOf(message), "nameStrindex"), "1 → a\n4 → c\n");
    }
    void referencesSayWhatTheyLeadTo()
    {
        const std::string message = messageOf("main[app];parse@parse.c[app] 3 | thread=worker\n");
        const Anatomy anatomy = anatomyOf(message);
        QVERIFY2(valuesOf(anatomy, "functionIndex").find("→ parse") != std::string::npos,
                 valuesOf(anatomy, "functionIndex").c_str());
        QVERIFY2(valuesOf(anatomy, "stackIndex").ends_with("→ parse\n"),
                 valuesOf(anatomy, "stackIndex").c_str());
        QVERIFY2(valuesOf(anatomy, "filenameStrindex").find("→ app") != std::string::npos,
                 valuesOf(anatomy, "filenameStrindex").c_str());
        QVERIFY2(valuesOf(anatomy, "attributeIndices").find("→ thread=worker") != std::string::npos,
                 valuesOf(anatomy, "attributeIndices").c_str());
    }
    void aReferenceToNowhereSaysSo()
    {
        const std::string message = withBytes(2, withBytes(3, withNumber(1, 9)) + withBytes(5, ""));
        COMPARE_TEXT(valuesOf(anatomyOf(message), "nameStrindex"),
                     "9 → there is no such row: the table has 1\n");
    }
    void samplesAreCounted()
    {
        QCOMPARE(anatomyOf(messageOf("series: samples/count\na 1\nb 2\nc;d 3\n")).samples(),
                 std::uint64_t(3));
    }
    void whatHearthWritesHasNothingTooMuch()
    {
        const std::string message =
            messageOf("series: samples/count\nmain[app];parse@parse.c[app] 3 | thread=worker\n"
                      "main[app];draw[app] 2 | thread=ui\n");
        const Anatomy anatomy = anatomyOf(message);
        for (const TableUse &table : anatomy.tables())
            QVERIFY2(table.unused == 0 && table.duplicates == 0, std::string(table.name).c_str());
    }
    void theBytesOfPartsAreThoseOfTheirMessage()
    {
        const std::string message = messageOf("main[app];parse[app] 3 | thread=worker\n");
        const Anatomy anatomy = anatomyOf(message);
        std::size_t sum = 0;
        for (const MessagePart &part : anatomy.parts())
            sum += part.bytes;
        QCOMPARE(sum, message.size());
    }
    void fieldsThatTheStandardHasNotAreShown()
    {
        const std::string message = withNumber(14, 7) + withBytes(13, "xy");
        const Anatomy anatomy = anatomyOf(message);
        const auto parts = anatomy.parts();
        QCOMPARE(parts.size(), std::size_t(2));
        QVERIFY(parts[0].name.empty() && parts[0].number == 14);
        COMPARE_TEXT(parts[0].value, "7");
        COMPARE_TEXT(parts[1].value, "7879");
    }
    void otherSignalsHaveNoTables()
    {
        const std::string message =
            otlpFile(*dataSetOf("", "1.1 10..20 shop GET /\n"), OtlpForm::Message).value();
        const Anatomy anatomy(Signal::Traces, Generation::V1_10, bytesOf(message));
        QVERIFY(anatomy.tables().empty());
        COMPARE_TEXT(valuesOf(anatomy, "endTimeUnixNano"), "20\n");
    }
    void earlierGenerationsAreShownWithoutTables()
    {
        const std::string message = smallMessage();
        QVERIFY(anatomyOf(message, Generation::V1_4).tables().empty());
        QVERIFY(!anatomyOf(message, Generation::V1_4).parts().empty());
    }
    void stacksThatLeadInCirclesComeToAnEnd()
    {
        // A location whose line is of a function whose name is text 1; a stack of that location, and of none.
        const std::string dictionary = withBytes(2, "") + withBytes(2, withBytes(4, withNumber(1, 1))) +
                                       withBytes(3, "") + withBytes(3, withNumber(1, 1)) + withBytes(5, "") +
                                       withBytes(5, "f") + withBytes(7, "") +
                                       withBytes(7, withBytes(1, std::string{1, 1, 1}));
        const std::string message = withBytes(2, dictionary);
        QVERIFY(!anatomyOf(message).parts().empty());
    }
    void anyBytesHaveAnAnatomy()
    {
        const bool holds = rc::check("whatever the bytes are", [](const std::string &bytes) {
            for (const Generation generation : {Generation::V1_3, Generation::V1_7, Generation::V1_10})
                for (const Signal signal :
                     {Signal::Profiles, Signal::Traces, Signal::Logs, Signal::Metrics}) {
                    const Anatomy anatomy(signal, generation, bytesOf(bytes));
                    std::size_t sum = 0;
                    for (const MessagePart &part : anatomy.parts())
                        sum += part.bytes;
                    RC_ASSERT(sum <= bytes.size());
                }
        });
        QVERIFY(holds);
    }
};

QTEST_APPLESS_MAIN(TestAnatomy)
#include "tst_anatomy.moc"
