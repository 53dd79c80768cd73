// Code in this process: a loaded plugin, or a tool of the embedding program.
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

    // Called before each call; does its work once.
    [[nodiscard]] virtual Result<void> open() = 0;
    // Requires open(). Runs code that may never return. Does not throw.
    [[nodiscard]] virtual Outcome invoke(const Invocation& invocation, CallHost& host) const = 0;
    // Whether several threads may call it at the same time.
    [[nodiscard]] virtual bool concurrent() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;  // for messages to models

    SerialGate gate;  // used if the code is not concurrent
    // Number of abandoned calls that still run.
    const std::shared_ptr<std::atomic<int>> overdue = std::make_shared<std::atomic<int>>(0);

protected:
    LocalCode() = default;
};

}  // namespace toolhost::loading
