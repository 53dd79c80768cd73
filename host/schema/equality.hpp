// When two JSON values are the same value (1 and 1.0 are), and sets of values for `enum` and
// `uniqueItems`. All of it recurses: depth is checked before anything gets here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace toolhost::schema {

[[nodiscard]] bool equal(const nlohmann::json& a, const nlohmann::json& b) noexcept;

// Equal values have equal hashes.
[[nodiscard]] std::size_t hash_value(const nlohmann::json& value) noexcept;

// The values of an `enum`.
class ValueSet {
public:
    explicit ValueSet(std::vector<nlohmann::json> values);

    [[nodiscard]] bool contains(const nlohmann::json& value) const noexcept;
    [[nodiscard]] const std::vector<nlohmann::json>& values() const noexcept { return values_; }

private:
    std::vector<nlohmann::json> values_;
    std::vector<std::pair<std::size_t, std::size_t>> by_hash_;  // (hash, index), for large sets
};

using IndexPair = std::pair<std::size_t, std::size_t>;

// The first two equal items, if there are any. `steps` counts the comparisons and ends the search
// (with no answer) at zero, so that made-up hash collisions cost no more than other hostility.
[[nodiscard]] std::optional<IndexPair> find_duplicate(const std::vector<nlohmann::json>& items,
                                                      std::uint64_t& steps);

}  // namespace toolhost::schema
