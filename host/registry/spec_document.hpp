// The complete spec of a tool as JSON. Most tools are listed and never called, so a spec from the
// cache stays text until it is read.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace toolhost::registry {

class SpecDocument {
public:
    SpecDocument();  // {}
    explicit SpecDocument(const nlohmann::json& value);
    // The text must have been written from a parsed value.
    static SpecDocument from_text(std::string text);

    [[nodiscard]] const std::string& text() const;
    // Parsed at the first call; callable from any thread.
    [[nodiscard]] const nlohmann::json& value() const;

private:
    struct State;
    explicit SpecDocument(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;  // shared by copies of the spec; immutable
};

}  // namespace toolhost::registry
