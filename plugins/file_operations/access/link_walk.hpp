// A walk by hand, for paths with links, and for kernels without openat2: each name is opened as it
// is, a link is read and its target walked in turn, and nothing climbs above a root.
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
    // Says which root an absolute target is beneath; nothing if it is outside.
    using FindRoot = std::function<std::optional<WalkStart>(std::string_view target)>;
    explicit LinkWalk(FindRoot find_root) : find_root_(std::move(find_root)) {}

    [[nodiscard]] Outcome<Place> go(const WalkStart& start);

private:
    struct Step {
        std::string name;
        Descriptor folder;
    };

    // What is wrong; nothing if the walk goes on.
    [[nodiscard]] std::optional<Refusal> begin(const WalkStart& start);
    [[nodiscard]] std::optional<Refusal> step(const std::string& name);
    [[nodiscard]] std::optional<Refusal> follow(const std::string& target);
    [[nodiscard]] std::string path() const;

    FindRoot find_root_;
    std::size_t root_ = 0;
    std::vector<Step> way_;             // the root's folder, and what is below it
    std::vector<std::string> to_walk_;  // the next name last
    std::string last_;                  // a last name that is not a folder
    std::optional<struct stat> last_status_;
    int links_ = 0;
};

}  // namespace file_operations
