// Long output on a terminal, shown by a pager.
#pragma once

#include <sstream>
#include <streambuf>

namespace toolhost::cli {

// Collects what is written to results() and std::cout while it lives, if results go to a terminal
// and `wanted`. At the end it goes to $PAGER, or to `less -FRX`, where it is longer than the
// screen; else, and where no pager can be started, to the terminal as it is.
class Paged {
public:
    explicit Paged(bool wanted);
    ~Paged();
    Paged(const Paged&) = delete;
    Paged& operator=(const Paged&) = delete;

private:
    std::stringbuf text_;
    std::streambuf* before_ = nullptr;  // null: nothing is collected
};

}  // namespace toolhost::cli
