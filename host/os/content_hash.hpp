// SHA-256 of what a library contains: the name its private copy and its cached spec go by.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace toolhost::os {

class ContentHash {
public:
    ContentHash();
    ~ContentHash();
    void add(std::string_view bytes);
    // 64 hexadecimal digits; once.
    [[nodiscard]] std::string hex();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Of an open file from its start; empty with errno set if it cannot be read.
[[nodiscard]] std::string hash_file(int fd);

}  // namespace toolhost::os
