// The actions: one row each, and the function that runs them.
#pragma once

#include <span>
#include <string_view>

#include "actions/request.hpp"

namespace git {

enum class Effect { reads, writes, connects };  // each includes the previous ones

struct Action {
    std::string_view name;
    Answer (*run)(const Call&);
    Effect effect;
    std::string_view required;  // a required field, or empty
    std::string_view fields;    // besides `action` and `repo_path`, separated by spaces
};

[[nodiscard]] std::span<const Action> actions();
[[nodiscard]] const Action& action_named(std::string_view name);

// Throws a Misuse for a field that the action does not accept, or a missing one; `given` are the
// names.
void check_fields(const Action& action, std::span<const std::string> given);

// Returns the complete JSON block and the text. The workspace must be absolute.
[[nodiscard]] Answer run(const Request& request, const Policy& policy,
                         const std::filesystem::path& workspace, Progress& progress,
                         const toolhost::ProtectedPaths& protected_paths = {});

Answer status(const Call&);
Answer files(const Call&);
Answer blame(const Call&);
Answer log(const Call&);
Answer show(const Call&);
Answer diff(const Call&);
Answer branches(const Call&);
Answer tags(const Call&);
Answer create_branch(const Call&);
Answer tag(const Call&);
Answer checkout(const Call&);
Answer stage(const Call&);
Answer unstage(const Call&);
Answer commit(const Call&);
Answer stash(const Call&);
Answer fetch(const Call&);
Answer push(const Call&);

}  // namespace git
