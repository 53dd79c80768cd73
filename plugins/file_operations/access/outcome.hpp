// A value, or the reason why it is missing. Failures caused by data are values here; the tools'
// files convert a Refusal to the host's denial, failure or invalid input.
#pragma once

#include <string>
#include <toolhost/maybe.hpp>
#include <utility>

#include "access/reasons.hpp"

namespace file_operations {

struct Refusal {
    enum class Why { denied, failed, bad_input, cancelled };
    Why why = Why::failed;
    std::string word;  // the denial's reason, or the invalid input's JSON Pointer
    std::string message;
};

[[nodiscard]] inline Refusal denied(Reason reason, std::string message) {
    return {Refusal::Why::denied, reason, std::move(message)};
}
[[nodiscard]] inline Refusal failed(std::string message) {
    return {Refusal::Why::failed, "", std::move(message)};
}
[[nodiscard]] inline Refusal bad_input(std::string pointer, std::string message) {
    return {Refusal::Why::bad_input, std::move(pointer), std::move(message)};
}
[[nodiscard]] inline Refusal was_cancelled() {
    return {Refusal::Why::cancelled, "", "cancelled"};
}

template <class T>
using Outcome = toolhost::Maybe<T, Refusal>;

}  // namespace file_operations
