#include "host/serve/auth/fetch.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace toolhost::serve {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

// Steps that are written one after the other, and share one deadline.
class Deadline {
public:
    Deadline(std::chrono::milliseconds time, const std::stop_token& stop)
        : until_(std::chrono::steady_clock::now() + time),
          stop_(stop),
          on_stop_(stop, [this] { context_.stop(); }) {}

    [[nodiscard]] asio::io_context& context() { return context_; }

    // `start` begins something and hands on the handler it is given.
    template <class Start>
    void step(const Start& start) {
        // Not on the stack: after a timeout the handler lives as long as the context.
        struct Outcome {
            bool ended = false;
            error_code fault;
        };
        auto outcome = std::make_shared<Outcome>();
        start([outcome](error_code fault, const auto&...) { *outcome = {true, fault}; });
        context_.restart();
        if (!stop_.stop_requested()) context_.run_until(until_);
        if (!outcome->ended) throw boost::system::system_error(asio::error::timed_out);
        if (outcome->fault) throw boost::system::system_error(outcome->fault);
    }

private:
    asio::io_context context_;
    std::chrono::steady_clock::time_point until_;
    const std::stop_token& stop_;
    std::stop_callback<std::function<void()>> on_stop_;
};

using Response = http::response_parser<http::string_body>;

template <class Stream>
void exchange_messages(Deadline& deadline, Stream& stream, const Url& url, Response& response) {
    http::request<http::empty_body> request(http::verb::get, url.target, 11);
    request.set(http::field::host, url.authority());
    request.set(http::field::accept, "application/json");
    request.set(http::field::user_agent, "toolhost");
    request.keep_alive(false);
    deadline.step([&](auto done) { http::async_write(stream, request, std::move(done)); });
    boost::beast::flat_buffer buffer;
    deadline.step([&](auto done) { http::async_read(stream, buffer, response, std::move(done)); });
}

// TLS 1.2 or newer, the system's authorities, and the name that was asked for.
asio::ssl::context trusting_the_system() {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
    tls.set_default_verify_paths();
    tls.set_verify_mode(asio::ssl::verify_peer);
    return tls;
}

void over_tls(Deadline& deadline, tcp::socket socket, const Url& url, Response& response) {
    auto tls = trusting_the_system();
    asio::ssl::stream<tcp::socket> stream(std::move(socket), tls);
    stream.set_verify_callback(asio::ssl::host_name_verification(url.host));
    error_code not_an_address;
    (void)asio::ip::make_address(url.host, not_an_address);
    // Servers of many names answer with the certificate of the one that is asked for.
    if (not_an_address && SSL_set_tlsext_host_name(stream.native_handle(), url.host.c_str()) != 1)
        throw std::runtime_error("OpenSSL refuses the name " + url.host);
    deadline.step([&](auto done) {
        stream.async_handshake(asio::ssl::stream_base::client, std::move(done));
    });
    exchange_messages(deadline, stream, url, response);
}

tcp::socket connected(Deadline& deadline, const Url& url) {
    tcp::resolver resolver(deadline.context());
    auto found = std::make_shared<tcp::resolver::results_type>();
    deadline.step([&](auto done) {
        resolver.async_resolve(url.host, url.port,
                               [found, done](error_code fault, const auto& results) mutable {
                                   *found = results;
                                   done(fault);
                               });
    });
    tcp::socket socket(deadline.context());
    deadline.step([&](auto done) { asio::async_connect(socket, *found, std::move(done)); });
    return socket;
}

}  // namespace

Result<std::string> fetch(const Url& url, const std::stop_token& stop, const FetchLimits& limits) {
    const auto address = (url.tls ? "https://" : "http://") + url.authority() + url.target;
    const auto fault = [&](const std::string& what) {
        return Error{ErrorCode::invalid_input, address + ": " + what, {}};
    };
    try {
        Deadline deadline(limits.time, stop);
        Response response;
        response.body_limit(limits.bytes);
        auto socket = connected(deadline, url);
        if (url.tls)
            over_tls(deadline, std::move(socket), url, response);
        else
            exchange_messages(deadline, socket, url, response);
        if (response.get().result_int() != 200)
            return fault("it responds with " + std::to_string(response.get().result_int()) +
                         (response.get().result_int() / 100 == 3
                              ? ", a redirect, which is not followed: use its target"
                              : ""));
        return std::move(response.get().body());
    } catch (const boost::system::system_error& error) {
        return fault(error.code() == asio::error::timed_out
                         ? "no response within " + std::to_string(limits.time.count()) + " ms"
                         : error.code().message());
    } catch (const std::exception& error) {
        return fault(error.what());
    }
}

}  // namespace toolhost::serve
