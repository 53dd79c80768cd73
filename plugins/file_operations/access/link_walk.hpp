// Resolves paths with links, and all paths on kernels without openat2: each name is opened without
// following links, a link's target is resolved in turn, and the path cannot leave the root.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "access/access.hpp"

namespace file_operations {

struct WalkStart {
    std::size_t root;
    int folder;  // the root's
    std::string rest;
};

class LinkWalk {
public:
    // Returns the root that contains an absolute target; nothing if it is outside.
    using FindRoot = std::function<std::optional<WalkStart>(std::string_view target)>;
    explicit LinkWalk(FindRoot find_root) : find_root_(std::move(find_root)) {}

    [[nodiscard]] Outcome<Place> go(const WalkStart& start);

private:
    struct Step {
        std::string name;
        Descriptor folder;
    };

    // Returns an error; nothing if the walk can continue.
    [[nodiscard]] std::optional<Refusal> begin(const WalkStart& start);
    [[nodiscard]] std::optional<Refusal> step(const std::string& name);
    [[nodiscard]] std::optional<Refusal> follow(const std::string& target);
    [[nodiscard]] std::string path() const;

    FindRoot find_root_;
    std::size_t root_ = 0;
    std::vector<Step> way_;             // the root's folder, and the folders below it
    std::vector<std::string> to_walk_;  // the next name is last
    std::string last_;                  // a last name that is not a folder
    std::optional<struct stat> last_status_;
    int links_ = 0;
};

}  // namespace file_operations
