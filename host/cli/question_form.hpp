// A tool's question as a form at a terminal: its text, and how typed lines are interpreted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::cli {

// The interpretation of a typed line.
struct FieldAnswer {
    std::optional<Json> value;  // nothing: the field is omitted
    std::string fault;          // why the answer is invalid, or empty; if set, ask again
};

struct FormField {
    std::string name;
    Json schema;
    bool required = false;

    // Printed before the prompt: title or name, description, choices.
    [[nodiscard]] std::string heading() const;
    // "[y/n]: ", "number 1 to 3 [2]: " etc., on the line where the user types.
    [[nodiscard]] std::string prompt() const;
    [[nodiscard]] FieldAnswer read(const std::string& line) const;
};

struct QuestionForm {
    std::string message;
    std::vector<FormField> fields;  // required ones first
    Json schema;                    // of all answers together
    bool whole = false;             // the answer is an object of the fields, not a single value

    // Builds a form from the reason of a question: {"message"?, "schema" or "requestedSchema"} or
    // {"choices"}. `name` "consent" asks yes or no. Nothing if there is no form for it.
    [[nodiscard]] static std::optional<QuestionForm> of(std::string_view name, const Json& reason);

    // Why the answers are invalid together, or empty.
    [[nodiscard]] std::string fault(const Json& answers) const;
};

}  // namespace toolhost::cli
