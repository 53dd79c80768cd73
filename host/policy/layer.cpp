#include "host/policy/layer.hpp"

#include <algorithm>
#include <stdexcept>

#include "host/base/glob.hpp"
#include "host/policy/checked_yaml.hpp"
#include "host/policy/grants.hpp"
#include "host/policy/protected_paths.hpp"
#include "host/policy/tool_pattern.hpp"

namespace toolhost::policy {
namespace {

constexpr std::string_view kForms =
    "use NAME, native:NAME, native:FAMILY.NAME or NAME@VERSION, "
    "with * ? [a-z] in names";

class PatternCheck {
public:
    explicit PatternCheck(const YamlDocument& document) : document_(document) {}

    void list(const char* key) {
        const auto* entries = find(std::string("/tools/") + key);
        if (!entries) return;
        for (std::size_t i = 0; i < entries->size(); ++i) {
            const auto pointer = std::string("/tools/") + key + '/' + std::to_string(i);
            tool((*entries)[i].get<std::string>(), pointer, document_.place(pointer));
        }
    }

    void policies() {
        const auto* entries = find("/policies");
        if (!entries) return;
        for (const auto& [key, ignored] : entries->items()) {
            const auto pointer = "/policies" + pointer_step(key);
            tool(key, pointer, document_.key_place(pointer));
        }
    }

    void redact() {
        const auto* entries = find("/redact");
        if (!entries) return;
        for (std::size_t i = 0; i < entries->size(); ++i) {
            const auto text = (*entries)[i].get<std::string>();
            const auto pointer = "/redact/" + std::to_string(i);
            const auto why = text.starts_with('/') ? wrong_in_pointer(text) : wrong_in_glob(text);
            if (!why.empty())
                faults_.push_back(
                    {document_.place(pointer),
                     in_quotes(text) + " is neither a field's name nor a JSON Pointer: " + why,
                     pointer});
        }
    }

    void unprotect() {
        const auto* entries = find("/unprotect");
        if (!entries) return;
        for (std::size_t i = 0; i < entries->size(); ++i) {
            const auto pointer = "/unprotect/" + std::to_string(i);
            auto wrong = wrong_unprotect((*entries)[i].get<std::string>());
            if (!wrong.empty())
                faults_.push_back({document_.place(pointer), std::move(wrong), pointer});
        }
    }

    std::vector<Fault> take() { return std::move(faults_); }

private:
    [[nodiscard]] const Json* find(const std::string& pointer) const {
        const Json::json_pointer at(pointer);
        return document_.value.contains(at) ? &document_.value.at(at) : nullptr;
    }

    void tool(const std::string& text, const std::string& pointer, const Place& place) {
        auto pattern = ToolPattern::parse(text);
        if (!pattern)
            faults_.push_back({place,
                               in_quotes(text) + " is not a tool pattern: " + pattern.error() +
                                   "; " + std::string(kForms),
                               pointer});
    }

    static std::string wrong_in_glob(std::string text) {
        // Fields are compared in lower case, which may reverse a range.
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        auto glob = Glob::parse(text);
        return glob ? "" : glob.error();
    }

    static std::string wrong_in_pointer(const std::string& text) {
        for (auto at = text.find('~'); at != std::string::npos; at = text.find('~', at + 1))
            if (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1'))
                return "~ must be written as ~0, and / as ~1";
        return "";
    }

    const YamlDocument& document_;
    std::vector<Fault> faults_;
};

LayerPtr layer_of(YamlDocument document, const std::string& file, const std::string& name) {
    auto layer = std::make_shared<Layer>();
    layer->document = std::move(document);
    auto& value = layer->document.value;
    if (!value.contains("name")) {
        value["name"] = name;
        layer->document.places["/name"] = {file, 0, 0};
    }
    layer->name = value["name"].get<std::string>();
    return layer;
}

}  // namespace

Result<LayerPtr> read_layer(std::string_view text, const std::string& file,
                            const std::string& name) {
    auto document = parse_yaml(text, file);
    if (!document) return to_error({document.error()});
    auto faults = check_yaml(*document, embedded_schema("profile.schema.json"));
    if (faults.empty()) {  // then all patterns are strings
        PatternCheck check(*document);
        check.list("allow");
        check.list("deny");
        check.policies();
        check.redact();
        check.unprotect();
        faults = check.take();
        for (auto& fault : check_grants(*document)) faults.push_back(std::move(fault));
    }
    if (!faults.empty()) return to_error(faults);
    return layer_of(std::move(*document), file, name);
}

LayerPtr read_shipped_layer(std::string_view text, const std::string& file,
                            const std::string& name) {
    auto document = parse_yaml(text, file);
    if (!document) throw std::logic_error(file + ": " + document.error().sentence);
    return layer_of(std::move(*document), file, name);
}

}  // namespace toolhost::policy
