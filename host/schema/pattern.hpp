// A compiled pattern. PCRE2 backtracks, so every match runs under limits: a hostile pattern or
// string takes a limited time and then fails.
#pragma once

#include <boost/system/result.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "host/schema/budget.hpp"
#include "host/schema/ecma_pattern.hpp"

struct pcre2_real_code_8;

namespace toolhost::schema {

enum class Match { yes, no, too_expensive };

class Pattern {
public:
    using Result = boost::system::result<Pattern, PatternError>;

    [[nodiscard]] static Result compile(std::string_view ecma);

    // Whether the pattern matches anywhere in the text. [any-thread]
    [[nodiscard]] Match search(std::string_view text, Budget& budget) const;

    [[nodiscard]] const std::string& source() const noexcept { return source_; }
    // Size of the compiled form, machine code included.
    [[nodiscard]] std::size_t compiled_bytes() const noexcept;

private:
    Pattern(std::string_view source, pcre2_real_code_8* code);

    std::string source_;
    std::shared_ptr<pcre2_real_code_8> code_;
};

}  // namespace toolhost::schema
