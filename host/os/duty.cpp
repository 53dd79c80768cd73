#include "host/os/duty.hpp"

#include <utility>

namespace toolhost::os {
namespace {

thread_local Duty* innermost = nullptr;

}  // namespace

Duty::Duty() : outer_(std::exchange(innermost, this)) {}

Duty::~Duty() {
    innermost = outer_;
}

Duty* Duty::current() {
    return innermost;
}

}  // namespace toolhost::os
