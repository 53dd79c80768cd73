// Mode evaluate: arithmetic, with limits that allow far larger numbers than algebra.
#pragma once

#include "calc/calculate.hpp"

namespace data_tools::calc {

std::variant<Answer, Refusal> evaluate(const Question& question);

}  // namespace data_tools::calc
