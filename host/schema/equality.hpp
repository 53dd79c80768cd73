// When two JSON values are the same value (1 and 1.0 are), and sets of values for `enum` and
// `uniqueItems`. All of it recurses: depth is checked before anything gets here. All of it takes
// from a budget by the size of what it looks at; when that is over, the answer means nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "host/schema/budget.hpp"

namespace toolhost::schema {

[[nodiscard]] bool equal(const nlohmann::json& a, const nlohmann::json& b, Budget& budget) noexcept;

// Equal values have equal hashes.
[[nodiscard]] std::size_t hash_value(const nlohmann::json& value, Budget& budget) noexcept;

// The values of an `enum`.
class ValueSet {
public:
    explicit ValueSet(std::vector<nlohmann::json> values);

    [[nodiscard]] bool contains(const nlohmann::json& value, Budget& budget) const noexcept;
    [[nodiscard]] const std::vector<nlohmann::json>& values() const noexcept { return values_; }

private:
    std::vector<nlohmann::json> values_;
    std::vector<std::pair<std::size_t, std::size_t>> by_hash_;  // (hash, index), for large sets
};

using IndexPair = std::pair<std::size_t, std::size_t>;

// The first two equal items, if there are any.
[[nodiscard]] std::optional<IndexPair> find_duplicate(const std::vector<nlohmann::json>& items,
                                                      Budget& budget);

}  // namespace toolhost::schema
