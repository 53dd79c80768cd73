// Merges documents and records the origin of every leaf of the result.
#pragma once

#include <map>
#include <string>

#include "host/policy/layer.hpp"

namespace toolhost::policy {

// A place in a layer. The profile keeps all of its layers alive.
struct Origin {
    const Layer* layer = nullptr;
    std::string pointer;

    [[nodiscard]] Place place() const { return layer->document.place(pointer); }
    [[nodiscard]] Place key_place() const { return layer->document.key_place(pointer); }
};

class LayeredDocument {
public:
    // Lists at the pointers of `adding` are appended to, where "/a/*" means every member of /a. Any
    // other list is replaced, and so is one whose first entry is the pointer's word, if it has one.
    using Adding = std::map<std::string, std::string>;  // pointer, word
    explicit LayeredDocument(Adding adding = {}) : adding_(std::move(adding)) {}

    // Merges a layer's value at the origin's pointer into the value at `to`: objects by key,
    // anything else as a whole.
    void merge(const Origin& from, const std::string& to);
    void merge(const Origin& from, const Json& value, const std::string& to);
    void erase(const std::string& key);

    [[nodiscard]] const Json& value() const { return value_; }
    // All leaves by JSON Pointer: scalars, list entries, empty lists and objects.
    [[nodiscard]] const std::map<std::string, Origin>& origins() const { return origins_; }
    // The origin of a leaf, or of the first leaf below the pointer; null if there is none.
    [[nodiscard]] const Origin* origin(const std::string& pointer) const;
    // The position of a member's key.
    [[nodiscard]] Place key_place(const std::string& pointer) const;

private:
    [[nodiscard]] bool adds_up(const Json& list, const std::string& pointer) const;
    void replace(const Origin& from, const Json& value, const std::string& to);
    void add_up(const Origin& from, const Json& list, const std::string& to);
    void note_leaves(const Origin& from, const Json& value, const std::string& to);
    void forget(const std::string& pointer);

    Adding adding_;
    Json value_ = Json::object();
    std::map<std::string, Origin> origins_;
};

}  // namespace toolhost::policy
