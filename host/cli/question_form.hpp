// A tool's question as fields to fill in at a terminal: what is shown, and what a typed line means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

// What a typed line means.
struct FieldAnswer {
    std::optional<Json> value;  // nothing: the field is left out
    std::string fault;          // not empty: why the answer is invalid; ask again
};

struct FormField {
    std::string name;
    Json schema;
    bool required = false;

    // What is shown before it is asked for: its title or name, its description, its choices.
    [[nodiscard]] std::string heading() const;
    // "[y/n]: ", "number 1 to 3 [2]: " and the like, on the line that is typed on.
    [[nodiscard]] std::string prompt() const;
    [[nodiscard]] FieldAnswer read(const std::string& line) const;
};

struct QuestionForm {
    std::string message;
    std::vector<FormField> fields;  // required ones first
    Json schema;                    // of all answers together
    bool whole = false;             // the answer is an object of the fields, not the one value

    // The reason that a tool gave: {"message"?, "schema" or "requestedSchema"} or {"choices"}.
    // `name` "consent" is a yes or no. Nothing: it has no form.
    [[nodiscard]] static std::optional<QuestionForm> of(std::string_view name, const Json& reason);

    // Why the answers do not fit together; empty: they do.
    [[nodiscard]] std::string fault(const Json& answers) const;
};

}  // namespace toolhost::cli
