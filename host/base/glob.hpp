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
    // Without a wildcard.
    [[nodiscard]] bool exact() const { return form_ == Form::exact; }
    // The length of the shortest text that it may match.
    [[nodiscard]] std::size_t shortest() const { return shortest_; }

private:
    enum class Form { exact, part, general };  // abc, *abc*, any other
    explicit Glob(std::string_view text);
    [[nodiscard]] bool matches_generally(std::string_view text) const;

    std::string text_;
    std::size_t shortest_ = 0;
    Form form_ = Form::exact;
};

}  // namespace toolhost
