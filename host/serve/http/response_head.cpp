#include "host/serve/http/response_head.hpp"

#include <fmt/format.h>

#include <boost/beast/http/status.hpp>

#include "host/base/json_text.hpp"

namespace toolhost::serve {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHeadRoom = 256;  // most heads are shorter

}  // namespace

std::string head_of(const HttpResponse& response, bool keep, BodyLength length) {
    namespace http = boost::beast::http;
    std::string head;
    head.reserve(kHeadRoom + response.body.size());
    if (response.status == 200) {
        head += "HTTP/1.1 200 OK\r\n"sv;
    } else {
        const auto reason =
            http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
        head += fmt::format("HTTP/1.1 {} {}\r\n", response.status, std::string_view(reason));
    }
    if (!response.type.empty()) {
        head += "Content-Type: "sv;
        head += response.type;
        head += "\r\n"sv;
    }
    for (const auto& [name, value] : response.headers)
        head += fmt::format("{}: {}\r\n", name, value);
    if (length == BodyLength::chunked) {
        head += "Transfer-Encoding: chunked\r\n"sv;
    } else if (length == BodyLength::stated && response.status != 204) {
        head += "Content-Length: "sv;
        append_json_number(head, static_cast<std::int64_t>(response.body.size()));
        head += "\r\n"sv;
    }
    head += keep ? "\r\n"sv : "Connection: close\r\n\r\n"sv;
    return head;
}

std::string chunk_of(std::string_view text) {
    return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

}  // namespace toolhost::serve
