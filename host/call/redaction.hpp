// Keeps named fields of an input out of the events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/base/glob.hpp"

namespace toolhost::call {

class Redaction {
public:
    Redaction() = default;
    // Names and globs of names hide such fields at any depth, in any case of letters; "/a/b" hides
    // that place. Invalid globs are refused with the profile.
    explicit Redaction(const std::vector<std::string>& fields);

    // The input's JSON text as events show it; nothing: as it is.
    [[nodiscard]] std::optional<std::string> of(const Json& input) const;

private:
    [[nodiscard]] bool hides(const std::string& name) const;
    [[nodiscard]] bool touches(const Json& value) const;
    void hide_named(Json& value) const;

    std::vector<Glob> names_;
    std::size_t shortest_ = SIZE_MAX;  // the length of a name that may match one
    std::vector<Json::json_pointer> places_;
};

}  // namespace toolhost::call
