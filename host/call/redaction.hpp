// Keeps named fields of an input out of the events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/policy/glob.hpp"
#include "host/registry/error.hpp"

namespace toolhost::call {

class Redaction {
public:
    Redaction() = default;
    // Names and globs of names hide such fields at any depth, in any case of letters; "/a/b" hides
    // that place. What is no glob was refused with its profile, and hides nothing.
    explicit Redaction(const std::vector<std::string>& fields);

    // The input as events show it; `text` is its JSON text.
    [[nodiscard]] std::string of(const Json& input, std::string_view text) const;

private:
    [[nodiscard]] bool hides(const std::string& name) const;
    [[nodiscard]] bool touches(const Json& value) const;
    void hide_named(Json& value) const;

    std::vector<policy::Glob> names_;
    std::vector<Json::json_pointer> places_;
};

}  // namespace toolhost::call
