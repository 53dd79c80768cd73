// JSON text to a value, for text that is as it nearly always is: quick, and giving up at once where
// it is not. Whoever asks then reads it the slow way, which also knows what to say of a fault.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace toolhost {

// Of text that is valid UTF-8. Nothing: not JSON, nested deeper than `max_depth`, or one of the
// rare things that are left to others (a number too large for its kind, an escaped surrogate). What
// it does give is what nlohmann's parser would.
[[nodiscard]] std::optional<nlohmann::json> read_json_quickly(std::string_view text,
                                                              std::size_t max_depth);

}  // namespace toolhost
