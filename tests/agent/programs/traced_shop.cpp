// Two services, as instrumented programs are: a gateway asks a shop. Every thread says in which span it is,
// and each service sends its spans to a receiver of OTLP over HTTP.
//
//   traced-shop PORT REQUESTS     every third request is slow: the shop parses a long answer
//
// Work is measured in time on a processor, so that a busy machine changes how long it takes, not what it is.

#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {
/// OpenTelemetry's thread context: what the sampler links samples by.
__attribute__((visibility("default"))) thread_local void *otel_thread_ctx_v1 = nullptr;
}

namespace {

volatile unsigned long work = 0;

double seconds(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

unsigned long long nanoseconds()
{
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<unsigned long long>(now.tv_sec) * 1'000'000'000ULL +
           static_cast<unsigned long long>(now.tv_nsec);
}

void spin(double milliseconds)
{
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + milliseconds / 1e3;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
        for (int i = 0; i < 2000; ++i)
            work = work + 1;
}

struct Context {
    std::array<std::uint8_t, 28> bytes{};

    Context(std::uint8_t trace, std::uint8_t span)
    {
        bytes[15] = trace;
        bytes[23] = span;
        bytes[24] = 1; // valid
    }
};

std::string hex(std::uint8_t number, int digits)
{
    char text[40];
    std::snprintf(text, sizeof text, "%0*x", digits, number);
    return text;
}

/// The spans of a service as OTLP/JSON.
class Sender {
public:
    explicit Sender(const char *service) : m_service(service) {}

    void add(const char *name, std::uint8_t trace, std::uint8_t span, std::uint8_t parent,
             unsigned long long start)
    {
        m_spans += std::string(m_spans.empty() ? "" : ",") + R"({"traceId":")" + hex(trace, 32) +
                   R"(","spanId":")" + hex(span, 16) + R"(","parentSpanId":")" +
                   (parent == 0 ? std::string() : hex(parent, 16)) + R"(","name":")" + name +
                   R"(","startTimeUnixNano":")" + std::to_string(start) + R"(","endTimeUnixNano":")" +
                   std::to_string(nanoseconds()) + R"("})";
    }

    bool send(std::uint16_t port) const
    {
        const std::string body =
            R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":")" +
            m_service + R"("}}]},"scopeSpans":[{"spans":[)" + m_spans + "]}]}]}";
        const std::string request =
            "POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            "Connection: close\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
            write(connection, request.data(), request.size()) != static_cast<ssize_t>(request.size()))
            return false;
        char reply[16] = {};
        const ssize_t length = read(connection, reply, sizeof reply - 1);
        close(connection);
        return length > 12 && std::strncmp(reply + 9, "200", 3) == 0;
    }

private:
    std::string m_service;
    std::string m_spans;
};

struct Request {
    std::uint8_t trace = 0; ///< 0: no more
    std::uint8_t span = 0;
    bool isSlow = false;
};

} // namespace

#define NOINLINE __attribute__((noinline, noclone))

extern "C" {

NOINLINE void routeRequest()
{
    spin(20);
    work = work + 1;
}

NOINLINE void lookUpItems()
{
    spin(20);
    work = work + 1;
}

NOINLINE void parseLongAnswer()
{
    spin(400);
    work = work + 1;
}

NOINLINE void parseShortAnswer()
{
    spin(20);
    work = work + 1;
}
}

namespace {

int shop(int channel, std::uint16_t port)
{
    Sender sender("shop");
    Request request;
    while (read(channel, &request, sizeof request) == sizeof request && request.trace != 0) {
        const unsigned long long start = nanoseconds();
        Context cart(request.trace, 2);
        Context parse(request.trace, 3);
        otel_thread_ctx_v1 = &cart;
        lookUpItems();
        const unsigned long long parseStart = nanoseconds();
        otel_thread_ctx_v1 = &parse;
        request.isSlow ? parseLongAnswer() : parseShortAnswer();
        otel_thread_ctx_v1 = nullptr;
        sender.add("parse answer", request.trace, 3, 2, parseStart);
        sender.add("cart", request.trace, 2, request.span, start);
        if (write(channel, &request, sizeof request) != sizeof request)
            return 1;
    }
    return sender.send(port) ? 0 : 1;
}

int gateway(int channel, std::uint16_t port, int requests)
{
    Sender sender("gateway");
    for (int i = 1; i <= requests; ++i) {
        const unsigned long long start = nanoseconds();
        const auto trace = static_cast<std::uint8_t>(i);
        Context get(trace, 1);
        otel_thread_ctx_v1 = &get;
        routeRequest();
        Request request{trace, 1, i % 3 == 0};
        if (write(channel, &request, sizeof request) != sizeof request ||
            read(channel, &request, sizeof request) != sizeof request)
            return 1;
        otel_thread_ctx_v1 = nullptr;
        sender.add("GET /cart", trace, 1, 0, start);
    }
    const Request end;
    if (write(channel, &end, sizeof end) != sizeof end)
        return 1;
    return sender.send(port) ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    int channels[2];
    if (argc < 3 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channels) != 0)
        return 2;
    const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
    const pid_t child = fork();
    if (child == 0)
        _exit(shop(channels[1], port));
    close(channels[1]);
    const int status = gateway(channels[0], port, std::atoi(argv[2]));
    int childStatus = 1;
    waitpid(child, &childStatus, 0);
    return status != 0 || childStatus != 0 ? 1 : 0;
}
