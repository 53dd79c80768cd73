// A tool's whole spec as JSON. Most tools of a start are listed and never called, so what the cache
// has as text stays text until it is read.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace toolhost::registry {

class SpecDocument {
public:
    SpecDocument();  // {}
    explicit SpecDocument(const nlohmann::json& value);
    // Text that was printed from a value before.
    static SpecDocument from_text(std::string text);

    [[nodiscard]] const std::string& text() const;
    // Parsed at the first call, from whatever thread.
    [[nodiscard]] const nlohmann::json& value() const;

private:
    struct State;
    explicit SpecDocument(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;  // shared by copies of the spec: it never changes
};

}  // namespace toolhost::registry
