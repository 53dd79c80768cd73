// Handles Ctrl-C: the first asks the tool to stop, the second stops waiting for it, a third ends
// the process as usual.
#pragma once

#include <stop_token>
#include <thread>

#include "host/os/descriptor.hpp"

namespace toolhost::cli {

class CtrlC {
public:
    CtrlC();
    ~CtrlC();
    CtrlC(const CtrlC&) = delete;
    CtrlC& operator=(const CtrlC&) = delete;

    [[nodiscard]] std::stop_token cancel() const { return cancel_.get_token(); }
    [[nodiscard]] std::stop_token abandon() const { return abandon_.get_token(); }
    // Readable after the first Ctrl-C, for code that waits for input.
    [[nodiscard]] int descriptor() const { return pressed_.get(); }

private:
    void listen();

    std::stop_source cancel_, abandon_;
    os::Descriptor pressed_;
    std::thread listener_;
};

}  // namespace toolhost::cli
