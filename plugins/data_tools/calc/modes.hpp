// The modes of the calculator, except evaluate. Each throws a Refusal if there is no answer.
#pragma once

#include "calc/work.hpp"

namespace data_tools::calc {

Answer derive(Work& work);
Answer integrate(Work& work);
Answer limit(Work& work);
Answer series(Work& work);
Answer solve(Work& work);
Answer matrix(Work& work);

// Refines an approximate root of `f` (in giac's language, of one unknown) to all requested digits.
// Returns false and leaves it unchanged if Newton's method does not converge.
bool refine_root(Work& work, const std::string& f, const std::string& unknown, EngineValue& root);

}  // namespace data_tools::calc
