// Code that runs in this process: a loaded plugin, or a part of the program that embeds the host.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "host/base/error.hpp"
#include "host/loading/invocation.hpp"
#include "host/loading/serial_gates.hpp"

namespace toolhost::loading {

class LocalCode {
public:
    virtual ~LocalCode() = default;
    LocalCode(const LocalCode&) = delete;
    LocalCode& operator=(const LocalCode&) = delete;

    // Before each call; does its work once.
    [[nodiscard]] virtual Result<void> open() = 0;
    // After open(). Runs code that may never return, and does not throw.
    [[nodiscard]] virtual Outcome invoke(const Invocation& invocation, CallHost& host) const = 0;
    // Whether several threads may be in it at once.
    [[nodiscard]] virtual bool concurrent() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;  // for messages that models read

    SerialGate gate;  // of code that is not concurrent
    // Abandoned calls that still run in it.
    const std::shared_ptr<std::atomic<int>> overdue = std::make_shared<std::atomic<int>>(0);

protected:
    LocalCode() = default;
};

}  // namespace toolhost::loading
