#include "host/serve/http/request_parser.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "host/base/ascii.hpp"
#include "host/serve/headers.hpp"

namespace toolhost::serve {
namespace {

namespace http = boost::beast::http;

struct KnownFault {
    http::error error;
    int status;
    const char* text;
};
constexpr KnownFault kKnownFaults[] = {
    {http::error::body_limit, 413, "the request body is too large"},
    {http::error::header_limit, 431, "the request headers are too large"},
};

// Which of the used headers it is. The library knows the standard ones by number; only the others
// are compared as text.
std::optional<Header> find_header(http::field known, std::string_view name) {
    switch (known) {
        case http::field::host:
            return Header::host;
        case http::field::origin:
            return Header::origin;
        case http::field::authorization:
            return Header::authorization;
        case http::field::accept:
            return Header::accept;
        case http::field::content_type:
            return Header::content_type;
        case http::field::access_control_request_method:
            return Header::access_control_request_method;
        case http::field::unknown:
            break;
        default:
            return std::nullopt;
    }
    for (auto i = static_cast<std::size_t>(Header::mcp_session_id); i < kHeaderNames.size(); ++i)
        if (is_alike(name, kHeaderNames[i])) return static_cast<Header>(i);
    return std::nullopt;
}

bool is_param(http::field known, std::string_view name) {
    return known == http::field::unknown &&
           is_alike(name.substr(0, kParamHeaders.size()), kParamHeaders);
}

}  // namespace

HttpRequestParser::HttpRequestParser(HttpRequest& into, std::size_t header_bytes,
                                     std::size_t body_bytes)
    : request_(into) {
    eager(true);
    header_limit(static_cast<std::uint32_t>(header_bytes));
    body_limit(body_bytes);
}

std::size_t HttpRequestParser::take(std::string_view bytes) {
    std::size_t taken = 0;
    Code code;
    input_ = bytes;
    while (!code && !is_done() && taken < bytes.size())
        taken += put({bytes.data() + taken, bytes.size() - taken}, code);
    if (!code || code == http::error::need_more || fault_.status != 0) return taken;
    fault_ = {400, "invalid HTTP request: " + code.message()};
    for (const auto& known : kKnownFaults)
        if (code == known.error) fault_ = {known.status, known.text};
    return taken;
}

void HttpRequestParser::refuse(Code& code, int status, std::string text) {
    fault_ = {status, std::move(text)};
    code = http::error::bad_field;  // any would do: it ends the reading
}

void HttpRequestParser::on_request_impl(http::verb, Text method, Text target, int version, Code&) {
    request_.method = method;
    request_.path = target.substr(0, target.find('?'));
    knows_chunks_ = version >= 11;
}

// Whether the value went on in a further line (obs-fold): the library then copies it elsewhere, or
// begins it there.
bool HttpRequestParser::is_folded(Text name, Text value) const {
    const char* end = name.data() + name.size();
    const std::less<> before;
    if (before(value.data(), end) || before(input_.data() + input_.size(), value.data()))
        return true;
    return std::find(end, value.data(), '\n') != value.data();
}

void HttpRequestParser::on_field_impl(Name known, Text name, Text value, Code& code) {
    if (is_folded(name, value)) return refuse(code, 400, "a folded header line is not supported");
    if (is_header_done()) return;  // a trailer, which is not used
    // Anything else would leave a body that two readers end at different places.
    if (known == Name::transfer_encoding && !is_alike(value, "chunked"))
        return refuse(code, 501, "the only supported Transfer-Encoding is chunked");
    // The library accepts one that is repeated with the same value, which others may not.
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (known == Name::content_length &&
        (std::exchange(has_length_, true) || !std::ranges::all_of(value, is_digit)))
        return refuse(code, 400, "Content-Length must occur once, with one number");
    if (known == Name::expect && is_alike(value, "100-continue")) awaits_continue_ = knows_chunks_;
    if (const auto header = find_header(known, name)) {
        // Two readers could take another one each.
        if (!request_.add(*header, value)) refuse_duplicate(code, name);
    } else if (is_param(known, name)) {
        auto param = lower_case(name.substr(kParamHeaders.size()));
        for (const auto& [other, ignored] : request_.params)
            if (other == param) return refuse_duplicate(code, name);
        request_.params.emplace_back(std::move(param), std::string_view(value));
    }
}

void HttpRequestParser::refuse_duplicate(Code& code, std::string_view name) {
    refuse(code, 400, "duplicate header " + lower_case(name));
}

void HttpRequestParser::on_header_impl(Code&) {
    keeps_ = keep_alive();
}

void HttpRequestParser::reserve_body() {
    if (const auto length = content_length())
        request_.body.reserve(static_cast<std::size_t>(*length));  // within body_limit
}

void HttpRequestParser::on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) {}

std::size_t HttpRequestParser::on_body_impl(Text piece, Code&) {
    request_.body += piece;
    return piece.size();
}

std::size_t HttpRequestParser::on_chunk_body_impl(std::uint64_t, Text piece, Code&) {
    request_.body += piece;
    return piece.size();
}

void HttpRequestParser::on_response_impl(int, Text, int, Code&) {}
void HttpRequestParser::on_chunk_header_impl(std::uint64_t, Text, Code&) {}
void HttpRequestParser::on_finish_impl(Code&) {}

}  // namespace toolhost::serve
