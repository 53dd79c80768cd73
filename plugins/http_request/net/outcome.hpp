// A value, or why there is none: bad data is an everyday outcome, so it is a value here and no
// exception.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace http_tool {

struct Failure {
    std::string message;
};

template <class T>
class [[nodiscard]] Outcome {
public:
    Outcome(T value) : held_(std::move(value)) {}
    Outcome(Failure failure) : held_(std::move(failure)) {}

    explicit operator bool() const { return held_.index() == 0; }
    const T& operator*() const& { return std::get<0>(held_); }
    T&& operator*() && { return std::get<0>(std::move(held_)); }
    const T* operator->() const { return &std::get<0>(held_); }
    const std::string& error() const { return std::get<1>(held_).message; }

private:
    std::variant<T, Failure> held_;
};

}  // namespace http_tool
