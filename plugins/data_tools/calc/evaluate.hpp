// Mode evaluate: arithmetic, under limits that let far larger numbers through than algebra could
// bear.
#pragma once

#include "calc/calculate.hpp"

namespace data_tools::calc {

std::variant<Answer, Refusal> evaluate(const Question& question);

}  // namespace data_tools::calc
