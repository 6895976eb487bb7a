#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hearth::test {

struct HttpAnswer {
    int status = 0;                            ///< 0: the connection ended without one
    std::map<std::string, std::string> fields; ///< names in lower case
    std::string body;
};

/// A socket that sends exactly what it is told to.
class RawConnection {
public:
    explicit RawConnection(std::uint16_t port);
    explicit RawConnection(const std::string &unixPath);
    RawConnection(const RawConnection &) = delete;
    RawConnection &operator=(const RawConnection &) = delete;
    ~RawConnection();

    /// @return false if the other side has closed
    bool send(std::string_view bytes);
    void endSending();

    /// One answer; bytes behind it are kept for the next.
    HttpAnswer answer();

    /// Waits until the other side has sent something, which is kept.
    void awaitBytes();

    /// What comes until the other side closes.
    std::string untilEnd();

private:
    bool receiveMore();

    int m_descriptor;
    std::string m_received;
};

/// A POST with these extra fields (each with its CRLF) and a Content-Length.
std::string post(std::string_view path, std::string_view body, std::string_view fields = {},
                 std::string_view contentType = "application/x-protobuf");

/// That POST on a connection of its own.
HttpAnswer answerTo(std::uint16_t port, std::string_view request);

} // namespace hearth::test
