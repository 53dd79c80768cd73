#include "nearest.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace data_tools {
namespace {

constexpr std::size_t longest_compared = 64;

std::string folded(std::string_view name) {
    std::string out(name.substr(0, longest_compared));
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
    const std::string left = folded(a);
    const std::string right = folded(b);
    // Three rows are enough: a swap of neighbours needs the row before the previous one.
    std::array<std::array<int, longest_compared + 1>, 3> row{};
    for (std::size_t j = 0; j <= right.size(); ++j) row[0][j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= left.size(); ++i) {
        auto& now = row[i % 3];
        const auto& before = row[(i + 2) % 3];
        const auto& earlier = row[(i + 1) % 3];
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const int change = left[i - 1] == right[j - 1] ? 0 : 1;
            now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + change});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                now[j] = std::min(now[j], earlier[j - 2] + 1);
            }
        }
    }
    return row[left.size() % 3][right.size()];
}

std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& known,
                                 std::size_t most) {
    // Up to a third of the letters may differ; with more it is another word.
    const int size = static_cast<int>(std::min(wrong.size(), longest_compared));
    const int allowed = size < 2 ? 0 : std::max(1, size / 3);
    std::vector<std::pair<int, std::string>> close;
    for (const std::string& name : known) {
        const int distance = edit_distance(wrong, name);
        if (distance <= allowed) close.emplace_back(distance, name);
    }
    std::sort(close.begin(), close.end());
    std::vector<std::string> out;
    for (const auto& entry : close) {
        // Names that are much less similar than the best are not useful.
        if (out.size() == most || entry.first > close.front().first + 1) break;
        out.push_back(entry.second);
    }
    return out;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
    const std::vector<std::string> close = nearest(wrong, known);
    if (close.empty()) return "";
    std::string out = " Did you mean " + close.front();
    for (std::size_t i = 1; i < close.size(); ++i) {
        out += (i + 1 == close.size() ? " or " : ", ") + close[i];
    }
    return out + "?";
}

}  // namespace data_tools
