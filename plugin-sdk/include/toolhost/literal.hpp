// Literal<"fast", "exact">: one of a few texts that are known at compile time.
#ifndef TOOLHOST_LITERAL_HPP
#define TOOLHOST_LITERAL_HPP

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "toolhost/fixed_string.hpp"

namespace toolhost {

// The default value is the first text. Compared and used like a string_view:
// `if (in.mode == "fast")`.
template <FixedString... Names>
class Literal {
    static_assert(sizeof...(Names) > 0, "a Literal needs at least one text");

public:
    static constexpr std::array<std::string_view, sizeof...(Names)> names{Names.view()...};

    constexpr Literal() = default;

    // Throws std::invalid_argument for another text.
    constexpr Literal(std::string_view text) : index_(index_of(text)) {
        if (index_ == names.size()) {
            throw std::invalid_argument("'" + std::string(text) +
                                        "' is not in the set of this Literal");
        }
    }
    constexpr Literal(const char* text) : Literal(std::string_view(text)) {}
    Literal(const std::string& text) : Literal(std::string_view(text)) {}

    // The index of the text, or names.size() if it is not in the set.
    [[nodiscard]] static constexpr std::size_t index_of(std::string_view text) {
        std::size_t i = 0;
        while (i < names.size() && names[i] != text) ++i;
        return i;
    }

    [[nodiscard]] constexpr std::size_t index() const { return index_; }
    [[nodiscard]] constexpr std::string_view view() const { return names[index_]; }
    [[nodiscard]] std::string str() const { return std::string(view()); }
    constexpr operator std::string_view() const { return view(); }

    friend constexpr bool operator==(const Literal& a, const Literal& b) {
        return a.index_ == b.index_;
    }
    friend constexpr bool operator==(const Literal& a, std::string_view b) { return a.view() == b; }
    friend constexpr bool operator==(const Literal& a, const char* b) { return a.view() == b; }
    friend bool operator==(const Literal& a, const std::string& b) { return a.view() == b; }

private:
    std::size_t index_ = 0;
};

}  // namespace toolhost

#endif  // TOOLHOST_LITERAL_HPP
