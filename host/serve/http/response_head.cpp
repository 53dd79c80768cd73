#include "host/serve/http/response_head.hpp"

#include <fmt/format.h>

#include <boost/beast/http/status.hpp>

namespace toolhost::serve {
namespace {

constexpr std::size_t kHeadRoom = 256;  // most heads are shorter

}  // namespace

std::string head_of(const HttpResponse& response, bool keep, BodyLength length) {
    namespace http = boost::beast::http;
    std::string head;
    head.reserve(kHeadRoom + response.body.size());
    const auto line = [&head](auto... parts) {
        (head.append(parts), ...);
        head += "\r\n";
    };
    const auto number = [](auto value) { return fmt::format_int(value); };
    const auto reason =
        http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
    line("HTTP/1.1 ", number(response.status).c_str(), " ", std::string_view(reason));
    if (!response.type.empty()) line("Content-Type: ", response.type);
    for (const auto& [name, value] : response.headers) line(name, ": ", value);
    if (length == BodyLength::chunked)
        line("Transfer-Encoding: chunked");
    else if (length == BodyLength::stated && response.status != 204)
        line("Content-Length: ", number(response.body.size()).c_str());
    if (!keep) line("Connection: close");
    line();
    return head;
}

std::string chunk_of(std::string_view text) {
    return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

}  // namespace toolhost::serve
