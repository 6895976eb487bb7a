#include "ingest/client/answer.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <future>

namespace hearth {

namespace {

constexpr auto kUnlessToldOtherwise = std::chrono::milliseconds(100);

const char *exportMethod(Signal signal)
{
    switch (signal) {
    case Signal::Profiles:
        return "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export";
    case Signal::Traces:
        return "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    case Signal::Logs:
        return "/opentelemetry.proto.collector.logs.v1.LogsService/Export";
    case Signal::Metrics:
        break;
    }
    return "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
}

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

bool isRetryable(const grpc::Status &status, std::chrono::milliseconds retryAfter)
{
    switch (status.error_code()) {
    case grpc::StatusCode::CANCELLED:
    case grpc::StatusCode::ABORTED:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DATA_LOSS:
        return true;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
        return retryAfter.count() > 0;
    default:
        return false;
    }
}

class GrpcClient : public Client {
public:
    GrpcClient(const Address &address, const ClientOptions &options)
        : m_options(options), m_channel(channelTo(address, options.userAgent)), m_stub(m_channel)
    {}

    Result<SendAnswer> send(Signal signal, Encoding encoding, std::span<const std::uint8_t> message) override
    {
        if (encoding == Encoding::Json)
            return failure("gRPC carries protobuf only; send JSON over HTTP");
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + m_options.timeout);
        if (m_options.isGzip)
            context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
        const grpc::Slice slice(const_cast<std::uint8_t *>(message.data()), message.size(),
                                grpc::Slice::STATIC_SLICE); // it outlives the call
        const grpc::ByteBuffer request(&slice, 1);
        grpc::ByteBuffer response;
        std::promise<grpc::Status> ended;
        m_stub.UnaryCall(&context, exportMethod(signal), {}, &request, &response,
                         [&ended](grpc::Status status) { ended.set_value(std::move(status)); });
        return answerOf(ended.get_future().get(), response);
    }

private:
    static std::shared_ptr<grpc::Channel> channelTo(const Address &address, const std::string &userAgent)
    {
        grpc::ChannelArguments arguments;
        arguments.SetInt("grpc.use_local_subchannel_pool", 1); // a connection of its own
        arguments.SetMaxSendMessageSize(-1);
        arguments.SetUserAgentPrefix(userAgent); // the library puts its own name behind it
        return grpc::CreateCustomChannel(toString(address), grpc::InsecureChannelCredentials(), arguments);
    }

    Result<SendAnswer> answerOf(const grpc::Status &status, grpc::ByteBuffer &response)
    {
        SendAnswer answer;
        if (status.ok()) {
            grpc::Slice slice;
            if (response.DumpToSingleSlice(&slice).ok())
                readPartialSuccess({slice.begin(), slice.size()}, answer);
            return answer;
        }
        answer.message = status.error_message();
        answer.retryAfter = retryDelay(bytesOf(status.error_details()));
        if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
            return failure(status.error_message());
        // Not there, or gone in the middle of it: it may be back in a moment.
        if (status.error_code() == grpc::StatusCode::UNAVAILABLE && answer.retryAfter.count() == 0)
            answer.retryAfter = kUnlessToldOtherwise;
        answer.verdict = isRetryable(status, answer.retryAfter) ? SendAnswer::Verdict::ComeAgain
                                                                : SendAnswer::Verdict::Refused;
        return answer;
    }

    const ClientOptions m_options;
    const std::shared_ptr<grpc::Channel> m_channel;
    grpc::GenericStub m_stub;
};

} // namespace

std::unique_ptr<Client> grpcClient(const Address &address, const ClientOptions &options)
{
    return std::make_unique<GrpcClient>(address, options);
}

} // namespace hearth
