#include "ingest/bytes/packing.h"
#include "ingest/client/answer.h"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <charconv>
#include <optional>

namespace hearth {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Stream = beast::basic_stream<asio::generic::stream_protocol>;
using ErrorCode = boost::system::error_code;
using Response = http::response<http::string_body>;

const char *exportPath(Signal signal)
{
    switch (signal) {
    case Signal::Profiles:
        return "/v1development/profiles";
    case Signal::Traces:
        return "/v1/traces";
    case Signal::Logs:
        return "/v1/logs";
    case Signal::Metrics:
        break;
    }
    return "/v1/metrics";
}

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

class HttpClient : public Client {
public:
    HttpClient(Address address, const ClientOptions &options)
        : m_address(std::move(address)), m_options(options)
    {}

    Result<SendAnswer> send(Signal signal, Encoding encoding, std::span<const std::uint8_t> message) override
    {
        const bool isReused = m_stream.has_value();
        Result<SendAnswer> answer = tryToSend(signal, encoding, message);
        // The receiver may have closed a connection that was idle.
        if (!answer && isReused && m_response.result_int() == 0)
            answer = tryToSend(signal, encoding, message);
        return answer;
    }

private:
    Result<SendAnswer> tryToSend(Signal signal, Encoding encoding, std::span<const std::uint8_t> message)
    {
        if (!m_stream)
            if (const auto connected = connect(); !connected)
                return tl::unexpected(connected.error());
        http::request<http::string_body> request(http::verb::post, exportPath(signal), 11);
        request.set(http::field::host, m_address.isUnix() ? "localhost" : toString(m_address));
        request.set(http::field::user_agent, m_options.userAgent);
        request.set(http::field::content_type,
                    encoding == Encoding::Json ? "application/json" : "application/x-protobuf");
        if (m_options.isGzip)
            request.set(http::field::content_encoding, "gzip");
        request.body() = packed(message, m_options.isGzip ? Packing::Gzip : Packing::None);
        request.prepare_payload();
        if (const ErrorCode error = exchange(request)) {
            m_stream.reset();
            return failure("no answer from " + toString(m_address) + ": " + error.message());
        }
        if (!m_response.keep_alive())
            m_stream.reset();
        return answerOf(encoding);
    }

    /// Waits for one operation; with a time limit, which Beast has for asynchronous ones only.
    template <class Begin>
    ErrorCode await(Begin begin)
    {
        ErrorCode result;
        m_stream->expires_after(m_options.timeout);
        begin([&result](ErrorCode error, auto...) { result = error; });
        m_io.restart();
        m_io.run();
        return result;
    }

    Result<void> connect()
    {
        m_stream.emplace(m_io);
        m_buffer.clear();
        ErrorCode error;
        for (const auto &endpoint : endpoints()) {
            error = await([&](auto done) { m_stream->async_connect(endpoint, done); });
            if (!error)
                return {};
            m_stream.emplace(m_io);
        }
        m_stream.reset();
        return failure("cannot connect to " + toString(m_address) + ": " + error.message());
    }

    std::vector<asio::generic::stream_protocol::endpoint> endpoints() const
    {
        using asio::ip::tcp;
        if (m_address.isUnix())
            return {asio::local::stream_protocol::endpoint(m_address.path)};
        if (m_address.host == "localhost")
            return {tcp::endpoint(asio::ip::address_v4::loopback(), m_address.port),
                    tcp::endpoint(asio::ip::address_v6::loopback(), m_address.port)};
        return {tcp::endpoint(asio::ip::make_address(m_address.host), m_address.port)};
    }

    ErrorCode exchange(const http::request<http::string_body> &request)
    {
        m_response = {};
        m_response.result(0U);
        const ErrorCode sent = await([&](auto done) { http::async_write(*m_stream, request, done); });
        // A receiver that refuses by the head may close before it has the body: its answer counts.
        const ErrorCode received =
            await([&](auto done) { http::async_read(*m_stream, m_buffer, m_response, done); });
        return received && sent ? sent : received;
    }

    SendAnswer answerOf(Encoding encoding) const
    {
        SendAnswer answer;
        const unsigned status = m_response.result_int();
        const std::string &body = m_response.body();
        if (status == 200) {
            if (encoding == Encoding::Protobuf)
                readPartialSuccess(bytesOf(body), answer);
            else if (body.find("partialSuccess") != std::string::npos)
                answer.message = body;
            return answer;
        }
        const bool isRetryable = status == 429 || (status >= 502 && status <= 504);
        answer.verdict = isRetryable ? SendAnswer::Verdict::ComeAgain : SendAnswer::Verdict::Refused;
        answer.message = std::to_string(status) + ": " +
                         (encoding == Encoding::Protobuf ? std::string(statusText(bytesOf(body))) : body);
        const auto after = m_response[http::field::retry_after];
        unsigned seconds = 0;
        std::from_chars(after.data(), after.data() + after.size(), seconds);
        answer.retryAfter = std::chrono::seconds(seconds);
        return answer;
    }

    const Address m_address;
    const ClientOptions m_options;
    asio::io_context m_io{1};
    std::optional<Stream> m_stream;
    beast::flat_buffer m_buffer;
    Response m_response;
};

} // namespace

std::unique_ptr<Client> httpClient(const Address &address, const ClientOptions &options)
{
    return std::make_unique<HttpClient>(address, options);
}

} // namespace hearth
