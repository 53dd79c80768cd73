// Formats values for people.
#pragma once

#include <string>

#include "calc/engine.hpp"

namespace data_tools::calc {

const char* name_of(ValueKind kind);

// Whether giac's decimal form overflowed.
bool has_infinite_number(const EngineValue& value);

// The decimal form, or "" if there is none.
std::string decimal_text(const EngineValue& value, int precision, bool scientific);

}  // namespace data_tools::calc
