// The table of keywords: in which drafts each exists, which vocabulary it belongs to, what its
// value looks like and how it is compiled. Adding a keyword is adding a row.
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
    std::uint8_t vocabulary;  // of these, one must be in force
    Shape shape;
    void (*compile)(NodeBuilder& node, const nlohmann::json& value);  // null: nothing to evaluate
};

// Nothing for an unknown keyword in this dialect, which is ignored, as the drafts say.
[[nodiscard]] const Keyword* find_keyword(std::string_view name, const DialectProfile& profile);

}  // namespace toolhost::schema
