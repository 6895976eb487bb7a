#include "app/demo/demo_programs.h"

#include <algorithm>
#include <iterator>

namespace hearth {

namespace {

constexpr DemoCode kCodes[] = {
    {'n', "native", "/opt/shop/bin/checkout"},
    {'l', "native", "/usr/lib/x86_64-linux-gnu/libc.so.6"},
    {'s', "native", "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"},
    {'k', "kernel", "[kernel]"},
    {'p', "cpython", "/usr/bin/python3.11"},
    {'x', "native", "/usr/lib/python3/dist-packages/numpy/core/_multiarray_umath.so"},
    {'g', "go", "/opt/shop/bin/gateway"},
};

constexpr DemoStack kShop[] = {
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140",
     6},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171",
     14},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::string()@json/parser.cpp:204",
     18},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::number()@json/parser.cpp:233",
     13},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;n "
     "std::vector<json::Value, std::allocator<json::Value>>::emplace_back(json::Value&&)",
     8},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;n "
     "std::vector<json::Value, std::allocator<json::Value>>::emplace_back(json::Value&&);l operator "
     "new(unsigned long);l malloc",
     5},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;i TaxTable::lookup(Region) const@shop/tax.cpp:52",
     14},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;i TaxTable::lookup(Region) const@shop/tax.cpp:52;n std::lower_bound<Rate "
     "const*, Region>(Rate const*, Rate const*, Region const&)",
     9},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;n Money::round() const@shop/money.cpp:9",
     7},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_sendto;k tcp_sendmsg",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_sendto;k tcp_sendmsg;k tcp_write_xmit;k __tcp_transmit_skb",
     5},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::readResult(Connection&)@db/pq.cpp:64;n "
     "decodeRow(std::span<char const>)@db/row.cpp:12",
     9},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::readResult(Connection&)@db/pq.cpp:64",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33;n matmul<float, 16>(float const*, float const*, "
     "float*)@shop/matmul.h:20",
     18},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33;n sigmoid(float)@shop/fraud.cpp:12;l expf",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n sign(Receipt "
     "const&)@shop/receipt.cpp:70;s ",
     12},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n sign(Receipt "
     "const&)@shop/receipt.cpp:70;n base64::encode(std::span<std::byte const>)@shop/base64.cpp:8",
     2},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;k "
     "entry_SYSCALL_64;k do_syscall_64;k __x64_sys_write;k vfs_write;k ext4_file_write_iter",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n Queue<Request>::pop()@shop/queue.h:25;l pthread_cond_wait;k "
     "entry_SYSCALL_64;k do_syscall_64;k __x64_sys_futex;k futex_wait",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30",
     1},
};

constexpr DemoStack kSlowShop[] = {
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140",
     30},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171",
     70},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::string()@json/parser.cpp:204",
     90},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::number()@json/parser.cpp:233",
     65},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;n "
     "std::vector<json::Value, std::allocator<json::Value>>::emplace_back(json::Value&&)",
     40},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;n "
     "std::vector<json::Value, std::allocator<json::Value>>::emplace_back(json::Value&&);l operator "
     "new(unsigned long);l malloc",
     25},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88",
     15},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;i TaxTable::lookup(Region) const@shop/tax.cpp:52",
     14},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;i TaxTable::lookup(Region) const@shop/tax.cpp:52;n std::lower_bound<Rate "
     "const*, Region>(Rate const*, Rate const*, Region const&)",
     9},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n priceOf(Item "
     "const&)@shop/price.cpp:17;n Money::round() const@shop/money.cpp:9",
     7},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_sendto;k tcp_sendmsg",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::send(Connection&)@db/pq.cpp:31;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_sendto;k tcp_sendmsg;k tcp_write_xmit;k __tcp_transmit_skb",
     5},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::readResult(Connection&)@db/pq.cpp:64;n "
     "decodeRow(std::span<char const>)@db/row.cpp:12",
     9},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "db::Query::execute()@db/query.cpp:73;n pq::readResult(Connection&)@db/pq.cpp:64",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33;n matmul<float, 16>(float const*, float const*, "
     "float*)@shop/matmul.h:20",
     18},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33;n sigmoid(float)@shop/fraud.cpp:12;l expf",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n "
     "fraudScore(Order const&)@shop/fraud.cpp:33",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n sign(Receipt "
     "const&)@shop/receipt.cpp:70;s ",
     12},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;n sign(Receipt "
     "const&)@shop/receipt.cpp:70;n base64::encode(std::span<std::byte const>)@shop/base64.cpp:8",
     2},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCheckout(Request const&)@shop/checkout.cpp:48;k "
     "entry_SYSCALL_64;k do_syscall_64;k __x64_sys_write;k vfs_write;k ext4_file_write_iter",
     4},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n Queue<Request>::pop()@shop/queue.h:25;l pthread_cond_wait;k "
     "entry_SYSCALL_64;k do_syscall_64;k __x64_sys_futex;k futex_wait",
     3},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30",
     1},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::string()@json/parser.cpp:204;n "
     "utf8::validate(std::string_view)@json/utf8.cpp:15",
     70},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n handleCart(Request const&)@shop/cart.cpp:61;n "
     "json::parse(std::string_view)@json/parser.cpp:88;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171;i json::Parser::object()@json/parser.cpp:140;i "
     "json::Parser::value()@json/parser.cpp:171",
     25},
};

constexpr DemoStack kRecommend[] = {
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;p features@rank.py:71;p "
     "load@features.py:18",
     11},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;p features@rank.py:71;p "
     "tokenise@features.py:44",
     13},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;p features@rank.py:71", 5},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;x PyArray_MatrixProduct2;x "
     "sgemm_kernel_direct",
     24},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;x PyArray_MatrixProduct2", 5},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;p sort@rank.py:93", 4},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p rank@rank.py:40;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_read;k sock_read_iter",
     4},
    {"p <module>@recommend.py:1;p serve@recommend.py:212;p read_request@recommend.py:180", 4},
};

constexpr DemoStack kGateway[] = {
    {"g runtime.goexit;g net/http.(*conn).serve;g net/http.serverHandler.ServeHTTP;g "
     "main.(*Gateway).proxy@gateway/proxy.go:88;g encoding/json.(*Decoder).Decode;g "
     "encoding/json.(*decodeState).object",
     14},
    {"g runtime.goexit;g net/http.(*conn).serve;g net/http.serverHandler.ServeHTTP;g "
     "main.(*Gateway).proxy@gateway/proxy.go:88;g encoding/json.(*Decoder).Decode",
     4},
    {"g runtime.goexit;g net/http.(*conn).serve;g net/http.serverHandler.ServeHTTP;g "
     "main.(*Gateway).proxy@gateway/proxy.go:88;g net/http.(*Transport).roundTrip;g "
     "crypto/tls.(*Conn).Write;g crypto/aes.gcmAesEnc",
     13},
    {"g runtime.goexit;g net/http.(*conn).serve;g net/http.serverHandler.ServeHTTP;g "
     "main.(*Gateway).proxy@gateway/proxy.go:88;g net/http.(*Transport).roundTrip;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_write;k tcp_sendmsg;k tcp_write_xmit",
     8},
    {"g runtime.goexit;g net/http.(*conn).serve;g net/http.serverHandler.ServeHTTP;g "
     "main.(*Gateway).proxy@gateway/proxy.go:88",
     3},
    {"g runtime.goexit;g runtime.bgsweep;g runtime.sweepone", 4},
    {"g runtime.mcall;g runtime.schedule;g runtime.findRunnable", 5},
    {"g runtime.goexit;g runtime.gcBgMarkWorker;g runtime.gcDrain;g runtime.scanobject", 10},
};

constexpr DemoStack kConnections[] = {
    {"k entry_SYSCALL_64;k do_syscall_64;k __x64_sys_epoll_wait;k do_epoll_wait", 6},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n Connection::read()@shop/connection.cpp:40;k entry_SYSCALL_64;k "
     "do_syscall_64;k __x64_sys_recvfrom;k tcp_recvmsg",
     9},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n Connection::read()@shop/connection.cpp:40;n "
     "http::Parser::feed(std::span<char const>)@http/parser.cpp:19",
     12},
    {"n _start;l __libc_start_main;n main@shop/main.cpp:21;n Server::run()@shop/server.cpp:44;n "
     "Worker::loop()@shop/worker.cpp:30;n Connection::write(Response const&)@shop/connection.cpp:77;n "
     "zlib::deflate(std::span<char const>)@http/zlib.cpp:5;l deflate",
     11},
};

constexpr DemoStack kKernel[] = {
    {"k ret_from_fork;k kthread;k rcu_gp_kthread", 4},
    {"k ret_from_fork;k kthread;k kswapd;k shrink_node", 7},
    {"k ret_from_fork;k kthread;k worker_thread;k process_one_work;k wb_workfn", 6},
};

constexpr DemoThread kThreads[] = {
    {"checkout", "checkout", "worker-0", 760, 15, 0, kShop, kSlowShop},
    {"checkout", "checkout", "worker-1", 690, 15, 90, kShop, kSlowShop},
    {"checkout", "checkout", "conn", 240, 12, 30, kConnections, {}},
    {"recommend", "recommend.py", "MainThread", 640, 10, 210, kRecommend, {}},
    {"gateway", "gateway", "gateway", 420, 7, 300, kGateway, {}},
    {"", "kernel threads", "kworker", 170, 10, 150, kKernel, {}},
};

} // namespace

const DemoCode &codeOf(char letter)
{
    return *std::ranges::find(kCodes, letter, &DemoCode::letter);
}

std::span<const DemoThread> demoThreads()
{
    return kThreads;
}

} // namespace hearth
