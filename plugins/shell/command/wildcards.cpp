#include "command/wildcards.hpp"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace shell {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMatches = 4096;
constexpr std::size_t kMaxVisitedEntries = 100'000;
constexpr std::size_t kLookUpEvery = 256;  // entries between two calls of `stop`

// A pattern part without wildcards, unescaped; nothing if it contains one.
bool is_plain(std::string_view part, std::string& name) {
    name.clear();
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (std::string_view("*?[").find(part[i]) != std::string_view::npos) return false;
        if (part[i] == '\\' && i + 1 < part.size()) ++i;
        name += part[i];
    }
    return true;
}

class Walk {
public:
    Walk(const Rules& rules, const fs::path& folder, const Word& word,
         const std::function<bool()>& stop)
        : rules_(rules), folder_(folder), word_(word), stop_(stop) {}

    // Part by part: finds all folders that match the first part, then the next part in each.
    Refused run(std::vector<std::string>& found) {
        std::string_view rest = word_.pattern;
        found = {""};
        while (!rest.empty() && !found.empty()) {
            const auto end = std::min(rest.find('/'), rest.size());
            const auto part = rest.substr(0, end);
            rest.remove_prefix(end);
            const auto slashes = std::min(rest.find_first_not_of('/'), rest.size());
            const std::string after(rest.substr(0, slashes));
            rest.remove_prefix(slashes);
            std::vector<std::string> next;
            for (const auto& before : found)
                if (auto refused = step(before, part, after, next)) return refused;
            found = std::move(next);
        }
        if (found.size() > kMaxMatches) return too_many();
        std::sort(found.begin(), found.end());
        return {};
    }

private:
    [[nodiscard]] Refusal too_many() const {
        return malformed(word_.text.substr(0, 200) + " matches too many files");
    }

    Refused look_up() {
        if (++looked_at_ > kMaxVisitedEntries) return too_many();
        if (looked_at_ % kLookUpEvery == 0 && stop_ && stop_())
            return malformed("stopped while searching for " + word_.text.substr(0, 200));
        return {};
    }

    Refused step(const std::string& before, std::string_view part, const std::string& after,
                 std::vector<std::string>& next) {
        std::string name;
        if (is_plain(part, name)) {
            if (auto refused = look_up()) return refused;
            if (name.empty() || is_there(before + name, !after.empty()))
                next.push_back(before + name + after);
            return {};
        }
        const auto where = before.empty() ? folder_ : folder_ / before;
        const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(where.c_str()), ::closedir);
        const std::string pattern(part);
        while (const dirent* entry = all ? ::readdir(all.get()) : nullptr) {
            if (auto refused = look_up()) return refused;
            name = entry->d_name;
            if (name == "." || name == ".." ||
                ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) != 0 ||
                !is_there(before + name, !after.empty()))
                continue;
            next.push_back(before + name + after);
        }
        return {};
    }

    // A link that leads outside exists, but nothing below it does.
    [[nodiscard]] bool is_there(const std::string& name, bool as_folder) const {
        const auto path = folder_ / name;
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0) return false;
        if (!as_folder) return true;
        if (!S_ISLNK(info.st_mode)) return S_ISDIR(info.st_mode);
        return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
               !check_path(rules_, folder_, name);
    }

    const Rules& rules_;
    const fs::path& folder_;
    const Word& word_;
    const std::function<bool()>& stop_;
    std::size_t looked_at_ = 0;
};

}  // namespace

Refused expand(const Rules& rules, const fs::path& folder, const Word& word,
               const std::function<bool()>& stop, std::vector<std::string>& out) {
    const auto fixed = word.text.substr(0, word.text.find_first_of("*?["));
    if (auto refused = check_path(rules, folder, fixed)) return refused;
    if (word.text.find("..") != std::string::npos)
        return Refusal{"path_not_allowed", "'..' cannot be combined with wildcards: " + word.text};
    std::vector<std::string> found;
    if (auto refused = Walk(rules, folder, word, stop).run(found)) return refused;
    if (found.empty()) found.push_back(word.text);
    out.insert(out.end(), found.begin(), found.end());
    return {};
}

}  // namespace shell
