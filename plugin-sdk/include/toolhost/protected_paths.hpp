// Paths that a tool must not write even if the workspace is writable: files that other programs run
// or trust, and the host's own. The host sends them as `protectedPaths` of the policy.
//
//     if (context.protected_paths().protects(path, context.workspace()))
//         context.deny("protected_path", ...);
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace toolhost {

class ProtectedPaths {
public:
    ProtectedPaths() = default;
    // Relative paths (".git/hooks") apply in any folder, absolute ones as they are.
    explicit ProtectedPaths(const std::vector<std::string>& paths) {
        for (const auto& path : paths) {
            auto names = split(path);
            if (names.empty()) continue;
            (path.front() == '/' ? absolute_ : anywhere_).push_back(std::move(names));
        }
    }

    // Whether writing a file would change a protected file, or replace one or a folder above it.
    // `path` is relative to `folder`, an absolute path: the workspace, or a folder in it. Both must
    // be free of links. Case is ignored, because some file systems ignore it.
    [[nodiscard]] bool protects(const std::filesystem::path& path,
                                const std::filesystem::path& folder) const {
        const auto names = split(path.string());
        for (std::size_t i = 0; i < names.size(); ++i)
            if (any_meets(anywhere_, names, i)) return true;
        return any_meets(absolute_, split((folder / path).string()), 0);
    }

private:
    using Names = std::vector<std::string>;

    static Names split(const std::string& text) {
        Names names;
        for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
            end = std::min(text.find('/', begin), text.size());
            auto name = text.substr(begin, end - begin);
            if (name == ".." && !names.empty()) names.pop_back();
            if (name.empty() || name == "." || name == "..") continue;
            for (char& c : name)
                if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
            names.push_back(std::move(name));
        }
        return names;
    }

    // Whether one is a prefix of the other, starting at `from`.
    static bool meets(const Names& wanted, const Names& names, std::size_t from) {
        const auto length = std::min(wanted.size(), names.size() - from);
        return std::equal(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(length),
                          names.begin() + static_cast<std::ptrdiff_t>(from));
    }

    static bool any_meets(const std::vector<Names>& all, const Names& names, std::size_t from) {
        return std::any_of(all.begin(), all.end(),
                           [&](const Names& wanted) { return meets(wanted, names, from); });
    }

    std::vector<Names> anywhere_, absolute_;
};

}  // namespace toolhost
