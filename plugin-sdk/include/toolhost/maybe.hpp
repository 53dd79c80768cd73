// A value, or the reason why it is missing: for failures caused by data, which are not exceptional.
//
// It is standalone and C++17, so that code that does not otherwise use the SDK can use it. `Why` is
// any type with a `message`.
#ifndef TOOLHOST_MAYBE_HPP
#define TOOLHOST_MAYBE_HPP

#include <string>
#include <utility>
#include <variant>

namespace toolhost {

struct Failure {
    std::string message;
};

template <class T, class Why = Failure>
class [[nodiscard]] Maybe {
public:
    Maybe(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    Maybe(Why why) : held_(std::in_place_index<1>, std::move(why)) {}

    explicit operator bool() const { return held_.index() == 0; }
    T& operator*() & { return std::get<0>(held_); }
    const T& operator*() const& { return std::get<0>(held_); }
    T&& operator*() && { return std::get<0>(std::move(held_)); }
    T* operator->() { return &std::get<0>(held_); }
    const T* operator->() const { return &std::get<0>(held_); }

    [[nodiscard]] const Why& failure() const { return std::get<1>(held_); }
    [[nodiscard]] const std::string& error() const { return failure().message; }

private:
    std::variant<T, Why> held_;
};

}  // namespace toolhost

#endif
