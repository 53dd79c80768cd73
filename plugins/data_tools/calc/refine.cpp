#include "calc/decimal.hpp"
#include "calc/modes.hpp"

namespace data_tools::calc {
namespace {

constexpr int max_steps = 10;  // each doubles the correct digits; giac's roots start with about 12
constexpr int spare_digits = 3;

std::string giac_number(const EngineValue& value) {
    if (value.imaginary.empty()) return "(" + value.real + ")";
    return "((" + value.real + ")+(" + value.imaginary + ")*i)";
}

bool settled(const EngineValue& a, const EngineValue& b, int precision) {
    const auto same = [&](const std::string& x, const std::string& y) {
        return format_decimal(x.empty() ? "0" : x, precision + spare_digits, true) ==
               format_decimal(y.empty() ? "0" : y, precision + spare_digits, true);
    };
    return same(a.real, b.real) && same(a.imaginary, b.imaginary);
}

}  // namespace

bool refine_root(Work& work, const std::string& f, const std::string& unknown, EngineValue& root) {
    const std::string step = unknown + "-(" + f + ")/diff(" + f + "," + unknown + ")";
    EngineValue now = root;
    for (int k = 0; k < max_steps && !now.real.empty(); ++k) {
        const EngineAnswer next =
            work.ask("evalf(subst(" + step + "," + unknown + "=" + giac_number(now) + "))",
                     {.simplify = false, .complex = true});
        if (next.stopped || next.value.real.empty()) return false;
        const bool done = settled(now, next.value, work.question().precision);
        now = next.value;
        if (!done) continue;
        root = now;
        root.inexact = true;
        return true;
    }
    return false;
}

}  // namespace data_tools::calc
