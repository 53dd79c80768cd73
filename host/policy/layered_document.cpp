#include "host/policy/layered_document.hpp"

#include <algorithm>

namespace toolhost::policy {

void LayeredDocument::merge(const Origin& from, const std::string& to) {
    merge(from, from.layer->document.value.at(Json::json_pointer(from.pointer)), to);
}

void LayeredDocument::merge(const Origin& from, const Json& value, const std::string& to) {
    const Json::json_pointer at(to);
    const bool there = value_.contains(at);
    if (value.is_array() && there && value_[at].is_array() && adds_up(value, to))
        return add_up(from, value, to);
    const bool by_key = value.is_object() && there && value_[at].is_object();
    // Merging an empty object changes nothing.
    if (!by_key) return replace(from, value, to);
    for (const auto& [key, member] : value.items()) {
        const auto step = pointer_step(key);
        merge({from.layer, from.pointer + step}, member, to + step);
    }
}

bool LayeredDocument::adds_up(const Json& list, const std::string& pointer) const {
    auto found = adding_.find(pointer);
    if (found == adding_.end())
        found = adding_.find(pointer.substr(0, pointer.rfind('/') + 1) + '*');
    if (found == adding_.end()) return false;
    return found->second.empty() || list.empty() || list[0] != found->second;
}

void LayeredDocument::replace(const Origin& from, const Json& value, const std::string& to) {
    forget(to);
    // The parent is no longer an empty object, which would be a leaf.
    if (auto slash = to.rfind('/'); slash != std::string::npos) origins_.erase(to.substr(0, slash));
    value_[Json::json_pointer(to)] = value;
    note_leaves(from, value, to);
}

void LayeredDocument::add_up(const Origin& from, const Json& list, const std::string& to) {
    Json& below = value_[Json::json_pointer(to)];
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (std::find(below.begin(), below.end(), list[i]) != below.end()) continue;
        origins_.erase(to);  // as above
        note_leaves({from.layer, from.pointer + '/' + std::to_string(i)}, list[i],
                    to + '/' + std::to_string(below.size()));
        below.push_back(list[i]);
    }
}

void LayeredDocument::note_leaves(const Origin& from, const Json& value, const std::string& to) {
    if (!value.is_structured() || value.empty()) {
        origins_[to] = from;
        return;
    }
    std::size_t index = 0;
    for (const auto& [key, member] : value.items()) {
        const auto step = value.is_object() ? pointer_step(key) : '/' + std::to_string(index++);
        note_leaves({from.layer, from.pointer + step}, member, to + step);
    }
}

void LayeredDocument::forget(const std::string& pointer) {
    origins_.erase(pointer);
    origins_.erase(origins_.lower_bound(pointer + '/'), origins_.lower_bound(pointer + '0'));
}

void LayeredDocument::erase(const std::string& key) {
    forget(pointer_step(key));
    value_.erase(key);
}

const Origin* LayeredDocument::origin(const std::string& pointer) const {
    if (auto it = origins_.find(pointer); it != origins_.end()) return &it->second;
    auto it = origins_.lower_bound(pointer + '/');
    return it != origins_.end() && it->first.starts_with(pointer + '/') ? &it->second : nullptr;
}

// The first leaf in the member gives the layer, and how much of its pointer is above the member.
Place LayeredDocument::key_place(const std::string& pointer) const {
    auto it = origins_.find(pointer);
    if (it == origins_.end()) it = origins_.lower_bound(pointer + '/');
    if (it == origins_.end() || !it->first.starts_with(pointer)) return {};
    const auto& [leaf, origin] = *it;
    const auto deeper = leaf.size() - pointer.size();
    return origin.layer->document.key_place(
        origin.pointer.substr(0, origin.pointer.size() - deeper));
}

}  // namespace toolhost::policy
