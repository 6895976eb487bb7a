#pragma once

#include <map>
#include <semaphore>
#include <string>
#include <thread>

namespace hearth::test {

/// Answers GET with files, one request at a time, on a port of this machine of its own.
class HttpServer {
public:
    using Files = std::map<std::string, std::string>; ///< by the path that is asked for
    static constexpr const char *kNeverAnswered = "";

    explicit HttpServer(Files files);
    HttpServer(const HttpServer &) = delete;
    HttpServer &operator=(const HttpServer &) = delete;
    ~HttpServer();

    std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    void waitForRequest() { m_asked.acquire(); }

private:
    void serve(const std::stop_token &stop);
    void answer(int connection, const std::stop_token &stop);

    const Files m_files;
    int m_listener = -1;
    unsigned m_port = 0;
    std::counting_semaphore<> m_asked{0};
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace hearth::test
