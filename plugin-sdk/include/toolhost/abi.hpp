// Reads the ABI's structs, which grow between versions, only as far as their writer filled them.
#ifndef TOOLHOST_ABI_HPP
#define TOOLHOST_ABI_HPP

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "toolhost/parse_json.hpp"
#include "toolhost/plugin.h"

namespace toolhost::detail {

// Whether `member` is within the struct_size that the other side was compiled with.
template <class Table, class Member>
[[nodiscard]] bool has(const Table& object, Member Table::*member) {
    const auto* start = reinterpret_cast<const char*>(&object);
    const auto* end = reinterpret_cast<const char*>(&(object.*member)) + sizeof(Member);
    return static_cast<std::size_t>(end - start) <= object.struct_size;
}

// The member, or `absent` if the other side does not have it.
template <class Table, class Member>
[[nodiscard]] Member get(const Table& object, Member Table::*member, Member absent = {}) {
    return has(object, member) ? object.*member : absent;
}

[[nodiscard]] inline std::string_view view(const tool_str& text) {
    return text.data ? std::string_view(text.data, text.size) : std::string_view();
}

[[nodiscard]] inline tool_str borrow(std::string_view text) {
    return {text.data(), text.size()};
}

// An empty text counts as an empty object: hosts send it if there is no policy or state.
[[nodiscard]] inline nlohmann::json parse_or_empty(std::string_view text) {
    nlohmann::json read;
    if (text.empty())
        read = nlohmann::json::object();
    else if (!QuickReader(text, kMaxQuickDepth).document(read))
        read = nlohmann::json::parse(text);
    return read;
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_ABI_HPP
