#include "host/schema/defaults.hpp"

#include <algorithm>

#include "host/schema/depth.hpp"
#include "host/schema/raw_schema.hpp"

namespace toolhost::schema {
namespace {

// Approximate length of the JSON text. The size is limited before, so recursion is safe.
std::size_t text_bytes(const Json& value) noexcept {
    constexpr std::size_t kPunctuation = 3;
    constexpr std::size_t kLongestWord = 8;  // number, true, null
    if (const auto* text = value.get_ptr<const Json::string_t*>()) {
        return text->size() + kPunctuation;
    }
    std::size_t bytes = kLongestWord;
    if (const auto* members = value.get_ptr<const Json::object_t*>()) {
        for (const auto& [name, member] : *members) {
            bytes += name.size() + kPunctuation + text_bytes(member);
        }
    } else if (const auto* items = value.get_ptr<const Json::array_t*>()) {
        for (const Json& item : *items) bytes += text_bytes(item);
    }
    return bytes;
}

class Filler {
public:
    Filler(const Json& root, Budget& budget) : schema_(root, budget), budget_(budget) {}

    // Returns false if a limit was reached.
    [[nodiscard]] bool fill(const RawSchema::Parts& schemas, Json& value, std::size_t levels) {
        if (levels == 0 || schemas.empty()) return true;
        if (!value.is_structured()) return true;
        if (!budget_.take(schemas.size())) return false;
        const auto parts = schema_.parts_for(schemas, value);
        if (budget_.over()) return false;
        if (auto* members = value.get_ptr<Json::object_t*>()) {
            for (auto& [name, member] : *members) {
                if (!fill(member_schemas(parts, name), member, levels - 1)) return false;
            }
            return insert_missing(parts, value);  // last: inserted values are complete
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (!fill(item_schemas(parts, i), value[i], levels - 1)) return false;
        }
        return true;
    }

    [[nodiscard]] std::size_t inserted() const { return inserted_; }

private:
    [[nodiscard]] bool insert_missing(const RawSchema::Parts& parts, Json& value) {
        for (const Json* part : parts) {
            const auto properties = part->find("properties");
            if (properties == part->end() || !properties->is_object()) continue;
            if (!budget_.take(properties->size() / kElementsPerStep)) return false;
            for (const auto& [name, schema] : properties->get_ref<const Json::object_t&>()) {
                if (!schema.is_object() || value.contains(name)) continue;
                const Json* found = find_default(schema);
                if (found == nullptr) continue;
                const std::size_t bytes = name.size() + text_bytes(*found);
                if (bytes > bytes_left_) return false;
                bytes_left_ -= bytes;
                Json& inserted = value[name] = *found;
                ++inserted_;
                if (!fill_inserted(schema, member_schemas(parts, name), inserted)) return false;
            }
        }
        return !budget_.over();
    }

    // Fills the defaults inside a default ({"default": {}} is a common request for them), but never
    // those of a schema inside its own, which would not end (see find_default).
    [[nodiscard]] bool fill_inserted(const Json& source, const RawSchema::Parts& schemas,
                                     Json& inserted) {
        open_.push_back(&source);
        const bool filled = fill(schemas, inserted, kMaxInsertedLevels);
        open_.pop_back();
        return filled;
    }

    [[nodiscard]] const Json* find_default(const Json& schema) const {
        if (std::find(open_.begin(), open_.end(), &schema) != open_.end()) return nullptr;
        for (const Json* part : schema_.parts(schema)) {
            const auto found = part->find("default");
            if (found != part->end()) return &*found;
        }
        return nullptr;
    }

    static constexpr std::size_t kMaxInsertedLevels = 32;

    RawSchema schema_;
    Budget& budget_;
    std::size_t bytes_left_ = kMaxDefaultBytes;
    std::size_t inserted_ = 0;
    std::vector<const Json*> open_;  // schemas whose default is being filled
};

}  // namespace

std::optional<std::size_t> fill_defaults(const Json& schema, Json& value,
                                         const EvaluationLimits* limits) {
    constexpr std::size_t kMaxDepth = CompileOptions{}.max_depth;
    if (!schema.is_object() || !measure(schema, kMaxDepth)) return 0;
    const auto size = measure(value, kMaxValueDepth);
    if (!size) return 0;
    Budget budget(step_limit(*size), limits);
    Filler filler(schema, budget);
    if (!filler.fill({&schema}, value, kMaxValueDepth)) return std::nullopt;
    return filler.inserted();
}

}  // namespace toolhost::schema
