// The table of keywords: the drafts and the vocabulary each belongs to, the shape of its value and
// how it is compiled. A new keyword is a new row.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "host/schema/dialect.hpp"
#include "host/schema/shape.hpp"

namespace toolhost::schema {

class NodeBuilder;

struct Keyword {
    std::string_view name;
    std::uint8_t drafts;      // bits: 1 << Dialect
    std::uint8_t vocabulary;  // bits; one of them must be active
    Shape shape;
    void (*compile)(NodeBuilder& node, const nlohmann::json& value);  // null: nothing to evaluate
};

// Returns null for a keyword that is unknown in this dialect; the drafts require to ignore it.
[[nodiscard]] const Keyword* find_keyword(std::string_view name, const DialectProfile& profile);

}  // namespace toolhost::schema
