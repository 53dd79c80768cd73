// Documents laid over each other, and of every leaf of the outcome where it came from.
#pragma once

#include <map>
#include <string>

#include "host/policy/layer.hpp"

namespace toolhost::policy {

// A place in a layer. The layer outlives it: the profile keeps all of its layers.
struct Origin {
    const Layer* layer = nullptr;
    std::string pointer;

    [[nodiscard]] Place place() const { return layer->document.place(pointer); }
    [[nodiscard]] Place key_place() const { return layer->document.key_place(pointer); }
};

class LayeredDocument {
public:
    // Lists at the pointers of `adding` add up, "/a/*" being every member of /a; any other list
    // replaces the one below it, and so does one that starts with the pointer's word, if it has
    // one.
    using Adding = std::map<std::string, std::string>;  // pointer, word
    explicit LayeredDocument(Adding adding = {}) : adding_(std::move(adding)) {}

    // Lays a layer's value at the origin's pointer over the value at `to`: objects key by key,
    // anything else as a whole.
    void lay(const Origin& from, const std::string& to);
    void lay(const Origin& from, const Json& value, const std::string& to);
    void erase(const std::string& key);

    [[nodiscard]] const Json& value() const { return value_; }
    // By JSON Pointer, every leaf: scalars, list entries, empty lists and objects.
    [[nodiscard]] const std::map<std::string, Origin>& origins() const { return origins_; }
    // Of a leaf, or of the first leaf in what the pointer means; null: none.
    [[nodiscard]] const Origin* origin(const std::string& pointer) const;
    // Where the key of a member stands.
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
