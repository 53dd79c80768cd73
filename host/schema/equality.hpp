// Equality of JSON values (1 equals 1.0), and sets of values for `enum` and `uniqueItems`. All
// functions recurse, so depth must be checked before, and take steps from a budget by the size of
// the values. Once it is used up, results are meaningless.
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

// The first two equal items.
[[nodiscard]] std::optional<IndexPair> find_duplicate(const std::vector<nlohmann::json>& items,
                                                      Budget& budget);

}  // namespace toolhost::schema
