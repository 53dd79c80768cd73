// The catalogue: every tool there is, as one immutable value. A change makes a new one.
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
class LocalCode;  // the code of a library without a file (loading/local_code.hpp)
}

namespace toolhost::registry {

// Of a library, for messages that models read: those name no folder of this machine.
[[nodiscard]] inline std::string file_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// What tools live in: a shared library, as the scan saw it, or a part of the program that embeds
// the host (`embedded`), which has no file.
struct Library {
    std::string path;         // empty: embedded
    std::string sha256;       // of the file at `path`, for people
    std::uint32_t flags = 0;  // TOOL_CONCURRENT or not
    bool own_folder = false;  // NAME/NAME.so, with its private dependencies beside it
    bool stateful = false;    // one of its tools says so
    // A digest over the names and contents of its files, those of its own folder included. What a
    // library is, for consent, workers and quarantine; the runtime loads no other content.
    std::string identity{};
    // Of an embedded one; its sha256 and its identity are those of the spec.
    std::shared_ptr<loading::LocalCode> embedded{};

    [[nodiscard]] std::string name() const { return file_name(path); }
    // Where its tools come from, for people.
    [[nodiscard]] std::string origin() const { return embedded ? "the embedding program" : path; }
};

struct Tool {
    ToolSpec spec;
    std::shared_ptr<const Library> library;
    // Requirements that do not hold, each a sentence: the machine's, which discovery checks, and
    // other tools', which only a whole catalogue can tell and works out anew.
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

// "FAMILY/NAME@VERSION#IDENTITY of the library": what consent, and whatever else must not pass from
// one tool to another of the same name, belongs to.
[[nodiscard]] std::string tool_identity(const Tool& tool);

struct Shadowed {
    Tool tool;
    std::string by;  // origin of the library that came first
    std::string_view reason;
};
inline constexpr std::string_view kDuplicate = "duplicate";
inline constexpr std::string_view kTwin = "hyphen_underscore_twin";

class Catalogue {
public:
    Catalogue() = default;
    // `found` in folder order, then file name: of two that clash, the first stays.
    explicit Catalogue(std::vector<Tool> found);

    // Sorted by family, name, then version, newest first.
    [[nodiscard]] std::span<const Tool> tools() const { return all().first(visible_); }
    // Those that answer for what libraries offer beside tools, in the order they were found.
    [[nodiscard]] std::span<const Tool> hidden() const { return all().subspan(visible_); }
    // Both, one after the other.
    [[nodiscard]] std::span<const Tool> all() const { return tools_; }
    [[nodiscard]] std::span<const Shadowed> shadowed() const { return shadowed_; }
    [[nodiscard]] std::vector<std::string> names() const;

    // The one tool a reference means. The pointer lives as long as the catalogue.
    [[nodiscard]] Result<const Tool*> resolve(std::string_view reference) const;
    [[nodiscard]] Result<const Tool*> resolve(const Reference& reference) const;

    // The hidden tool of that name of a library; null: it has none.
    [[nodiscard]] const Tool* find_hidden(std::string_view library, std::string_view name) const;

    // Every form by which exactly this tool can be called, versioned ones included.
    [[nodiscard]] std::vector<std::string> references(const Tool& tool) const;

private:
    void settle_conflicts(std::vector<Tool> found);
    void check_tool_requirements();
    [[nodiscard]] bool requirement_holds(const std::string& name, const std::string& range) const;

    std::vector<Tool> tools_;  // the hidden ones last
    std::size_t visible_ = 0;
    std::vector<Shadowed> shadowed_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_name_;
};

}  // namespace toolhost::registry
