// Displays long output on a terminal with a pager.
#pragma once

#include <sstream>
#include <streambuf>

namespace toolhost::cli {

// If results go to a terminal and `wanted`, collects output of results() and std::cout during its
// lifetime. At the end output longer than the screen goes to $PAGER, or to `less -FRX`; shorter
// output, or all if no pager can be started, to the terminal.
class Paged {
public:
    explicit Paged(bool wanted);
    ~Paged();
    Paged(const Paged&) = delete;
    Paged& operator=(const Paged&) = delete;

private:
    std::stringbuf text_;
    std::streambuf* before_ = nullptr;  // null if nothing is collected
};

}  // namespace toolhost::cli
