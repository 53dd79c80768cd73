#include "host/validate/checks.hpp"

namespace toolhost::validate {
namespace {

constexpr Check kChecks[] = {
    {"load", "the probe loads the library and accepts its spec", check_load},
    {"spec.descriptions", "tools and fields have descriptions", check_descriptions},
    {"spec.names", "field names are accepted by model providers", check_field_names},
    {"spec.keys", "the spec has no unknown keys", check_keys},
    {"spec.schemas", "schemas are accepted by model providers", check_schemas},
    {"spec.examples", "every tool has examples", check_has_examples},
    {"worker", "a worker starts and opens the library", check_worker},
    {"examples", "examples succeed with the specified output", check_examples},
    {"inputs.valid", "generated valid inputs neither crash nor hang", check_valid_inputs},
    {"inputs.invalid", "invalid inputs are refused as invalid_input", check_invalid_inputs},
    {"reply", "each call replies once, with content blocks", check_replies},
    {"output", "replies match the output schema", check_output},
    {"cancel", "a cancelled call returns", check_cancel},
    {"printing", "nothing is printed to stdout or stderr", check_printing},
    {"threads", "concurrent calls return the same results as sequential calls", check_threads},
    {"descriptors", "repeated calls leave no descriptors open", check_descriptors},
    {"memory", "repeated calls do not grow memory", check_memory},
};

}  // namespace

std::span<const Check> all_checks() {
    return kChecks;
}

}  // namespace toolhost::validate
