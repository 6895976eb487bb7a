#include "tests/ingest/server/grpc_client.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <condition_variable>
#include <mutex>
#include <vector>

namespace hearth::test {

namespace {

std::string textOf(grpc::ByteBuffer &buffer)
{
    std::vector<grpc::Slice> slices;
    buffer.Dump(&slices);
    std::string text;
    for (const grpc::Slice &slice : slices)
        text.append(reinterpret_cast<const char *>(slice.begin()), slice.size());
    return text;
}

/// The end of a call, awaited.
class Ending {
public:
    void set(grpc::Status status)
    {
        const std::lock_guard lock(m_mutex);
        m_status = std::move(status);
        m_isSet = true;
        m_changed.notify_all();
    }
    grpc::Status wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isSet; });
        return m_status;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    grpc::Status m_status;
    bool m_isSet = false;
};

struct SilentCall : grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
    void OnDone(const grpc::Status &status) override { ending.set(status); }
    Ending ending;
};

GrpcAnswer answerOf(const grpc::Status &status)
{
    return {status.error_code(), status.error_message(), status.error_details(), {}};
}

} // namespace

struct GrpcClient::Impl {
    std::shared_ptr<grpc::Channel> channel;
    grpc::GenericStub stub{channel};
};

GrpcClient::GrpcClient(const std::string &target)
{
    grpc::ChannelArguments arguments;
    arguments.SetInt("grpc.use_local_subchannel_pool", 1); // a connection of its own
    arguments.SetMaxSendMessageSize(-1);
    m_impl.reset(new Impl{grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments)});
}

GrpcClient::~GrpcClient() = default;

GrpcAnswer GrpcClient::call(const std::string &method, const std::string &request, bool isGzip)
{
    grpc::ClientContext context;
    if (isGzip)
        context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
    const grpc::Slice slice(request);
    const grpc::ByteBuffer sent(&slice, 1);
    grpc::ByteBuffer response;
    Ending ending;
    m_impl->stub.UnaryCall(&context, method, {}, &sent, &response,
                           [&ending](grpc::Status status) { ending.set(std::move(status)); });
    GrpcAnswer answer = answerOf(ending.wait());
    answer.response = textOf(response);
    return answer;
}

GrpcAnswer GrpcClient::callWithoutMessage(const std::string &method)
{
    grpc::ClientContext context;
    SilentCall call;
    m_impl->stub.PrepareBidiStreamingCall(&context, method, {}, &call);
    call.StartCall();
    return answerOf(call.ending.wait());
}

} // namespace hearth::test
