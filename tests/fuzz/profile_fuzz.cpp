// Profiles: YAML text from an untrusted repository.
#include <string>

#include "host/base/json_text.hpp"
#include "host/policy/layer.hpp"
#include "host/policy/profile.hpp"
#include "host/policy/yaml_document.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace toolhost::fuzz {
namespace {

using policy::YamlDocument;

bool is_utf8(std::string_view text) {
    return find_invalid_utf8(text) == std::string_view::npos;
}

void check_places(const YamlDocument& document) {
    for (const auto* map : {&document.places, &document.keys}) {
        for (const auto& [pointer, place] : *map) {
            must(document.value.contains(Json::json_pointer(pointer)), "a place is of a value");
            must(place.line >= 1 && place.column >= 1, "a place has a line and a column");
        }
    }
    must(document.places.size() <= policy::kMaxYamlNodes, "a document has a bound");
}

// JSON is YAML: a document written as JSON must parse to the same value.
void check_as_json(const YamlDocument& document) {
    const auto text = dump(document.value);
    // YAML refuses an unescaped DEL, which JSON does not escape.
    if (text.find('\x7f') != std::string::npos) return;
    const auto again = policy::parse_yaml(text, "again.yml");
    must(again.has_value() && again->value == document.value, "written as JSON, it is the same");
}

void check_yaml(std::string_view text) {
    const auto document = policy::parse_yaml(text, "input.yml");
    if (document) {
        check_places(*document);
        check_as_json(*document);
        return;
    }
    const policy::Fault& fault = document.error();
    must(!fault.sentence.empty() && is_utf8(fault.sentence), "a refusal is a text");
    must(fault.place.file == "input.yml" && fault.place.line >= 0, "a refusal has a place");
}

constexpr std::string_view kTool = R"({
  "name": "file_read", "family": "file_operations", "version": "1.2.0-rc.1",
  "description": "Reads.", "inputSchema": {"type": "object"},
  "policySchema": {"properties": {"maxBytes": {"type": "integer", "default": 5}}}
})";

const registry::ToolSpec& some_tool() {
    static const auto specs = registry::parse_spec(kTool, "file_operations");
    must(specs.has_value(), "the tool that profiles are tried on is one");
    return specs->at(0);
}

void check_profile(const policy::LayerPtr& layer) {
    // Merged with itself: the result is equal, except for lists that are appended.
    const policy::Profile profile({layer}), twice({layer, layer});
    for (const auto& [pointer, origin] : profile.document().origins()) {
        must(profile.merged().contains(Json::json_pointer(pointer)), "an origin is of a value");
        // Only built-in values have no position.
        must(origin.layer != layer.get() || !profile.origin(pointer).empty(),
             "a value has the place it came from");
    }
    const auto& tool = some_tool();
    const auto verdict = profile.judge(tool);
    must(verdict.allowed == verdict.rule.empty(), "a refusal names its rule");
    must(!(verdict.allowed && verdict.denied), "what is denied is not allowed");
    must(twice.judge(tool).allowed == verdict.allowed, "a profile over itself judges the same");
    const auto limits = profile.limits(tool);
    must(limits.timeout_ms >= 1 && limits.max_input_bytes >= 1 && limits.max_output_chars >= 1,
         "a setting is within its limits");
    must(twice.limits(tool).timeout_ms == limits.timeout_ms, "a profile over itself is the same");
    if (const auto own = profile.own_policy(tool))
        must(own->is_object() && own->at("maxBytes").is_number_integer(),
             "a tool's policy fits its schema");
}

}  // namespace
}  // namespace toolhost::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace toolhost;
    const auto text = fuzz::as_text(data, size);
    fuzz::check_yaml(text);
    if (const auto layer = policy::read_layer(text, "input.yml", "input")) {
        fuzz::check_profile(*layer);
    } else {
        fuzz::must(!layer.error().message.empty(), "a refusal says why");
        fuzz::must(fuzz::is_utf8(dump(to_json(layer.error()))), "a refusal is UTF-8");
    }
    return 0;
}
