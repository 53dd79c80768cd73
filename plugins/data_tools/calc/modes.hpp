// The modes of the calculator, but for evaluate. Each throws a Refusal where it has no answer.
#pragma once

#include "calc/work.hpp"

namespace data_tools::calc {

Answer derive(Work& work);
Answer integrate(Work& work);
Answer limit(Work& work);
Answer series(Work& work);
Answer solve(Work& work);
Answer matrix(Work& work);

// An approximate root of `f` (in giac's language, of one unknown) with all the digits asked for;
// unchanged, and false, if Newton's steps do not settle.
bool refine_root(Work& work, const std::string& f, const std::string& unknown, EngineValue& root);

}  // namespace data_tools::calc
