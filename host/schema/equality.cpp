#include "host/schema/equality.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "host/schema/number.hpp"

namespace toolhost::schema {
namespace {

using Json = nlohmann::json;

// For smaller sets, comparing one by one is faster than hashing, and allocates nothing.
constexpr std::size_t kSmallSet = 12;

std::size_t mix(std::size_t seed, std::size_t value) noexcept {
    return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

std::size_t hash_number(const Json& value) noexcept {
    const Number number = Number::from(value);
    if (number.kind == Number::Kind::integer) return std::hash<std::int64_t>{}(number.integer);
    // Integers and reals with the same value have the same double; -0.0 becomes 0.
    const auto real = static_cast<double>(number.wide());
    if (is_integral(real) && real >= -0x1p63 && real < 0x1p63) {
        return std::hash<std::int64_t>{}(static_cast<std::int64_t>(real));
    }
    return std::hash<double>{}(real);
}

}  // namespace

bool equal(const Json& a, const Json& b, Budget& budget) noexcept {
    if (!budget.take()) return false;
    if (a.is_number() && b.is_number()) return compare(Number::from(a), Number::from(b)) == 0;
    if (a.type() != b.type()) return false;
    if (const auto* text = a.get_ptr<const Json::string_t*>()) {
        const auto& other = *b.get_ptr<const Json::string_t*>();
        return text->size() == other.size() && budget.take_bytes(text->size()) && *text == other;
    }
    if (const auto* items = a.get_ptr<const Json::array_t*>()) {
        const auto& others = *b.get_ptr<const Json::array_t*>();
        return std::equal(items->begin(), items->end(), others.begin(), others.end(),
                          [&](const Json& x, const Json& y) { return equal(x, y, budget); });
    }
    if (const auto* members = a.get_ptr<const Json::object_t*>()) {
        const auto& others = *b.get_ptr<const Json::object_t*>();
        if (members->size() != others.size()) return false;
        return std::equal(members->begin(), members->end(), others.begin(), others.end(),
                          [&](const auto& x, const auto& y) {
                              return budget.take_bytes(x.first.size()) && x.first == y.first &&
                                     equal(x.second, y.second, budget);
                          });
    }
    return a == b;  // null, boolean
}

std::size_t hash_value(const Json& value, Budget& budget) noexcept {
    if (!budget.take()) return 0;
    if (value.is_number()) return hash_number(value);
    auto seed = static_cast<std::size_t>(value.type());
    if (const auto* text = value.get_ptr<const Json::string_t*>()) {
        return budget.take_bytes(text->size()) ? mix(seed, std::hash<std::string>{}(*text)) : 0;
    }
    if (const auto* items = value.get_ptr<const Json::array_t*>()) {
        for (const Json& item : *items) seed = mix(seed, hash_value(item, budget));
    } else if (const auto* members = value.get_ptr<const Json::object_t*>()) {
        for (const auto& [name, member] : *members) {
            if (!budget.take_bytes(name.size())) return 0;
            seed = mix(mix(seed, std::hash<std::string>{}(name)), hash_value(member, budget));
        }
    } else if (const auto* flag = value.get_ptr<const Json::boolean_t*>()) {
        seed = mix(seed, *flag ? 1 : 2);
    }
    return seed;
}

ValueSet::ValueSet(std::vector<Json> values) : values_(std::move(values)) {
    if (values_.size() <= kSmallSet) return;
    Budget unlimited(std::numeric_limits<std::uint64_t>::max());  // each value is hashed once
    for (std::size_t i = 0; i < values_.size(); ++i)
        by_hash_.emplace_back(hash_value(values_[i], unlimited), i);
    std::sort(by_hash_.begin(), by_hash_.end());
}

bool ValueSet::contains(const Json& value, Budget& budget) const noexcept {
    if (by_hash_.empty()) {
        return std::any_of(values_.begin(), values_.end(),
                           [&](const Json& one) { return equal(one, value, budget); });
    }
    const std::size_t hash = hash_value(value, budget);
    auto at = std::lower_bound(by_hash_.begin(), by_hash_.end(), IndexPair{hash, 0});
    for (; at != by_hash_.end() && at->first == hash && !budget.over(); ++at) {
        if (equal(values_[at->second], value, budget)) return true;
    }
    return false;
}

std::optional<IndexPair> find_duplicate(const std::vector<Json>& items, Budget& budget) {
    if (items.size() <= kSmallSet) {
        for (std::size_t i = 1; i < items.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (equal(items[j], items[i], budget)) return IndexPair{j, i};
            }
        }
        return std::nullopt;
    }
    std::vector<IndexPair> by_hash;
    by_hash.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        by_hash.emplace_back(hash_value(items[i], budget), i);
        if (budget.over()) return std::nullopt;
    }
    std::sort(by_hash.begin(), by_hash.end());
    for (std::size_t i = 0; i < by_hash.size(); ++i) {
        for (auto j = i + 1; j < by_hash.size() && by_hash[j].first == by_hash[i].first; ++j) {
            const auto [first, second] = std::minmax(by_hash[i].second, by_hash[j].second);
            if (equal(items[first], items[second], budget)) return IndexPair{first, second};
            if (budget.over()) return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace toolhost::schema
