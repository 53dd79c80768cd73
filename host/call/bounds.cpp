#include "host/call/bounds.hpp"

#include <algorithm>

#include "host/base/utf8.hpp"

namespace toolhost::call {
namespace {

constexpr std::size_t kValueBytes = 8;  // of a number or a word, about

void take(std::size_t& left, std::size_t bytes) {
    left -= std::min(left, bytes);
}

// Cuts texts and leaves out what comes after `left` bytes.
void bound_value(Json& value, std::size_t& left) {
    if (auto* text = value.get_ptr<std::string*>()) {
        if (text->size() > kMaxDetailBytes) *text = cut_text(*text, kMaxDetailBytes);
        return take(left, text->size());
    }
    take(left, kValueBytes);
    if (auto* items = value.get_ptr<Json::array_t*>()) {
        std::size_t kept = 0;
        for (; kept < std::min(items->size(), kMaxDetailItems) && left > 0; ++kept)
            bound_value((*items)[kept], left);
        items->resize(kept);
    } else if (auto* members = value.get_ptr<Json::object_t*>()) {
        for (auto it = members->begin(); it != members->end();) {
            if (left == 0 || it->first.size() > kMaxDetailBytes) {
                it = members->erase(it);
                continue;
            }
            take(left, it->first.size());
            bound_value(it->second, left);
            ++it;
        }
    }
}

}  // namespace

std::string cut_text(std::string_view text, std::size_t most_bytes) {
    if (text.size() <= most_bytes) return std::string(text);
    const auto length = "... [" + std::to_string(text.size()) + " bytes]";
    const auto room = most_bytes - std::min(most_bytes, length.size());
    return std::string(fitting_characters(text, room)) + length;
}

void bound_error(Error& error) {
    if (error.code == ErrorCode::interrupted || error.code == ErrorCode::consent_required) return;
    if (error.message.size() > kMaxErrorBytes)
        error.message = cut_text(error.message, kMaxErrorBytes);
    std::size_t left = kMaxDetailsBytes;
    bound_value(error.details, left);
}

}  // namespace toolhost::call
