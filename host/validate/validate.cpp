#include "host/validate/validate.hpp"

#include <exception>

#include "host/validate/checks.hpp"

namespace toolhost::validate {

Report validate(const std::string& library, bool own_folder, const BenchOptions& options,
                const std::set<std::string>& only) {
    Report report{library, {}};
    Bench bench(library, own_folder, options);
    for (const auto& check : all_checks()) {
        const bool is_load = check.run == check_load;
        if (!is_load && !only.empty() && !only.contains(check.id)) continue;
        auto& result = report.checks.emplace_back(CheckResult{check.id, check.what, {}, 0, {}});
        if (!is_load && !bench.finding().ok()) {
            result.skip("", "the library was not loaded");
            continue;
        }
        const auto begin = std::chrono::steady_clock::now();
        try {
            check.run(bench, result);
        } catch (const std::exception& fault) {  // a value of the spec has an unexpected type
            result.fail("", std::string("cannot run the check: ") + fault.what());
        }
        result.took = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - begin);
    }
    return report;
}

}  // namespace toolhost::validate
