// A value, or why there is none. What can fail by data is a value here; the tools' files turn a
// Refusal into the host's denial, failure or invalid input.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace file_operations {

struct Refusal {
    enum class Why { denied, failed, bad_input, cancelled };
    Why why = Why::failed;
    std::string word;  // the denial's reason, or the bad input's JSON Pointer
    std::string message;
};

[[nodiscard]] inline Refusal denied(std::string reason, std::string message) {
    return {Refusal::Why::denied, std::move(reason), std::move(message)};
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
class [[nodiscard]] Outcome {
public:
    Outcome(T value) : held_(std::move(value)) {}
    Outcome(Refusal refusal) : held_(std::move(refusal)) {}

    explicit operator bool() const { return held_.index() == 0; }
    T& operator*() & { return std::get<0>(held_); }
    const T& operator*() const& { return std::get<0>(held_); }
    T&& operator*() && { return std::get<0>(std::move(held_)); }
    T* operator->() { return &std::get<0>(held_); }
    const T* operator->() const { return &std::get<0>(held_); }
    const Refusal& refusal() const { return std::get<1>(held_); }

private:
    std::variant<T, Refusal> held_;
};

}  // namespace file_operations
