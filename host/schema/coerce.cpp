#include "host/schema/coerce.hpp"

#include <cmath>
#include <optional>

#include "host/schema/depth.hpp"
#include "host/schema/explain.hpp"
#include "host/schema/raw_schema.hpp"

namespace toolhost::schema {
namespace {

// Limits the list: a pointer of long names may be as large as the value.
constexpr std::size_t kMaxListedChanges = 64;

constexpr TypeSet kStringBit = type_bit(Json::value_t::string);

// 1e3 is an integer to the schema; pass an integer to the tool.
Json tidy_number(Json value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (!value.is_number_float() || (type_bits(value) & kIntegralRealBit) == 0) return value;
    const auto real = value.get<double>();
    return std::fabs(real) <= kExact ? Json(static_cast<std::int64_t>(real)) : value;
}

// Parses the text as JSON or as a Python literal.
std::optional<Json> read_text(const std::string& text) {
    if (text == "True") return Json(true);
    if (text == "False") return Json(false);
    constexpr std::size_t kMaxTextBytes = 1u << 20;  // a value takes far more memory than its text
    if (text.size() > kMaxTextBytes) return std::nullopt;
    constexpr std::string_view kStarts = "-0123456789tfn[{ \t\r\n";
    if (text.empty() || kStarts.find(text.front()) == std::string_view::npos) return std::nullopt;
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded() || value.is_string()) return std::nullopt;
    if (!measure(value, kMaxValueDepth)) return std::nullopt;
    return value;
}

std::optional<Json> read_as(TypeSet types, const Json& value) {
    if (const auto* text = value.get_ptr<const std::string*>()) {
        auto read = read_text(*text);
        if (!read || (types & type_bits(*read)) == 0) return std::nullopt;
        const bool wants_integer = (types & type_bit(Json::value_t::number_float)) == 0;
        if (!wants_integer || !read->is_number_float()) return read;
        Json tidy = tidy_number(std::move(*read));
        if (tidy.is_number_float()) return std::nullopt;  // not exact
        return tidy;
    }
    const bool has_text = value.is_number() || value.is_boolean();
    if (has_text && (types & kStringBit) != 0) return Json(value.dump());
    return std::nullopt;
}

class Coercer {
public:
    Coercer(const Json& root, Budget& budget) : schema_(root, budget), budget_(budget) {}

    void coerce_value(const RawSchema::Parts& schemas, Json& value, const Path& path,
                      std::size_t levels) {
        if (levels == 0 || schemas.empty() || !budget_.take(schemas.size())) return;
        TypeSet types = kEveryType;
        for (const Json* schema : schemas) types &= schema_.allowed_types(*schema);
        if ((types & type_bits(value)) == 0) {
            if (auto read = read_as(types, value)) {
                value = std::move(*read);
                if (changed_.size() < kMaxListedChanges) changed_.push_back(pointer_text(path));
            }
        }
        if (!value.is_structured()) return;
        const auto parts = schema_.parts_for(schemas, value);
        if (parts.empty()) return;
        if (value.is_object()) {
            for (auto& [name, member] : value.get_ref<Json::object_t&>()) {
                coerce_value(member_schemas(parts, name), member, {&path, &name, 0}, levels - 1);
            }
        } else {
            for (std::size_t i = 0; i < value.size(); ++i) {
                coerce_value(item_schemas(parts, i), value[i], {&path, nullptr, i}, levels - 1);
            }
        }
    }

    std::vector<std::string> take_changed() { return std::move(changed_); }

private:
    RawSchema schema_;
    Budget& budget_;
    std::vector<std::string> changed_;
};

}  // namespace

std::vector<std::string> coerce(const Json& schema, Json& value, const EvaluationLimits* limits) {
    constexpr std::size_t kMaxDepth = CompileOptions{}.max_depth;
    if (!schema.is_object() || !measure(schema, kMaxDepth)) return {};
    const auto size = measure(value, kMaxValueDepth);
    if (!size) return {};
    Budget budget(step_limit(*size), limits);
    Coercer coercer(schema, budget);
    coercer.coerce_value({&schema}, value, Path{}, kMaxValueDepth);
    return coercer.take_changed();
}

}  // namespace toolhost::schema
