// The checks of `toolhost test`: a table. A new check is a function and a row.
#pragma once

#include <span>

#include "host/validate/bench.hpp"
#include "host/validate/report.hpp"

namespace toolhost::validate {

struct Check {
    const char* id;
    const char* what;
    void (*run)(Bench& bench, CheckResult& result);
};

// In the order of execution. `load` is first, because the others depend on it.
[[nodiscard]] std::span<const Check> all_checks();

// spec_checks.cpp: checks of the spec; no tool is called.
void check_load(Bench& bench, CheckResult& result);
void check_descriptions(Bench& bench, CheckResult& result);
void check_field_names(Bench& bench, CheckResult& result);
void check_keys(Bench& bench, CheckResult& result);
void check_schemas(Bench& bench, CheckResult& result);
void check_has_examples(Bench& bench, CheckResult& result);

// call_checks.cpp: checks of how calls end.
void check_worker(Bench& bench, CheckResult& result);
void check_examples(Bench& bench, CheckResult& result);
void check_valid_inputs(Bench& bench, CheckResult& result);
void check_invalid_inputs(Bench& bench, CheckResult& result);
void check_replies(Bench& bench, CheckResult& result);
void check_output(Bench& bench, CheckResult& result);
void check_cancel(Bench& bench, CheckResult& result);
void check_printing(Bench& bench, CheckResult& result);

// leak_checks.cpp: many calls, concurrent and in sequence.
void check_threads(Bench& bench, CheckResult& result);
void check_descriptors(Bench& bench, CheckResult& result);
void check_memory(Bench& bench, CheckResult& result);

}  // namespace toolhost::validate
