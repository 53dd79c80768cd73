// The catalogue: all tools, as one immutable value. A change creates a new one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/registry/reference.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::loading {
class LocalCode;  // code of a library without a file (loading/local_code.hpp)
}

namespace toolhost::registry {

// The name for messages to models, which must not contain folders of this machine.
[[nodiscard]] inline std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// The origin of tools: a shared library as the scan found it, or a part of the program that embeds
// the host (`embedded`), which has no file.
struct Library {
    std::string path;         // empty if embedded
    std::string sha256;       // of the file at `path`, displayed to users
    std::uint32_t flags = 0;  // TOOL_CONCURRENT
    bool own_folder = false;  // NAME/NAME.so, with its private dependencies beside it
    bool stateful = false;    // one of its tools is stateful
    // Digest of the names and contents of all its files. Consent, workers and quarantine are keyed
    // by it, and the runtime loads no other content.
    std::string identity{};
    // For an embedded library, whose sha256 and identity are digests of the spec.
    std::shared_ptr<loading::LocalCode> embedded{};

    [[nodiscard]] std::string name() const { return file_name(path); }
    // Displayed as the source of its tools.
    [[nodiscard]] std::string origin() const { return embedded ? "the embedding program" : path; }
};

struct Tool {
    ToolSpec spec;
    std::shared_ptr<const Library> library;
    // Requirements that do not hold, one sentence each: those of the machine, which discovery
    // checks, and those on other tools, which each catalogue checks anew.
    std::vector<std::string> missing, missing_tools;

    [[nodiscard]] bool requirements_hold() const {
        return missing.empty() && missing_tools.empty();
    }
    [[nodiscard]] std::vector<std::string> all_missing() const {
        auto all = missing;
        all.insert(all.end(), missing_tools.begin(), missing_tools.end());
        return all;
    }
    [[nodiscard]] bool usable() const { return requirements_hold() && !spec.deprecated; }
};

// "FAMILY/NAME@VERSION#IDENTITY". The key of consent and of everything else that must not pass to
// another tool of the same name.
[[nodiscard]] std::string tool_identity(const Tool& tool);

struct Shadowed {
    Tool tool;
    std::string by;  // origin of the library that was found first
    std::string_view reason;
};
inline constexpr std::string_view kDuplicate = "duplicate";
inline constexpr std::string_view kTwin = "hyphen_underscore_twin";

class Catalogue {
public:
    Catalogue() = default;
    // `found` is sorted by folder order, then file name. The first of two clashing tools wins.
    explicit Catalogue(std::vector<Tool> found);

    // Sorted by family, name, then version, newest first.
    [[nodiscard]] std::span<const Tool> tools() const { return all().first(visible_); }
    // Hidden tools, which implement offers of libraries (offers.hpp), in the order they were found.
    [[nodiscard]] std::span<const Tool> hidden() const { return all().subspan(visible_); }
    // The visible tools, then the hidden ones.
    [[nodiscard]] std::span<const Tool> all() const { return tools_; }
    [[nodiscard]] std::span<const Shadowed> shadowed() const { return shadowed_; }
    [[nodiscard]] std::vector<std::string> names() const;

    // Finds the one tool that a reference means. The pointer is valid as long as the catalogue.
    [[nodiscard]] Result<const Tool*> resolve(std::string_view reference) const;
    [[nodiscard]] Result<const Tool*> resolve(const Reference& reference) const;

    // The library's hidden tool of that name, or null.
    [[nodiscard]] const Tool* find_hidden(std::string_view library, std::string_view name) const;

    // All forms by which exactly this tool can be called, versioned ones included.
    [[nodiscard]] std::vector<std::string> references(const Tool& tool) const;

private:
    void settle_conflicts(std::vector<Tool> found);
    void check_tool_requirements();
    [[nodiscard]] bool requirement_holds(const std::string& name, const std::string& range) const;

    std::vector<Tool> tools_;  // hidden tools last
    std::size_t visible_ = 0;
    std::vector<Shadowed> shadowed_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

}  // namespace toolhost::registry
