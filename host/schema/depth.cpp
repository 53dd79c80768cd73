#include "host/schema/depth.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;

// Recursion is safe because it ends at max_depth.
bool add(const Json& value, std::size_t depth_left, std::size_t& count) noexcept {
    constexpr std::size_t kStringUnit = 64;
    ++count;
    if (const auto* text = value.get_ptr<const Json::string_t*>()) {
        count += text->size() / kStringUnit;
        return true;
    }
    if (const auto* members = value.get_ptr<const Json::object_t*>()) {
        if (depth_left == 0) return false;
        for (const auto& [name, member] : *members) {
            count += name.size() / kStringUnit;
            if (!add(member, depth_left - 1, count)) return false;
        }
    } else if (const auto* items = value.get_ptr<const Json::array_t*>()) {
        if (depth_left == 0) return false;
        for (const Json& item : *items) {
            if (!add(item, depth_left - 1, count)) return false;
        }
    }
    return true;
}

}  // namespace

std::optional<std::size_t> measure(const Json& value, std::size_t max_depth) noexcept {
    std::size_t count = 0;
    if (!add(value, max_depth, count)) return std::nullopt;
    return count;
}

}  // namespace toolhost::schema
