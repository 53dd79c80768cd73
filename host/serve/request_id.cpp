#include "host/serve/request_id.hpp"

#include <utility>

#include "host/base/json_text.hpp"
#include "host/serve/rpc.hpp"

namespace toolhost::serve {
namespace {

// Every byte of an id may be written as \u00XX, and it has quotes.
constexpr std::size_t kKeptBytes = 6 * kMaxIdBytes + 2;

}  // namespace

void RequestIdFinder::take(std::string_view text) {
    for (const char c : text) {
        if (failed_) return;
        step(c);
    }
}

void RequestIdFinder::step(char c) {
    if (in_string_) {
        keep(c);
        if (escaped_)
            escaped_ = false;
        else if (c == '\\')
            escaped_ = true;
        else if (c == '"')
            in_string_ = false;
        return;
    }
    switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            return;
        case '"':
            in_string_ = true;
            return keep(c);
        case '{':
        case '[':
            if (depth_ == 0 && c == '[') failed_ = true;
            if (depth_++ > 0) is_scalar_ = false;
            return;
        case '}':
        case ']':
            if (depth_ == 1) end_member();
            if (--depth_ <= 0) failed_ = true;  // what follows is of no interest
            return;
        case ':':
            if (depth_ == 1) key_ = std::exchange(value_, {});
            return;
        case ',':
            if (depth_ == 1) end_member();
            return;
        default:
            return keep(c);
    }
}

void RequestIdFinder::keep(char c) {
    if (depth_ != 1) {
        if (depth_ == 0) failed_ = true;
        return;
    }
    if (value_.size() < kKeptBytes)
        value_ += c;
    else
        is_scalar_ = false;
}

void RequestIdFinder::end_member() {
    if (key_ == "\"method\"") has_method_ = true;
    if (key_ == "\"id\"" && ++ids_ == 1 && is_scalar_) id_ = value_;
    key_.clear();
    value_.clear();
    is_scalar_ = true;
}

Json RequestIdFinder::id() const {
    // A response has one, too: an answer to it would be taken for one to a request of the client's.
    if (!has_method_ || ids_ != 1 || id_.empty()) return {};
    auto id = parse_json(id_);
    return id && is_id(*id) && !is_too_long_id(*id) ? *std::move(id) : Json();
}

Json find_request_id(std::string_view text) {
    RequestIdFinder finder;
    finder.take(text);
    return finder.id();
}

}  // namespace toolhost::serve
