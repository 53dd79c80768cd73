// Shell-like patterns for one name: * any characters, ? any one, [a-z] and [!a-z] one of a set.
#pragma once

#include <boost/system/result.hpp>
#include <string>
#include <string_view>

namespace toolhost {

class Glob {
public:
    Glob() = default;
    // The error completes the sentence "the pattern is invalid: ...".
    [[nodiscard]] static boost::system::result<Glob, std::string> parse(std::string_view text);

    // Runs in time proportional to the product of both lengths at most.
    [[nodiscard]] bool matches(std::string_view text) const;
    // Whether the pattern contains no wildcard.
    [[nodiscard]] bool exact() const { return text_.find_first_of("*?[") == std::string::npos; }

private:
    explicit Glob(std::string_view text);

    std::string text_;
    std::size_t shortest_ = 0;  // length of the shortest match
};

}  // namespace toolhost
