#include "host/registry/spec_document.hpp"

#include <mutex>

#include "host/base/json_text.hpp"

namespace toolhost::registry {

struct SpecDocument::State {
    std::string text;
    std::once_flag parsed;
    nlohmann::json value;
};

SpecDocument::SpecDocument(const nlohmann::json& value) : state_(std::make_shared<State>()) {
    state_->text = dump(value);
    std::call_once(state_->parsed, [&] { state_->value = value; });
}

SpecDocument::SpecDocument() {
    static const SpecDocument empty = from_text("{}");
    state_ = empty.state_;
}

SpecDocument SpecDocument::from_text(std::string text) {
    auto state = std::make_shared<State>();
    state->text = std::move(text);
    return SpecDocument(std::move(state));
}

const std::string& SpecDocument::text() const {
    return state_->text;
}

const nlohmann::json& SpecDocument::value() const {
    std::call_once(state_->parsed, [&] {
        auto read = parse_json(state_->text);  // faster than nlohmann's, with limits
        state_->value = read ? *std::move(read) : nlohmann::json::parse(state_->text);
    });
    return state_->value;
}

}  // namespace toolhost::registry
