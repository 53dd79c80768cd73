#include "host/validate/generate.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "host/base/json_text.hpp"
#include "host/schema/schema.hpp"
#include "host/validate/sample_value.hpp"

namespace toolhost::validate {
namespace {

constexpr std::size_t kMaxSamples = 48;
constexpr const char* kUnknownField = "toolhost_unknown_field";

std::string told(const std::string& key, const Json& value) {
    auto text = dump(value);
    if (text.size() > 40) text = text.substr(0, 37) + "...";
    return key + " = " + text;
}

// Collects samples that are valid, or invalid, as wanted; each input once.
class Samples {
public:
    Samples(const registry::ToolSpec& spec, bool valid)
        : schema_(schema::Schema::compile(spec.input_schema())), valid_(valid) {}

    void add(std::string what, Json input) {
        if (!schema_ || all_.size() >= kMaxSamples || schema_->valid(input) != valid_) return;
        for (const auto& known : all_)
            if (known.input == input) return;
        all_.push_back({std::move(what), std::move(input)});
    }
    // `base` with one field set.
    void add_with(Json base, const std::string& key, Json value) {
        auto what = "with " + told(key, value);
        base[key] = std::move(value);
        add(std::move(what), std::move(base));
    }
    [[nodiscard]] std::vector<Sample> take() { return std::move(all_); }

private:
    schema::Schema::Result schema_;
    bool valid_;
    std::vector<Sample> all_;
};

std::vector<Json> example_inputs(const registry::ToolSpec& spec) {
    std::vector<Json> out;
    const Json* all = spec.find("examples");
    if (!all || !all->is_array()) return out;
    for (const auto& one : *all)
        if (one.is_object() && one.contains("input") && one["input"].is_object())
            out.push_back(one["input"]);
    return out;
}

// The required fields, with values from the examples.
Json minimal_input(const registry::ToolSpec& spec) {
    const Json& schema = spec.input_schema();
    Json base = sample_value(schema, schema, Amount::least);
    if (!base.is_object()) base = Json::object();
    const auto examples = example_inputs(spec);
    for (const auto& [key, value] : base.items())
        for (const auto& example : examples)
            if (example.contains(key)) {
                value = example[key];
                break;
            }
    const auto compiled = schema::Schema::compile(schema);
    if (compiled && !compiled->valid(base))
        for (const auto& example : examples)
            if (compiled->valid(example)) return example;
    return base;
}

// The fields at the top, where tools have theirs.
std::vector<std::pair<std::string, Json>> fields_of(const Json& schema) {
    std::vector<std::pair<std::string, Json>> out;
    const Json top = resolved(schema, schema);
    const auto properties = top.find("properties");
    if (properties == top.end() || !properties->is_object()) return out;
    for (const auto& [key, value] : properties->items())
        if (value.is_object()) out.emplace_back(key, resolved(value, schema));
    return out;
}

// A number beyond `value` by one; nothing if it cannot be represented.
std::optional<Json> beyond(const Json& value, int step) {
    if (value.is_number_float()) return Json(value.get<double>() + step);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > 0) {
        const auto number = value.get<std::uint64_t>();
        if (step > 0 && number == std::numeric_limits<std::uint64_t>::max()) return {};
        return step > 0 ? Json(number + 1) : Json(number - 1);
    }
    const auto number = value.get<std::int64_t>();
    if (step < 0 && number == std::numeric_limits<std::int64_t>::min()) return {};
    return Json(number + step);
}

std::optional<std::uint64_t> length_bound(const Json& field, const char* key) {
    const auto it = field.find(key);
    if (it == field.end() || !it->is_number_unsigned()) return {};
    const auto value = it->get<std::uint64_t>();
    return value <= 100000 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<Sample> valid_inputs(const registry::ToolSpec& spec) {
    const Json& schema = spec.input_schema();
    Samples samples(spec, true);
    const Json base = minimal_input(spec);
    const auto with = [&](const std::string& key, Json value) {
        samples.add_with(base, key, std::move(value));
    };
    samples.add("minimal", base);
    for (const auto& [key, field] : fields_of(schema)) {
        with(key, sample_value(field, schema, Amount::least));
        if (const auto list = field.find("enum"); list != field.end() && list->is_array())
            for (const auto& value : *list) with(key, value);
        for (const char* bound : {"minimum", "maximum"})
            if (const auto it = field.find(bound); it != field.end()) with(key, *it);
        if (field.value("type", Json()) == "boolean") {
            with(key, false);
            with(key, true);
        }
        with(key, sample_value(field, schema, Amount::most));
    }
    Json most = sample_value(schema, schema, Amount::most);
    if (most.is_object()) {
        most.update(base);
        samples.add("maximal", std::move(most));
    }
    return samples.take();
}

std::vector<Sample> invalid_inputs(const registry::ToolSpec& spec) {
    const Json& schema = spec.input_schema();
    Samples samples(spec, false);
    const Json base = minimal_input(spec);
    const auto with = [&](const std::string& key, Json value) {
        samples.add_with(base, key, std::move(value));
    };
    samples.add("an array instead of an object", Json::array());
    for (const auto& [key, ignored] : base.items()) {
        Json lacking = base;
        lacking.erase(key);
        samples.add("without " + key, std::move(lacking));
    }
    for (const auto& [key, field] : fields_of(schema)) {
        // Structures, because a profile may coerce texts and numbers to each other.
        with(key, Json::object({{kUnknownField, Json::array()}}));
        with(key, Json::array({Json::object()}));
        if (field.contains("enum")) with(key, "toolhost_not_in_the_enum");
        if (const auto low = field.find("minimum"); low != field.end() && low->is_number())
            if (auto value = beyond(*low, -1)) with(key, *value);
        if (const auto high = field.find("maximum"); high != field.end() && high->is_number())
            if (auto value = beyond(*high, 1)) with(key, *value);
        if (const auto most = length_bound(field, "maxLength"))
            with(key, std::string(*most + 1, 'a'));
        if (const auto least = length_bound(field, "minLength"); least && *least > 0)
            with(key, std::string(*least - 1, 'a'));
        if (const auto most = length_bound(field, "maxItems"); most && *most <= 1000)
            with(key, Json(std::vector<Json>(*most + 1, Json("a"))));
    }
    return samples.take();
}

bool accepts_unknown_fields(const registry::ToolSpec& spec) {
    Json input = minimal_input(spec);
    input[kUnknownField] = 1;
    const auto compiled = schema::Schema::compile(spec.input_schema());
    return compiled && compiled->valid(input);
}

}  // namespace toolhost::validate
