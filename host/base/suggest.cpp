#include "host/base/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace toolhost {
namespace {

constexpr std::size_t kMaxSuggestions = 3;
constexpr std::size_t kLongestTyped = 128;  // the distance is quadratic

// Case and hyphens are the most common mistakes, so they cost nothing.
std::string folded(std::string_view text) {
    std::string out;
    for (char c : text)
        out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Damerau-Levenshtein with adjacent swaps: "calcualtor" has distance 1.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::vector<std::string> near_misses(std::string_view typed,
                                     const std::vector<std::string>& candidates) {
    if (typed.empty() || typed.size() > kLongestTyped) return {};
    const std::string wanted = folded(typed);
    const std::size_t tolerance = std::max<std::size_t>(1, wanted.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const auto& candidate : candidates) {
        std::string name = folded(candidate);
        bool begins = wanted.size() >= 3 && name.starts_with(wanted);
        std::size_t off = begins ? 1 : distance(wanted, name);
        if (off <= tolerance) near.emplace_back(off, candidate);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::string> out;
    for (auto& [off, name] : near)
        if (out.size() < kMaxSuggestions) out.push_back(std::move(name));
    return out;
}

std::string misspelled_key(std::string_view typed, const std::vector<std::string>& known) {
    constexpr std::size_t kLong = 8;
    if (typed.size() > kLongestTyped) return "";
    auto bare = [](std::string_view key) {
        auto text = folded(key);
        std::erase(text, '_');
        return text;
    };
    const auto wanted = bare(typed);
    std::string best;
    std::size_t least = 3;
    for (const auto& key : known) {
        const auto off = distance(wanted, bare(key));
        if (off > (key.size() >= kLong ? 2u : 1u) || off >= least) continue;
        best = key;
        least = off;
    }
    return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& candidates) {
    auto near = near_misses(typed, candidates);
    if (near.empty()) return "";
    std::string out = "; did you mean ";
    for (std::size_t i = 0; i < near.size(); ++i) out += (i == 0 ? "'" : " or '") + near[i] + "'";
    return out + "?";
}

}  // namespace toolhost
