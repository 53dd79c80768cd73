// The protocol's revisions. Up to 2025-11-25 a client opens a session by `initialize`; since
// 2026-07-28 every request says in `_meta` what it speaks and nothing is remembered in between.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace toolhost::serve {

enum class Revision { r2024_11_05, r2025_03_26, r2025_06_18, r2025_11_25, r2026_07_28 };

inline constexpr std::array<std::string_view, 5> kRevisionNames = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
inline constexpr Revision kNewestSession = Revision::r2025_11_25;
inline constexpr Revision kNewest = Revision::r2026_07_28;

[[nodiscard]] constexpr std::string_view name_of(Revision revision) {
    return kRevisionNames[static_cast<std::size_t>(revision)];
}
[[nodiscard]] constexpr std::optional<Revision> find_revision(std::string_view name) {
    for (std::size_t i = 0; i < kRevisionNames.size(); ++i)
        if (kRevisionNames[i] == name) return static_cast<Revision>(i);
    return std::nullopt;
}
// Whether requests stand for themselves, without a session.
[[nodiscard]] constexpr bool is_stateless(Revision revision) {
    return revision >= Revision::r2026_07_28;
}

}  // namespace toolhost::serve
