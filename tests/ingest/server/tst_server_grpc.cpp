#include "export_profiles.grpc.pb.h"
#include "ingest/bytes/byte_sink.h"
#include "ingest/bytes/wire.h"
#include "ingest/server/grpc_descriptors.h"
#include "ingest/server/grpc_messages.h"
#include "tests/ingest/server/grpc_client.h"
#include "tests/ingest/server/receiver.h"

#include <QTemporaryDir>
#include <QTest>

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <string>
#include <thread>

using namespace hearth;
using namespace hearth::test;

namespace newest = opentelemetry::proto::collector::profiles::v1development;

Q_DECLARE_METATYPE(hearth::Signal)

namespace {

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// The bytes of a field of a message, found by the path of field numbers.
std::string fieldAt(const std::string &message, std::initializer_list<std::uint32_t> path)
{
    std::string inner = message;
    for (const std::uint32_t number : path) {
        WireReader reader(bytesOf(inner));
        std::string found;
        for (WireField field; reader.next(field);)
            if (field.number == number)
                found = field.isBytes() ? std::string(field.text()) : std::to_string(field.number64);
        inner = found;
    }
    return inner;
}

constexpr int kOk = 0;
constexpr int kInvalidArgument = 3;
constexpr int kNotFound = 5;
constexpr int kResourceExhausted = 8;
constexpr int kUnimplemented = 12;
constexpr int kUnavailable = 14;

} // namespace

class TestServerGrpc : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyExportMethodIsTaken_data();
    void everyExportMethodIsTaken();
    void generatedStubsOfTheNewestGenerationGetThrough();
    void gzipIsTakenOff();
    void partialSuccessIsTold();
    void aRefusalSaysWhy();
    void overBudgetSaysWhenToComeAgain();
    void sixtyFourMebibytesArrive();
    void theLimitCountsInflatedBytes();
    void aMessageOverTheLimitIsRefused();
    void damagedGzipIsRefusedWithTheReason();
    void unknownMethodsAreUnimplemented();
    void healthIsToldForTheServerAndEachService();
    void reflectionListsTheServices();
    void reflectionDescribesEveryServiceAsItsStubsHaveIt();
    void silentCallsEnd();
    void unixSocketsSpeakGrpc();
    void manySendersAtOnceLoseNothing();
};

void TestServerGrpc::everyExportMethodIsTaken_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<Signal>("signal");
    QTest::newRow("profiles") << kProfilesExport << Signal::Profiles;
    QTest::newRow("profiles of 1.3")
        << "/opentelemetry.proto.collector.profiles.v1experimental.ProfilesService/Export"
        << Signal::Profiles;
    QTest::newRow("profiles of 2024")
        << "/opentelemetry.proto.collector.profiles.v1.ProfilesService/Export" << Signal::Profiles;
    QTest::newRow("traces") << kTracesExport << Signal::Traces;
    QTest::newRow("logs") << kLogsExport << Signal::Logs;
    QTest::newRow("metrics") << kMetricsExport << Signal::Metrics;
}

void TestServerGrpc::everyExportMethodIsTaken()
{
    QFETCH(QString, method);
    QFETCH(Signal, signal);
    Receiver receiver;
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(method.toStdString(), "\x0a\x00");
    QCOMPARE(answer.code, kOk);
    QCOMPARE(answer.response, std::string());
    const auto received = receiver.received();
    QCOMPARE(received.size(), std::size_t(1));
    QVERIFY(received[0].signal == signal);
    QVERIFY(received[0].encoding == Encoding::Protobuf);
    QVERIFY(received[0].transport == Transport::Grpc);
    QVERIFY2(received[0].peer.starts_with("127.0.0.1:"), received[0].peer.c_str());
    QVERIFY2(received[0].userAgent.find("grpc-c++") != std::string::npos, received[0].userAgent.c_str());
}

void TestServerGrpc::generatedStubsOfTheNewestGenerationGetThrough()
{
    Receiver receiver;
    receiver.replyWith(Reply::accepted(2, "two profiles without samples"));
    newest::ExportProfilesServiceRequest request;
    request.mutable_dictionary()->add_string_table("");
    request.mutable_dictionary()->add_string_table("main");
    auto *const profile = request.add_resource_profiles()->add_scope_profiles()->add_profiles();
    profile->add_samples()->set_stack_index(1);
    const auto stub = newest::ProfilesService::NewStub(
        grpc::CreateChannel(receiver.target(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    newest::ExportProfilesServiceResponse response;
    const grpc::Status status = stub->Export(&context, request, &response);
    QVERIFY2(status.ok(), status.error_message().c_str());
    QCOMPARE(response.partial_success().rejected_profiles(), 2);
    QCOMPARE(response.partial_success().error_message(), std::string("two profiles without samples"));
    QCOMPARE(receiver.received().at(0).body, request.SerializeAsString());
}

void TestServerGrpc::gzipIsTakenOff()
{
    Receiver receiver;
    const std::string message(100'000, 'a');
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kProfilesExport, message, true);
    QCOMPARE(answer.code, kOk);
    QCOMPARE(receiver.received().at(0).body, message);
}

void TestServerGrpc::partialSuccessIsTold()
{
    Receiver receiver;
    receiver.replyWith(Reply::accepted(7, "no \xff text"));
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kTracesExport, "");
    QCOMPARE(answer.code, kOk);
    QCOMPARE(fieldAt(answer.response, {1, 1}), std::string("7"));
    QCOMPARE(fieldAt(answer.response, {1, 2}), std::string("no \ufffd text"));
}

void TestServerGrpc::aRefusalSaysWhy()
{
    Receiver receiver;
    receiver.replyWith(Reply::refused("field 2 at byte 17 is cut"));
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kProfilesExport, "x");
    QCOMPARE(answer.code, kInvalidArgument);
    QCOMPARE(answer.message, std::string("field 2 at byte 17 is cut"));
}

void TestServerGrpc::overBudgetSaysWhenToComeAgain()
{
    Receiver receiver;
    receiver.replyWith(Reply::overBudget("the store is full", std::chrono::milliseconds(2500)));
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kProfilesExport, "x");
    QCOMPARE(answer.code, kUnavailable);
    QCOMPARE(fieldAt(answer.details, {1}), std::to_string(kUnavailable));
    QCOMPARE(fieldAt(answer.details, {3, 1}), std::string("type.googleapis.com/google.rpc.RetryInfo"));
    QCOMPARE(fieldAt(answer.details, {3, 2, 1, 1}), std::string("2"));
    QCOMPARE(fieldAt(answer.details, {3, 2, 1, 2}), std::string("500000000"));
}

void TestServerGrpc::sixtyFourMebibytesArrive()
{
    Receiver receiver;
    const std::string message(std::size_t(64) << 20, 'm');
    GrpcClient client(receiver.target());
    QCOMPARE(client.call(kProfilesExport, message).code, kOk);
    QCOMPARE(client.call(kProfilesExport, message, true).code, kOk);
    for (const Received &received : receiver.received())
        QVERIFY(received.body == message);
}

void TestServerGrpc::theLimitCountsInflatedBytes()
{
    Limits limits;
    limits.requestBytes = 1'000'000;
    Receiver receiver(limits);
    GrpcClient client(receiver.target());
    QCOMPARE(client.call(kProfilesExport, std::string(1'000'000, '\0'), true).code, kOk);
    const GrpcAnswer answer = client.call(kProfilesExport, std::string(1'000'001, '\0'), true);
    QCOMPARE(answer.code, kResourceExhausted);
    QVERIFY2(answer.message.find("1000000") != std::string::npos, answer.message.c_str());
    QCOMPARE(receiver.received().size(), std::size_t(1));
    QCOMPARE(receiver.refusals().size(), std::size_t(1));
}

void TestServerGrpc::aMessageOverTheLimitIsRefused()
{
    Limits limits;
    limits.requestBytes = 1000;
    Receiver receiver(limits);
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kProfilesExport, std::string(1001, 'x'));
    QCOMPARE(answer.code, kResourceExhausted);
    QVERIFY(receiver.received().empty());
    receiver.awaitRefusals(1);
}

void TestServerGrpc::damagedGzipIsRefusedWithTheReason()
{
    Receiver receiver;
    std::string packed = gzipped(std::string(10'000, 'a'));
    packed.resize(packed.size() / 2);
    const GrpcAnswer answer = GrpcClient(receiver.target()).call(kProfilesExport, packed);
    QCOMPARE(answer.code, kInvalidArgument);
    QVERIFY2(answer.message.find("gzip") != std::string::npos, answer.message.c_str());
    QCOMPARE(receiver.refusals().at(0).reason, answer.message);
}

void TestServerGrpc::unknownMethodsAreUnimplemented()
{
    Receiver receiver;
    const GrpcAnswer answer =
        GrpcClient(receiver.target()).call("/opentelemetry.proto.collector.trace.v1.TraceService/Import", "");
    QCOMPARE(answer.code, kUnimplemented);
    QCOMPARE(receiver.refusals().size(), std::size_t(1));
}

void TestServerGrpc::healthIsToldForTheServerAndEachService()
{
    Receiver receiver;
    GrpcClient client(receiver.target());
    const std::string method(kHealthCheckMethod);
    QCOMPARE(client.call(method, "").response, std::string("\x08\x01"));
    const std::string name = "opentelemetry.proto.collector.trace.v1.TraceService";
    QCOMPARE(client.call(method, std::string("\x0a") + static_cast<char>(name.size()) + name).response,
             std::string("\x08\x01"));
    QCOMPARE(client.call(method, "\x0a\x03xyz").code, kNotFound);
    QCOMPARE(client.call(method, "\x0a\x09xyz").code, kInvalidArgument);
}

void TestServerGrpc::reflectionListsTheServices()
{
    Receiver receiver;
    GrpcClient client(receiver.target());
    for (const std::string version : {"v1", "v1alpha"}) {
        const GrpcAnswer answer =
            client.call("/grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo",
                        std::string("\x3a\x00", 2));
        QCOMPARE(answer.code, kOk);
        QCOMPARE(fieldAt(answer.response, {2}), std::string("\x3a\x00", 2));
        QVERIFY(fieldAt(answer.response, {6}).find("collector.logs.v1.LogsService") != std::string::npos);
    }
}

void TestServerGrpc::reflectionDescribesEveryServiceAsItsStubsHaveIt()
{
    const auto ask = [](char field, const std::string &name) {
        return reflectionResponse(bytesOf(std::string{field, static_cast<char>(name.size())} + name));
    };
    google::protobuf::DescriptorPool pool;
    for (const DescribedService &service : describedServices()) {
        const std::string byName = fieldAt(ask(0x1a, service.file), {4, 1});
        for (const std::string &symbol : service.symbols)
            QCOMPARE(fieldAt(ask(0x22, symbol), {4, 1}), byName);
        google::protobuf::FileDescriptorProto file;
        QVERIFY(file.ParseFromString(byName));
        QVERIFY2(pool.BuildFile(file) != nullptr, service.name.c_str());
        QVERIFY(pool.FindServiceByName(service.name) != nullptr);
    }
    QCOMPARE(fieldAt(ask(0x22, "no.such.Thing"), {7, 1}), std::to_string(kNotFound));

    newest::ExportProfilesServiceRequest sent;
    sent.mutable_dictionary()->add_string_table("main");
    auto *profile = sent.add_resource_profiles()->add_scope_profiles()->add_profiles();
    profile->set_time_unix_nano(7);
    profile->add_samples()->add_values(3);
    google::protobuf::DynamicMessageFactory messages;
    const std::unique_ptr<google::protobuf::Message> received(
        messages.GetPrototype(pool.FindMessageTypeByName(sent.GetDescriptor()->full_name()))->New());
    QVERIFY(received->ParseFromString(sent.SerializeAsString()));
    QCOMPARE(received->ShortDebugString(), sent.ShortDebugString());
}

void TestServerGrpc::silentCallsEnd()
{
    Limits limits;
    limits.request = std::chrono::seconds(1);
    Receiver receiver(limits);
    GrpcClient client(receiver.target());
    QVERIFY(client.callWithoutMessage(kProfilesExport).code != kOk);
    QCOMPARE(client.call(kProfilesExport, "x").code, kOk);
}

void TestServerGrpc::unixSocketsSpeakGrpc()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("hearth.sock").toStdString();
    Receiver receiver({}, {{{}, 0, path}});
    const GrpcAnswer answer = GrpcClient("unix:" + path).call(kProfilesExport, "x");
    QVERIFY2(answer.code == kOk, answer.message.c_str());
    QCOMPARE(receiver.received().at(0).peer, std::string("unix"));
}

void TestServerGrpc::manySendersAtOnceLoseNothing()
{
    constexpr int kSenders = 8;
    constexpr int kRequests = 50;
    Receiver receiver;
    std::atomic<int> accepted = 0;
    {
        std::vector<std::jthread> senders;
        for (int i = 0; i < kSenders; ++i)
            senders.emplace_back([&] {
                GrpcClient client(receiver.target());
                for (int j = 0; j < kRequests; ++j)
                    accepted +=
                        client.call(kProfilesExport, std::string(10'000, 'x'), j % 2 == 0).code == kOk;
            });
    }
    QCOMPARE(accepted.load(), kSenders * kRequests);
    QCOMPARE(receiver.received().size(), std::size_t(kSenders * kRequests));
}

QTEST_GUILESS_MAIN(TestServerGrpc)
#include "tst_server_grpc.moc"
