#include "ingest/server/grpc_side.h"

#include "ingest/server/address.h"
#include "ingest/server/grpc_messages.h"
#include "ingest/server/http_rules.h"

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/stat.h>

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

// Every method is received as raw bytes, still compressed: which generation of a message it is tell the
// bytes, and unpacking in Hearth's own threads keeps to Hearth's own limit.

namespace hearth {

namespace {

using Clock = std::chrono::steady_clock;
using Context = grpc::GenericCallbackServerContext;
using Reactor = grpc::ServerGenericBidiReactor;

constexpr int kStreamsOfOneConnection = 64;

grpc::ByteBuffer bufferOf(const std::string &bytes)
{
    grpc::Slice slice(bytes);
    return {&slice, 1};
}

std::span<const std::uint8_t> bytesOf(const grpc::Slice &slice)
{
    return {slice.begin(), slice.size()};
}

grpc::Slice contiguous(grpc::ByteBuffer &buffer)
{
    grpc::Slice slice;
    if (!buffer.TrySingleSlice(&slice).ok())
        buffer.DumpToSingleSlice(&slice);
    return slice;
}

grpc::Status status(StatusCode code, const std::string &message, std::chrono::milliseconds retryAfter = {})
{
    const auto grpcCode = static_cast<grpc::StatusCode>(code);
    if (retryAfter.count() == 0)
        return {grpcCode, message};
    return {grpcCode, message, statusMessage(code, message, retryAfter, Encoding::Protobuf)};
}

grpc::Status statusOf(const Outcome &outcome)
{
    const bool isToComeAgain = outcome.kind == Outcome::Kind::OverBudget;
    return outcome.kind == Outcome::Kind::Accepted
               ? grpc::Status::OK
               : status(statusCode(outcome.kind), outcome.reply.message,
                        isToComeAgain ? outcome.reply.retryAfter : std::chrono::milliseconds());
}

std::string userAgentOf(const Context &context)
{
    const auto field = context.client_metadata().find("user-agent");
    if (field == context.client_metadata().end())
        return {};
    return {field->second.data(), field->second.size()};
}

/// Since when calls have been waiting for what their sender has to send.
class WaitingCalls {
public:
    void add(Context *call)
    {
        const std::lock_guard lock(m_mutex);
        m_since.emplace(call, Clock::now());
    }
    /// Before the context goes.
    void remove(Context *call)
    {
        const std::lock_guard lock(m_mutex);
        m_since.erase(call);
    }
    void cancelThoseBefore(Clock::time_point time)
    {
        const std::lock_guard lock(m_mutex);
        for (const auto &[call, since] : m_since)
            if (since < time)
                call->TryCancel();
    }

private:
    std::mutex m_mutex;
    std::unordered_map<Context *, Clock::time_point> m_since; ///< guarded by m_mutex
};

/// An Export: one message, one reply.
class ExportCall : public Reactor {
public:
    ExportCall(Reception &reception, WaitingCalls &waiting, Context *context, Signal signal)
        : m_reception(reception), m_waiting(waiting), m_context(context), m_signal(signal),
          m_peer(peerOfGrpc(context->peer())), m_userAgent(userAgentOf(*context)), m_share(reception.budget)
    {
        m_waiting.add(m_context);
        StartRead(&m_message);
    }

private:
    void OnReadDone(bool ok) override
    {
        m_waiting.remove(m_context);
        if (!ok)
            return finishUnread();
        if (!m_share.grow(m_message.Length()))
            return finishOverBudget();
        m_reception.pool.post([this] { answer(); });
    }

    void answer()
    {
        const grpc::Slice slice = contiguous(m_message);
        m_message.Clear();
        const auto bytes = bytesOf(slice);
        // No OTLP message begins with 1f, which would be a field of wire type 7.
        const bool isGzip = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
        Outcome outcome = receive(m_reception,
                                  {.signal = m_signal,
                                   .transport = Transport::Grpc,
                                   .body = bytes,
                                   .peer = m_peer,
                                   .userAgent = m_userAgent},
                                  isGzip ? Packing::Gzip : Packing::None, Encoding::Protobuf);
        const grpc::Status status = statusOf(outcome);
        if (!status.ok())
            return Finish(status);
        m_response = bufferOf(exportResponse(outcome.reply, m_signal, Encoding::Protobuf));
        StartWriteAndFinish(&m_response, {}, status);
    }

    void finishUnread()
    {
        const std::string reason = m_context->IsCancelled()
                                       ? "the call ended before its message had arrived"
                                       : "the call has no message, or one that is too large";
        m_reception.refuse(Transport::Grpc, m_peer, m_userAgent, reason);
        Finish(status(StatusCode::InvalidArgument, reason));
    }

    void finishOverBudget()
    {
        const std::string reason = "too much is being received at once";
        m_reception.refuse(Transport::Grpc, m_peer, m_userAgent, reason);
        Finish(status(StatusCode::Unavailable, reason, std::chrono::seconds(1)));
    }

    void OnDone() override { delete this; }

    Reception &m_reception;
    WaitingCalls &m_waiting;
    Context *const m_context;
    const Signal m_signal;
    const std::string m_peer;
    const std::string m_userAgent;
    BudgetShare m_share;
    grpc::ByteBuffer m_message;
    grpc::ByteBuffer m_response;
};

class HealthCheck : public Reactor {
public:
    HealthCheck(WaitingCalls &waiting, Context *context) : m_waiting(waiting), m_context(context)
    {
        m_waiting.add(m_context);
        StartRead(&m_message);
    }

private:
    void OnReadDone(bool ok) override
    {
        m_waiting.remove(m_context);
        if (!ok)
            return Finish(status(StatusCode::InvalidArgument, "the call has no message"));
        const HealthReply reply = healthReply(bytesOf(contiguous(m_message)));
        if (reply.code != StatusCode::Ok)
            return Finish(status(reply.code, reply.message));
        m_response = bufferOf(reply.message);
        StartWriteAndFinish(&m_response, {}, grpc::Status::OK);
    }
    void OnDone() override { delete this; }

    WaitingCalls &m_waiting;
    Context *const m_context;
    grpc::ByteBuffer m_message;
    grpc::ByteBuffer m_response;
};

/// Tells the status once and stays open until one side goes: it never changes while there is a server.
class HealthWatch : public Reactor {
public:
    HealthWatch() { StartRead(&m_message); }

private:
    void OnReadDone(bool ok) override
    {
        const std::lock_guard lock(m_mutex);
        if (m_isFinished)
            return;
        if (!ok)
            return finish(status(StatusCode::InvalidArgument, "the call has no message"));
        const bool isKnown = healthReply(bytesOf(contiguous(m_message))).code == StatusCode::Ok;
        m_response = bufferOf(healthResponse(isKnown));
        StartWrite(&m_response);
    }
    void OnCancel() override
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isFinished)
            finish(grpc::Status::CANCELLED);
    }
    void OnDone() override { delete this; }

    void finish(const grpc::Status &status)
    {
        m_isFinished = true;
        Finish(status);
    }

    std::mutex m_mutex;
    bool m_isFinished = false; ///< guarded by m_mutex: nothing may be started after Finish
    grpc::ByteBuffer m_message;
    grpc::ByteBuffer m_response;
};

/// Answers questions until the asker has no more.
class Reflection : public Reactor {
public:
    Reflection(WaitingCalls &waiting, Context *context) : m_waiting(waiting), m_context(context)
    {
        readNext();
    }

private:
    void readNext()
    {
        m_waiting.add(m_context);
        StartRead(&m_message);
    }
    void OnReadDone(bool ok) override
    {
        m_waiting.remove(m_context);
        if (!ok)
            return Finish(grpc::Status::OK);
        m_response = bufferOf(reflectionResponse(bytesOf(contiguous(m_message))));
        StartWrite(&m_response);
    }
    void OnWriteDone(bool ok) override
    {
        if (ok)
            readNext();
        else
            Finish(grpc::Status::CANCELLED);
    }
    void OnDone() override { delete this; }

    WaitingCalls &m_waiting;
    Context *const m_context;
    grpc::ByteBuffer m_message;
    grpc::ByteBuffer m_response;
};

class Unknown : public Reactor {
public:
    explicit Unknown(const std::string &method)
    {
        Finish(status(StatusCode::Unimplemented, "there is no method " + method));
    }

private:
    void OnDone() override { delete this; }
};

class Service : public grpc::CallbackGenericService {
public:
    explicit Service(Reception &reception) : m_reception(reception) {}

    WaitingCalls waiting;

private:
    Reactor *CreateReactor(Context *context) override
    {
        const std::string &method = context->method();
        if (const auto signal = signalOfMethod(method))
            return new ExportCall(m_reception, waiting, context, *signal);
        if (method == kHealthCheckMethod)
            return new HealthCheck(waiting, context);
        if (method == kHealthWatchMethod)
            return new HealthWatch;
        if (isReflectionMethod(method))
            return new Reflection(waiting, context);
        m_reception.refuse(Transport::Grpc, peerOfGrpc(context->peer()), userAgentOf(*context),
                           "there is no method " + method);
        return new Unknown(method);
    }

    Reception &m_reception;
};

int milliseconds(std::chrono::milliseconds duration)
{
    return static_cast<int>(duration.count());
}

/// Connections that gRPC has. It does not tell when it closes one, but then the descriptor is free, or is
/// another socket.
class AdoptedSockets {
public:
    void add(int descriptor) { m_sockets.push_back({descriptor, identity(descriptor)}); }

    std::size_t countOpen()
    {
        std::erase_if(m_sockets,
                      [](const Adopted &socket) { return identity(socket.descriptor) != socket.identity; });
        return m_sockets.size();
    }

private:
    struct Adopted {
        int descriptor = -1;
        ino_t identity = 0;
    };

    static ino_t identity(int descriptor)
    {
        struct stat status{};
        return ::fstat(descriptor, &status) == 0 ? status.st_ino : 0;
    }

    std::vector<Adopted> m_sockets;
};

} // namespace

struct GrpcSide::Impl {
    explicit Impl(Reception &sharedReception) : reception(sharedReception), service(sharedReception) {}

    Reception &reception;
    Service service;
    std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor;
    std::unique_ptr<grpc::Server> server;
    AdoptedSockets sockets;
};

GrpcSide::GrpcSide(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

GrpcSide::~GrpcSide()
{
    stop();
}

Result<std::unique_ptr<GrpcSide>> GrpcSide::start(Reception &reception)
{
    const Limits &limits = reception.limits;
    auto impl = std::make_unique<Impl>(reception);
    grpc::ServerBuilder builder;
    builder.RegisterCallbackGenericService(&impl->service);
    builder.SetMaxReceiveMessageSize(static_cast<int>(limits.requestBytes));
    grpc::ResourceQuota quota("hearth");
    // Under pressure gRPC closes connections without a word; the budget, which says when to come again, is to
    // be reached first.
    quota.Resize(2 * limits.receivingBytes);
    builder.SetResourceQuota(quota);
    builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsOfOneConnection);
    builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, static_cast<int>(limits.headerBytes));
    builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, milliseconds(limits.firstBytes));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, milliseconds(limits.idle));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, milliseconds(2 * limits.stall));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, milliseconds(limits.stall));
    // Senders ping as often as they like; a strict server would close on them.
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 1000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    impl->acceptor = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        grpc::InsecureServerCredentials());
    impl->server = builder.BuildAndStart();
    if (!impl->server)
        return failure("gRPC does not start");
    return std::unique_ptr<GrpcSide>(new GrpcSide(std::move(impl)));
}

void GrpcSide::adopt(int descriptor)
{
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = descriptor;
    m_impl->sockets.add(descriptor);
    m_impl->acceptor->HandleNewConnection(&connection);
}

std::size_t GrpcSide::connections()
{
    return m_impl->sockets.countOpen();
}

void GrpcSide::endStalledCalls()
{
    m_impl->service.waiting.cancelThoseBefore(Clock::now() - m_impl->reception.limits.request);
}

void GrpcSide::stop()
{
    if (!m_impl->server)
        return;
    m_impl->server->Shutdown(std::chrono::system_clock::now() + m_impl->reception.limits.drain);
    m_impl->server->Wait();
    m_impl->server.reset();
}

} // namespace hearth
