#include <algorithm>

#include "host/schema/depth.hpp"
#include "host/schema/raw_schema.hpp"
#include "host/schema/schema.hpp"

namespace toolhost::schema {
namespace {

class Filler {
public:
    explicit Filler(const Json& root) : schema_(root) {}

    void fill(const RawSchema::Parts& schemas, Json& value, std::size_t levels) {
        if (levels == 0 || schemas.empty()) return;
        const auto parts = schema_.parts_for(schemas, value);
        if (value.is_object()) {
            for (auto& [name, member] : value.get_ref<Json::object_t&>()) {
                fill(member_schemas(parts, name), member, levels - 1);
            }
            insert_missing(parts, value);  // last: what it inserts is filled already
        } else if (value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                fill(item_schemas(parts, i), value[i], levels - 1);
            }
        }
    }

private:
    void insert_missing(const RawSchema::Parts& parts, Json& value) {
        for (const Json* part : parts) {
            const auto properties = part->find("properties");
            if (properties == part->end() || !properties->is_object()) continue;
            for (const auto& [name, schema] : properties->items()) {
                if (!schema.is_object() || value.contains(name)) continue;
                const Json* found = find_default(schema);
                if (found == nullptr || inserts_left_ == 0) continue;
                --inserts_left_;
                Json& inserted = value[name] = *found;
                fill_inserted(schema, member_schemas(parts, name), inserted);
            }
        }
    }

    // The defaults inside a default ({"default": {}} is a common way to ask for them), but never
    // those of a schema inside its own (find_default sees to it): that would not end.
    void fill_inserted(const Json& source, const RawSchema::Parts& schemas, Json& inserted) {
        open_.push_back(&source);
        fill(schemas, inserted, max_inserted_levels);
        open_.pop_back();
    }

    [[nodiscard]] const Json* find_default(const Json& schema) const {
        if (std::find(open_.begin(), open_.end(), &schema) != open_.end()) return nullptr;
        for (const Json* part : schema_.parts(schema)) {
            const auto found = part->find("default");
            if (found != part->end()) return &*found;
        }
        return nullptr;
    }

    static constexpr std::size_t max_inserted_levels = 32;

    RawSchema schema_;
    std::size_t inserts_left_ = 10000;
    std::vector<const Json*> open_;  // schemas whose default is being filled
};

}  // namespace

void fill_defaults(const Json& schema, Json& value) {
    constexpr std::size_t max_depth = CompileOptions{}.max_depth;
    if (!schema.is_object() || !measure(schema, max_depth)) return;
    if (!measure(value, max_value_depth)) return;
    Filler(schema).fill({&schema}, value, max_value_depth);
}

}  // namespace toolhost::schema
