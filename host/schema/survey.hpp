// The first pass over schema documents. Every subschema gets a place, the shapes of keyword values
// are checked, and `$id` and anchors are collected, so that references can be resolved before
// compiling. Uses an explicit stack, whatever the depth.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "host/schema/dialect.hpp"
#include "host/schema/program.hpp"

namespace toolhost::schema {

using PlaceId = std::uint32_t;  // also the index into the program's locations

struct Place {
    const Json* schema;
    std::uint32_t resource;
};

// A schema with a URI of its own: a document's root, or a subschema with an `$id`.
struct Resource {
    std::string uri;
    PlaceId root = 0;
    std::uint32_t document = 0;
    DialectProfile profile;
    std::map<std::string, PlaceId, std::less<>> anchors;          // includes $dynamicAnchor
    std::map<std::string, PlaceId, std::less<>> dynamic_anchors;  // "" for $recursiveAnchor
};

class Survey {
public:
    Survey(const CompileOptions& options, std::vector<Location>& locations)
        : options_(options), locations_(locations) {}

    // `uri` is where the document was found, or "" for the one that is compiled. Returns false on
    // an error; see error(). The document must outlive the survey.
    bool add_document(const Json& document, const std::string& uri, const DialectProfile& fallback);

    // The place that a reference in `from` means. Loads documents of the store as needed.
    std::optional<PlaceId> resolve(PlaceId from, std::string_view keyword,
                                   std::string_view reference);

    [[nodiscard]] const Place& place(PlaceId id) const { return places_[id]; }
    [[nodiscard]] std::size_t place_count() const { return places_.size(); }
    [[nodiscard]] std::optional<PlaceId> find_place(const Json& schema) const;
    [[nodiscard]] const Resource& resource_of(PlaceId id) const {
        return resources_[places_[id].resource];
    }
    [[nodiscard]] const std::vector<Resource>& resources() const { return resources_; }

    // Keeps the first error only. Always returns false, for the caller to return.
    bool fail(PlaceId place, const std::string& suffix, const std::string& message);
    [[nodiscard]] const std::optional<CompileError>& error() const { return error_; }

private:
    struct Pending {
        const Json* schema;
        PlaceId parent;
        std::string token;  // a document's URI for its root
        std::uint32_t resource;
        bool is_root;
    };

    bool walk(Pending first);
    bool visit(const Pending& pending);
    bool enter_resource(PlaceId place, const Json& schema, bool is_root);
    bool choose_profile(PlaceId place, const Json& schema, DialectProfile& profile);
    bool note_anchors(PlaceId place, const Json& schema);
    bool note_anchor(PlaceId place, const char* keyword, const std::string& name);
    bool visit_keywords(PlaceId place, const Json& schema);

    std::optional<std::uint32_t> find_resource(const std::string& uri, PlaceId from);
    std::optional<PlaceId> follow_pointer(const Resource& resource, const std::string& pointer);

    const CompileOptions& options_;
    std::vector<Location>& locations_;
    std::vector<Place> places_;
    std::vector<Resource> resources_;
    std::uint32_t documents_ = 0;
    std::unordered_map<const Json*, PlaceId> place_of_;
    std::unordered_map<std::string, std::uint32_t> resource_of_uri_;
    std::vector<Pending> pending_;
    std::optional<CompileError> error_;
};

}  // namespace toolhost::schema
