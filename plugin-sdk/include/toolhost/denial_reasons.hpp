// A tool's reasons for denying calls: one table of codes and meanings that its spec, its
// documentation and its code share.
//
//     inline constexpr toolhost::DenialReason kReasons[] = {
//         {"path_not_allowed", "the path is outside of the policy's roots"},
//     };
//     using Reason = toolhost::ReasonFrom<kReasons>;
//
//     context.deny(Reason("path_not_allowed"), "...");            // another word does not compile
//     tool.set("denialReasons", toolhost::denial_reasons(kReasons));
#ifndef TOOLHOST_DENIAL_REASONS_HPP
#define TOOLHOST_DENIAL_REASONS_HPP

#include <map>
#include <string>
#include <string_view>

namespace toolhost {

struct DenialReason {
    std::string_view word;  // short and stable: callers depend on it
    std::string_view meaning;
};

// A reason of the table, looked up at compile time.
template <const auto& Table>
class ReasonFrom {
public:
    constexpr ReasonFrom() = default;  // no reason
    consteval ReasonFrom(const char* word) : word_(word) {
        bool known = false;
        for (const auto& reason : Table) known = known || reason.word == word_;
        if (!known) throw "the table of reasons does not contain this reason";
    }

    [[nodiscard]] constexpr bool empty() const { return word_.empty(); }
    [[nodiscard]] constexpr std::string_view view() const { return word_; }
    operator std::string() const { return std::string(word_); }
    friend constexpr bool operator==(const ReasonFrom& reason, std::string_view word) {
        return reason.word_ == word;
    }

private:
    std::string_view word_;
};

// The spec's denialReasons.
template <class Table>
[[nodiscard]] std::map<std::string, std::string> denial_reasons(const Table& table) {
    std::map<std::string, std::string> out;
    for (const DenialReason& reason : table)
        out.emplace(std::string(reason.word), std::string(reason.meaning));
    return out;
}

}  // namespace toolhost

#endif
