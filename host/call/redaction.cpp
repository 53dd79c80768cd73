#include "host/call/redaction.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"

namespace toolhost::call {
namespace {

constexpr const char* kHidden = "[redacted]";

// contains() throws for an index that no number can hold.
bool has(const Json& value, const Json::json_pointer& place) {
    try {
        return value.contains(place);
    } catch (const Json::exception&) {
        return false;
    }
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

Redaction::Redaction(const std::vector<std::string>& fields) {
    for (const auto& field : fields) {
        if (field.starts_with('/')) {
            try {
                places_.emplace_back(field);
            } catch (const Json::exception&) {
                continue;
            }
        } else if (auto glob = Glob::parse(lower(field))) {
            shortest_ = std::min(shortest_, glob->shortest());
            names_.push_back(*std::move(glob));
        }
    }
}

bool Redaction::hides(const std::string& name) const {
    if (name.size() < shortest_) return false;
    const auto lowered = lower(name);
    return std::any_of(names_.begin(), names_.end(),
                       [&](const auto& glob) { return glob.matches(lowered); });
}

bool Redaction::touches(const Json& value) const {
    if (!value.is_structured()) return false;
    for (auto it = value.begin(); it != value.end(); ++it)
        if ((value.is_object() && hides(it.key())) || touches(*it)) return true;
    return false;
}

void Redaction::hide_named(Json& value) const {
    if (value.is_object()) {
        for (auto& [name, member] : value.items())
            if (hides(name))
                member = kHidden;
            else
                hide_named(member);
    } else if (value.is_array()) {
        for (auto& item : value) hide_named(item);
    }
}

std::optional<std::string> Redaction::of(const Json& input) const {
    const bool placed = std::any_of(places_.begin(), places_.end(),
                                    [&](const auto& place) { return has(input, place); });
    if (!placed && !touches(input)) return std::nullopt;
    Json shown = input;
    for (const auto& place : places_)
        if (has(shown, place)) shown[place] = kHidden;
    hide_named(shown);
    return dump(shown);
}

}  // namespace toolhost::call
