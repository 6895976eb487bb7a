#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/input_stream.h"

#include <QTest>

#include <rapidcheck.h>
#include <zstd.h>

#include <string>

using namespace hearth;

namespace {

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

struct Unpacked {
    std::string text;
    std::optional<InputFault> fault;
};

/// Reads everything through an InputStream, leaving `keep` bytes in the window at each step.
Unpacked unpack(const std::string &packed, std::size_t keep = 0)
{
    InputStream input(unpacked(memorySource(bytesOf(packed))));
    Unpacked result;
    while (input.extend()) {
        const auto window = input.window();
        const std::size_t taken = window.size() > keep ? window.size() - keep : 0;
        result.text.append(reinterpret_cast<const char *>(window.data()), taken);
        input.consume(taken);
    }
    const auto rest = input.window();
    result.text.append(reinterpret_cast<const char *>(rest.data()), rest.size());
    result.fault = input.fault();
    return result;
}

std::string sample(std::size_t size)
{
    std::string text;
    for (std::size_t i = 0; text.size() < size; ++i)
        text += std::to_string(i * i) + ' ';
    return text;
}

std::string zstded(const std::string &text)
{
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
    return packed;
}

} // namespace

class TestBytes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasPackedIsUnpacked()
    {
        const std::string text = sample(3'000'000);
        for (const std::string &packed :
             {text, gzipped(text), zstded(text), gzipped(zstded(text)), gzipped(gzipped(gzipped(text)))}) {
            const Unpacked result = unpack(packed);
            QVERIFY(result.text == text);
            QVERIFY(!result.fault);
        }
    }
    void theWindowIsContiguousHoweverMuchIsLeftInIt()
    {
        const std::string text = sample(3'000'000);
        for (const std::size_t keep : {1U, 1000U, 65536U, 65537U, 600'000U, 2'000'000U})
            QVERIFY(unpack(text, keep).text == text);
    }
    void membersFollowEachOther()
    {
        const std::string text = sample(100'000);
        const std::string twice = gzipped(text) + gzipped(text);
        QVERIFY(unpack(twice).text == text + text);
        QVERIFY(unpack(twice + std::string(512, '\0')).text == text + text);
        QVERIFY(!unpack(twice + std::string(512, '\0')).fault);
        QVERIFY(unpack(zstded(text) + zstded(text)).text == text + text);
    }
    void bytesBehindTheLastMemberAreAFault()
    {
        const Unpacked result = unpack(gzipped("text") + "garbage");
        QCOMPARE(QByteArray::fromStdString(result.text), QByteArray("text"));
        QVERIFY(result.fault && result.fault->loss == Loss::DamagedInput);
    }
    void aCutStreamGivesWhatCameBeforeTheCut()
    {
        const std::string text = sample(2'000'000);
        for (const std::string &packed : {gzipped(text), zstded(text)}) {
            const Unpacked result = unpack(packed.substr(0, packed.size() / 2));
            QVERIFY(!result.text.empty());
            QVERIFY(text.starts_with(result.text));
            QVERIFY(result.fault && result.fault->loss == Loss::TruncatedInput);
            QVERIFY(result.fault->message.find(std::to_string(result.text.size())) != std::string::npos);
        }
    }
    void aWrongChecksumIsAFault()
    {
        std::string packed = gzipped(sample(1000));
        packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
        QVERIFY(unpack(packed).fault);
    }
    void anyDamageIsSurvived()
    {
        const std::string text = sample(20'000);
        const bool holds = rc::check("flip some bytes", [&] {
            std::string packed = *rc::gen::elementOf(std::vector{gzipped(text), zstded(text)});
            const auto places = *rc::gen::container<std::vector<std::size_t>>(
                rc::gen::inRange<std::size_t>(0, packed.size()));
            for (const std::size_t place : places)
                packed[place] = static_cast<char>(packed[place] + 1);
            RC_ASSERT(unpack(packed).text.size() <= 100'000'000);
        });
        QVERIFY(holds);
    }
    void aReaderThatStopsEarlyLeavesNoThreadBehind()
    {
        const std::string packed = gzipped(sample(10'000'000));
        InputStream input(unpacked(memorySource(bytesOf(packed))));
        QVERIFY(input.extend());
    }
    void filesThatCannotBeOpenedAreNamed()
    {
        QVERIFY(
            QString::fromStdString(openSource("/no/such/file").error().message).contains("/no/such/file"));
        QVERIFY(QString::fromStdString(openSource("/tmp").error().message).contains("folder"));
    }
};

QTEST_GUILESS_MAIN(TestBytes)
#include "tst_bytes.moc"
