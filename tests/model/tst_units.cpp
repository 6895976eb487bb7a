#include "model/lens/units.h"

#include <QTest>

#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>

using namespace hearth;
using namespace std::string_literals;

class UnitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesAreMultiplesOf1024()
    {
        QCOMPARE(scale(3 << 20, "bytes", "kb"), (Scaled{3072, "kB"}));
        QCOMPARE(scale(2, "gigabyte", "mb"), (Scaled{2048, "MB"}));
        QCOMPARE(scale(1, "pb", "tb"), (Scaled{1024, "TB"}));
    }

    void timesAreSecondsAndTheirParts()
    {
        QCOMPARE(scale(1500, "milliseconds", "s"), (Scaled{1.5, "s"}));
        QCOMPARE(scale(2, "hours", "seconds"), (Scaled{7200, "s"}));
        QCOMPARE(scale(7200, "sec", "hr"), (Scaled{2, "hrs"}));
        QCOMPARE(scale(5, "us", "ns"), (Scaled{5000, "ns"}));
        QCOMPARE(scale(5, "\u03bcs", "ns"), (Scaled{5000, "ns"}));
        QCOMPARE(scale(5, "\u00b5s", "ns"), (Scaled{5000, "ns"}));
    }

    void computeUnitsAreMultiplesOf1000()
    {
        QCOMPARE(scale(3, "kilogcu", "gcu"), (Scaled{3000, "GCU"}));
        QCOMPARE(scale(2500, "MegaGCUs", "auto"), (Scaled{2.5, "G*GCU"}));
    }

    void caseAndPluralDoNotMatter()
    {
        QCOMPARE(scale(1024, "BYTES", "KiloBytes"), (Scaled{1, "kB"}));
        QCOMPARE(scale(1, "Second", "MS"), (Scaled{1000, "ms"}));
    }

    void pluralOfAWordOfTwoLettersIsNone()
    {
        QCOMPARE(scale(7, "bs", "b"), (Scaled{7, "b"})); // no unit of bytes
        QCOMPARE(scale(7, "ns", "us"), (Scaled{0.007, "us"}));
    }

    void automaticUnitIsTheLargestOfWhichThereIsOne()
    {
        QCOMPARE(scale(1023, "b", "auto"), (Scaled{1023, "B"}));
        QCOMPARE(scale(1024, "b", "auto"), (Scaled{1, "kB"}));
        QCOMPARE(scale(1536 << 10, "b", "minimum"), (Scaled{1.5, "MB"}));
        QCOMPARE(scale(3'600'000'000'000, "ns", "auto"), (Scaled{1, "hrs"}));
        QCOMPARE(scale(-2048, "b", "auto"), (Scaled{-2, "kB"}));
    }

    void nothingIsInTheUnitOfItsFamily()
    {
        QCOMPARE(scale(0, "ns", "auto"), (Scaled{0, "s"}));
        QCOMPARE(scale(0, "kb", "auto"), (Scaled{0, "B"}));
    }

    void unknownTargetIsTheUnitOfTheFamily()
    {
        QCOMPARE(scale(2'000'000'000, "ns", "furlongs"), (Scaled{2, "s"}));
        QCOMPARE(scale(2, "kb", "seconds"), (Scaled{2048, "B"}));
        QCOMPARE(scale(2, "kb", ""), (Scaled{2048, "B"}));
    }

    void unknownUnitsStayOneToOne()
    {
        QCOMPARE(scale(7, "requests", "apples"), (Scaled{7, "apples"}));
        QCOMPARE(scale(7, "", "bytes"), (Scaled{7, "bytes"}));
        QCOMPARE(scale(7, "", ""), (Scaled{7, ""}));
        for (const char *boring : {"count", "sample", "unit", "minimum", "auto"})
            QCOMPARE(scale(7, "requests", boring), (Scaled{7, ""}));
    }

    void labelHasTwoDecimalsUnlessTheyAreZero()
    {
        QCOMPARE(scaledLabel(1536, "kb", "auto"), "1.50MB"s);
        QCOMPARE(scaledLabel(32'000'000, "ns", "auto"), "32ms"s);
        QCOMPARE(scaledLabel(1234567, "b", "mb"), "1.18MB"s);
        QCOMPARE(scaledLabel(-1536, "kb", "auto"), "-1.50MB"s);
        QCOMPARE(scaledLabel(64, "requests", "minimum"), "64"s);
        QCOMPARE(scaledLabel(64, "requests", "requests"), "64requests"s);
    }

    void labelOfZeroHasNoUnit()
    {
        QCOMPARE(scaledLabel(0, "ns", "auto"), "0"s);
        QCOMPARE(scaledLabel(1, "ns", "s"), "0"s);
        QCOMPARE(scaledLabel(-1, "ns", "s"), "0"s);
        QCOMPARE(scaledLabel(0, "bytes", "bytes"), "0"s);
    }

    void tablesShowThreeDigitsAndAUnit_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QByteArray>("unit");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](qint64 value, const char *unit, const char *expected) {
            QTest::newRow(expected) << value << QByteArray(unit) << QByteArray(expected);
        };
        row(12'400'000'000, "nanoseconds", "12.4 s");
        row(3'210'000, "ns", "3.21 ms");
        row(25'000, "ns", "25.0 \u00b5s");
        row(7, "ns", "7 ns");
        row(999, "nanoseconds", "999 ns");
        row(999'499, "ns", "999 \u00b5s");
        row(999'500, "ns", "1.00 ms");
        row(9'996, "ns", "10.0 \u00b5s");
        row(754'000, "ms", "754 s");
        row(3'599'000, "ms", "3599 s");
        row(5'400'000, "ms", "1.50 h");
        row(512, "bytes", "512 B");
        row(1280, "kb", "1.25 MiB");
        row(1023, "kb", "1023 KiB");
        row(0, "ns", "0 s");
        row(0, "mb", "0 B");
        row(-3'210'000, "ns", "-3.21 ms");
        row(0, "count", "0");
        row(3600, "count", "3600");
        row(-1234567, "", "-1234567");
        row(3600, "objects", "3600 objects");
        row(std::numeric_limits<qint64>::min(), "count", "-9223372036854775808");
    }
    void tablesShowThreeDigitsAndAUnit()
    {
        QFETCH(qint64, value);
        QFETCH(QByteArray, unit);
        QFETCH(QByteArray, expected);
        QCOMPARE(humanValue(value, unit.toStdString()), expected.toStdString());
    }

    void theUnitsThatTablesChooseFromAreTold()
    {
        const std::vector<HumanUnit> times = humanUnits("milliseconds");
        QCOMPARE(times.size(), std::size_t(5));
        QCOMPARE(times[0].name, std::string("ns"));
        QCOMPARE(times[2].name, std::string("ms"));
        QCOMPARE(times[2].factor, 1.0);
        QCOMPARE(times[3].factor, 1000.0);
        QVERIFY(humanUnits("objects").empty());
        QCOMPARE(shownUnit("objects"), std::string_view("objects"));
        QCOMPARE(shownUnit("count"), std::string_view());
    }

    void familiesAreTold()
    {
        QVERIFY(isTimeUnit("nanoseconds"));
        QVERIFY(isByteUnit("KB"));
        QVERIFY(!isTimeUnit("count") && !isByteUnit("count") && !isByteUnit("") && !isTimeUnit("s."));
    }

    void scalingThereAndBackKeepsTheValue()
    {
        QVERIFY(rc::check("ns → unit → ns", [](std::int64_t value) {
            const std::string unit = *rc::gen::element<std::string>("us", "ms", "s", "hr");
            const Scaled there = scale(value, "ns", unit);
            const Scaled back = scaleReal(there.value, unit, "ns");
            const auto exact = static_cast<double>(value);
            RC_ASSERT(std::abs(back.value - exact) <= std::abs(exact) * 1e-15);
        }));
    }

    void humanValueHasAtMostFourDigitsInAFamily()
    {
        QVERIFY(rc::check("humanValue is short", [] {
            const auto value = *rc::gen::inRange<std::int64_t>(0, std::int64_t(1) << 62);
            const std::string unit = *rc::gen::element<std::string>("bytes", "us", "ns");
            const std::string text = humanValue(value, unit);
            const std::size_t most = unit == "us" ? 20 : 12;
            RC_ASSERT(text.size() <= most);
        }));
    }
};

QTEST_GUILESS_MAIN(UnitsTest)
#include "tst_units.moc"
