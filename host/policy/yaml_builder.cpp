#include "host/policy/yaml_builder.hpp"

#include <algorithm>

#include "host/policy/yaml_scalar.hpp"

namespace toolhost::policy {
namespace {

// The map's entries below a pointer: '0' is the character after '/'.
template <class Map>
auto below(Map& map, const std::string& pointer) {
    return std::pair(map.lower_bound(pointer + '/'), map.lower_bound(pointer + '0'));
}

}  // namespace

std::string YamlBuilder::next_pointer() const {
    if (open_.empty()) return "";
    const auto& in = open_.back();
    return in.pointer + (in.key ? pointer_step(*in.key) : '/' + std::to_string(in.value->size()));
}

// Inserts the next value: as the root, at the end of a list, or under the current key.
Json& YamlBuilder::put(const YAML::Mark& mark, YAML::anchor_t anchor, Json value) {
    count(mark, 1);
    check_depth(mark, open_.size());
    const auto pointer = next_pointer();
    auto at = place(mark);
    Json* slot = &document_.value;
    if (!open_.empty()) {
        auto& in = open_.back();
        if (in.key) {
            // For an omitted value the parser gives the position of what follows it.
            if (value.is_null() && at.line != in.key_place.line) at = in.key_place;
            document_.keys[pointer] = in.key_place;
            slot = &(*in.value)[*in.key];
            in.key.reset();
        } else {
            slot = &in.value->emplace_back();
        }
    }
    document_.places[pointer] = std::move(at);
    if (anchor != 0) anchors_[anchor] = pointer;
    *slot = std::move(value);
    return *slot;
}

void YamlBuilder::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       Json value) {
    if (wants_key()) refuse(mark, "a key must be text, not a list or an object");
    check_tag(mark, tag);
    auto pointer = next_pointer();
    Json& slot = put(mark, anchor, std::move(value));
    open_.push_back({&slot, std::move(pointer), {}, {}});
}

void YamlBuilder::take_key(const YAML::Mark& mark, const std::string& tag,
                           const std::string& text) {
    auto& in = open_.back();
    if (text.size() > kMaxYamlKeyBytes)
        refuse(mark, "a key longer than " + std::to_string(kMaxYamlKeyBytes) + " bytes");
    if (tag == "?") {
        auto read = read_plain_scalar(text);
        if (!read || !read->is_string())
            refuse(mark, "a key must be text; quote it: " + in_quotes(text));
        if (text == "<<")
            refuse(mark,
                   "merge keys (<<) are not supported; use 'extends' to build on another profile");
    }
    if (in.value->contains(text)) {
        const auto& first = document_.keys[in.pointer + pointer_step(text)];
        refuse(mark, "the key " + in_quotes(text) + " is given twice; first on line " +
                         std::to_string(first.line));
    }
    in.key = text;
    in.key_place = place(mark);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& text) {
    check_tag(mark, tag);
    if (text.find('\0') != std::string::npos) refuse(mark, "text with a NUL character");
    if (wants_key()) return take_key(mark, tag, text);
    if (tag == "!") {
        put(mark, anchor, text);
        return;
    }
    auto read = read_plain_scalar(text);
    if (!read) refuse(mark, read.error().sentence);
    put(mark, anchor, std::move(*read));
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (wants_key()) refuse(mark, "a key must be text, not an alias");
    auto found = anchors_.find(anchor);
    if (found == anchors_.end())
        refuse(mark, "an alias of a key; aliases can refer to values only");
    const std::string from = found->second, to = next_pointer();
    if (to == from || to.starts_with(from + '/')) refuse(mark, "an alias that contains itself");

    // Every value has a place, so counting places gives the size of the alias before it is copied.
    auto [first, last] = below(document_.places, from);
    const auto steps = [](const std::string& text) {
        return std::count(text.begin(), text.end(), '/');
    };
    std::ptrdiff_t deepest = steps(from);
    for (auto it = first; it != last; ++it) deepest = std::max(deepest, steps(it->first));
    check_depth(mark, static_cast<std::size_t>(steps(to) + deepest - steps(from)));
    count(mark, static_cast<std::size_t>(std::distance(first, last)));

    std::map<std::string, Place> places, keys;
    for (auto it = first; it != last; ++it) places[to + it->first.substr(from.size())] = it->second;
    auto [first_key, last_key] = below(document_.keys, from);
    for (auto it = first_key; it != last_key; ++it)
        keys[to + it->first.substr(from.size())] = it->second;
    put(mark, 0, Json(document_.value.at(Json::json_pointer(from))));
    document_.places.merge(places);
    document_.keys.merge(keys);
}

}  // namespace toolhost::policy
