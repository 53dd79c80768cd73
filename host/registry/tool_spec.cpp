#include "host/registry/tool_spec.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "host/base/json_text.hpp"
#include "host/base/suggest.hpp"
#include "host/registry/offers.hpp"
#include "host/registry/reference.hpp"
#include "host/registry/spec_keys.hpp"

namespace toolhost::registry {
namespace {

using Parsed = boost::system::result<ToolSpec, SpecFault>;

constexpr std::string_view kCommand = "command:";

// Specs are untrusted, and reading one costs the host time and memory.
constexpr std::size_t kMaxTools = 1000;
constexpr std::size_t kMaxKeys = 256;      // per tool; each unknown key is compared with all known
constexpr std::size_t kMaxExamples = 100;  // each is checked against the schema
constexpr std::size_t kMaxRequirements = 64;
constexpr std::size_t kMaxCommands = 32;       // per library; each may run a program for seconds
constexpr std::size_t kMaxSharedBytes = 4096;  // of unknown keys, which are copied to each tool

// Whether it is a valid file name of a program: "git", "g++", "python3.11".
bool is_plain_name(std::string_view name) {
    constexpr std::size_t kLongest = 255;  // NAME_MAX
    if (name.empty() || name.size() > kLongest || name == "." || name == "..") return false;
    return std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c > ' ' && c != '/' && c != 0x7f; });
}

// Reads a spec, one method per field. The first error ends it.
class Reader {
public:
    // `reserved`: a spec of the host, which may have a reserved name.
    explicit Reader(Json document, bool reserved = false)
        : json_(std::move(document)), reserved_(reserved) {}

    Parsed read(std::string_view default_family) {
        name();
        if (json_.size() > kMaxKeys)
            fail("spec_invalid", "the spec has " + std::to_string(json_.size()) +
                                     " keys; at most " + std::to_string(kMaxKeys) + " are allowed");
        if (fault_) return *fault_;
        if (auto fault = check_keys(json_, Level::tool); !fault.empty())
            fail("spec_invalid", fault);
        text("description", spec_.description, true);
        text("family", spec_.family, false);
        text("category", spec_.category, false);
        if (spec_.family.empty()) spec_.family = default_family;
        if (!fault_ && !is_valid_name(spec_.family))
            fail("name_invalid", "family '" + spec_.family + "' is not a valid name");
        version();
        deprecated();
        boolean("requiresConsent", spec_.requires_consent);
        boolean("stateful", spec_.stateful);
        timeout();
        requirements();
        at_most("examples", kMaxExamples);
        needs();
        for (const char* key : {"inputSchema", "outputSchema", "policySchema"}) schema(key);
        if (fault_) return *fault_;
        for (const char* hosts : {"library", "unusable", "quarantined"})
            json_.erase(hosts);  // keys that `list` adds
        json_["family"] = spec_.family;
        json_["version"] = spec_.version.text();
        spec_.document = SpecDocument(json_);
        return std::move(spec_);
    }

private:
    const Json* find(const char* key) const {
        auto it = json_.find(key);
        return it == json_.end() ? nullptr : &*it;
    }
    void fail(std::string_view reason, std::string message) {
        if (!fault_) fault_ = SpecFault{reason, subject() + std::move(message)};
    }
    void wrong(const char* key, const char* expected) {
        fail("spec_invalid", std::string("/") + key + " must be " + expected + ", but is " +
                                 json_[key].type_name());
    }
    std::string subject() const {
        return spec_.name.empty() || reserved_ ? "" : "tool '" + spec_.name + "': ";
    }

    void name() {
        const Json* name = find("name");
        if (!name) return fail("name_missing", "missing required field \"name\"");
        if (!reserved_ &&
            (!name->is_string() || !is_valid_name(name->get_ref<const std::string&>())))
            return fail("name_invalid", "the name " + dump(*name).substr(0, 80) +
                                            " is invalid: use 1 to 64 letters, digits, _ or -");
        spec_.name = name->get<std::string>();
    }

    void text(const char* key, std::string& out, bool required) {
        const Json* value = find(key);
        if (!value) {
            if (required)
                fail("spec_invalid", std::string("missing required field \"") + key + '"');
        } else if (value->is_string()) {
            out = value->get<std::string>();
        } else {
            wrong(key, "a string");
        }
    }

    void boolean(const char* key, bool& out) {
        const Json* value = find(key);
        if (!value) return;
        if (!value->is_boolean()) return wrong(key, "true or false");
        out = value->get<bool>();
    }

    void version() {
        const Json* value = find("version");
        if (!value) return;
        auto version = value->is_string() ? Version::parse(value->get_ref<const std::string&>())
                                          : std::nullopt;
        if (!version)
            return fail("spec_invalid", "/version " + dump(*value).substr(0, 80) +
                                            " is not a SemVer version such as \"1.0.0\"");
        spec_.version = *version;
    }

    void deprecated() {
        const Json* value = find("deprecated");
        if (!value) return;
        if (value->is_string())
            spec_.deprecated = value->get<std::string>();
        else if (!value->is_boolean())
            wrong("deprecated", "true or a string that says what to use instead");
        else if (value->get<bool>())
            spec_.deprecated = "";
    }

    void timeout() {
        const Json* value = find("timeoutMs");
        if (!value) return;
        if (!value->is_number_integer() || value->get<std::int64_t>() <= 0)
            return wrong("timeoutMs", "a positive integer");
        spec_.timeout_ms = value->get<std::int64_t>();
    }

    // Limits the number of entries of a list or an object.
    void at_most(const char* key, std::size_t most) {
        const Json* value = find(key);
        if (value && value->is_structured() && value->size() > most)
            fail("spec_invalid", std::string("/") + key + " has " + std::to_string(value->size()) +
                                     " entries; at most " + std::to_string(most) + " are allowed");
    }

    void requirements() {
        const Json* value = find("requires");
        if (!value) return;
        if (!value->is_object()) return wrong("requires", "an object");
        at_most("requires", kMaxRequirements);
        if (fault_) return;
        for (const auto& [what, range] : value->items()) {
            if (!range.is_string() || !VersionRange::parse(range.get_ref<const std::string&>()))
                return fail("spec_invalid", "/requires/" + what + " " + dump(range).substr(0, 80) +
                                                " is not a version range such as \">=1.0\"");
            if (what.starts_with(kCommand) && !is_plain_name(what.substr(kCommand.size())))
                return fail("spec_invalid",
                            "/requires: '" + what.substr(0, 80) +
                                "' must be the name of a command in PATH, without a slash");
            spec_.requirements[what] = range.get<std::string>();
        }
    }

    void needs() {
        const Json* value = find("needs");
        if (!value) return;
        if (!value->is_object()) return wrong("needs", "an object");
        for (const auto& [key, ignored] : value->items())
            if (auto fault = check_need(key); !fault.empty()) return fail("spec_invalid", fault);
        for (const auto& need : kNeeds) {
            auto it = value->find(need.name);
            if (it == value->end()) continue;
            if (!it->is_boolean())
                return fail("spec_invalid", "/needs/" + std::string(need.name) +
                                                " must be true or false, but is " +
                                                it->type_name());
            spec_.needs.*need.member = it->get<bool>();
        }
        if (auto it = value->find("tools"); it != value->end()) needed_tools(*it);
        if (auto it = value->find("optional"); it != value->end()) optional_needs(*it);
    }

    void needed_tools(const Json& value) {
        constexpr std::size_t kMax = 64;  // each is resolved at every nested call
        if (!value.is_array() || value.size() > kMax)
            return fail("spec_invalid", "/needs/tools must be a list of at most " +
                                            std::to_string(kMax) + " tool references");
        for (const auto& entry : value) {
            const auto at = "/needs/tools/" + std::to_string(spec_.needs.tools.size());
            if (!entry.is_string())
                return fail("spec_invalid", at + " must be a string, but is " + entry.type_name());
            if (auto reference = Reference::parse(entry.get_ref<const std::string&>()); !reference)
                return fail("spec_invalid", at + ": " + reference.error().message);
            spec_.needs.tools.push_back(entry.get<std::string>());
        }
    }

    // Reads which of the needs that require a grant the tool can run without.
    void optional_needs(const Json& names) {
        constexpr const char* kExpected =
            "/needs/optional must list needs of this tool: network, write or exec";
        if (!names.is_array()) return fail("spec_invalid", kExpected);
        const auto& needs = spec_.needs;
        for (const auto& name : names) {
            const bool asked = std::ranges::any_of(kNeeds, [&](const NeedInfo& need) {
                return need.is_granted && name == need.name && needs.*need.member;
            });
            if (!asked)
                return fail("spec_invalid", std::string(kExpected) + "; " +
                                                dump(name).substr(0, 80) + " is not one");
            spec_.needs.optional.push_back(name.get<std::string>());
        }
    }

    // Checks only the type: the schema room validates schemas.
    void schema(const char* key) {
        const bool is_input = std::string_view(key) == "inputSchema";
        auto it = json_.find(key);
        if (it == json_.end()) {
            if (is_input) fail("input_schema_missing", "missing required field \"inputSchema\"");
            return;
        }
        if (it->is_object() && it->size() == 1 && it->contains("json")) *it = Json((*it)["json"]);
        if (!it->is_object())
            fail(is_input                                  ? "input_schema_invalid"
                 : std::string_view(key) == "outputSchema" ? "output_schema_invalid"
                                                           : "spec_invalid",
                 std::string("/") + key + " must be an object, but is " + it->type_name());
    }

    Json json_;
    const bool reserved_;
    ToolSpec spec_;
    std::optional<SpecFault> fault_;
};

// Copies unknown keys beside "tools" to each tool, with which they are displayed. Returns the first
// problem, or an empty string.
std::string keep_unknown_keys(const Json& document, Json& tools) {
    const auto keys = unknown_keys_of(document);
    std::size_t bytes = 0;
    for (const auto& key : keys) bytes += key.size() + dump(document[key]).size();
    if (bytes > kMaxSharedBytes)
        return "unknown keys beside \"tools\" have " + std::to_string(bytes) + " bytes; at most " +
               std::to_string(kMaxSharedBytes) + " are allowed";
    for (const auto& key : keys)
        for (auto& tool : tools)
            if (tool.is_object() && !tool.contains(key)) tool[key] = document[key];
    return "";
}

// Limits the number of different commands that the tools of a library require.
std::string check_commands(const std::vector<ToolSpec>& specs) {
    std::set<std::string_view> commands;
    for (const auto& spec : specs)
        for (const auto& [what, range] : spec.requirements)
            if (what.starts_with(kCommand)) commands.insert(what);
    if (commands.size() <= kMaxCommands) return "";
    return "the tools require " + std::to_string(commands.size()) +
           " different commands; at most " + std::to_string(kMaxCommands) +
           " are allowed in a library";
}

}  // namespace

std::vector<std::string> ToolSpec::unknown_keys() const {
    return unknown_keys_of(json());
}

boost::system::result<std::vector<ToolSpec>, SpecFault> read_spec(Json document,
                                                                  std::string_view library_name) {
    if (!document.is_object()) return SpecFault{"spec_not_json", "the spec must be a JSON object"};
    if (document.size() > kMaxKeys)
        return SpecFault{"spec_invalid", "the spec has " + std::to_string(document.size()) +
                                             " keys; at most " + std::to_string(kMaxKeys) +
                                             " are allowed"};
    const bool offers = has_offers(document);
    if (document.contains("tools"))
        if (auto fault = check_keys(document, offers ? Level::offers : Level::family);
            !fault.empty())
            return SpecFault{"spec_invalid", fault};
    auto hidden = take_offers(document);
    if (!hidden) return hidden.error();
    std::string family(library_name);
    if (auto f = document.find("family"); f != document.end()) {
        if (!f->is_string()) return SpecFault{"spec_invalid", "/family must be a string"};
        if (!f->get_ref<const std::string&>().empty()) family = f->get<std::string>();
    }
    Json tools = Json::array();
    if (auto it = document.find("tools"); it != document.end()) {
        if (!it->is_array() || (it->empty() && !offers))
            return SpecFault{"spec_invalid", "/tools must be an array of at least one tool"};
        tools = std::move(*it);
        if (tools.size() > kMaxTools)
            return SpecFault{"spec_invalid", "/tools has " + std::to_string(tools.size()) +
                                                 " tools; at most " + std::to_string(kMaxTools) +
                                                 " are allowed in a library"};
        if (auto fault = keep_unknown_keys(document, tools); !fault.empty())
            return SpecFault{"spec_invalid", fault};
    } else if (!offers || document.contains("name")) {
        tools.push_back(std::move(document));
    }

    std::vector<ToolSpec> specs;
    std::map<std::string, std::string> names;  // canonical name to the name as written
    for (auto& tool : tools) {
        if (!tool.is_object())
            return SpecFault{"spec_invalid",
                             "/tools/" + std::to_string(specs.size()) + " must be an object"};
        auto spec = Reader(std::move(tool)).read(family);
        if (!spec) return spec.error();
        const auto [other, is_new] = names.emplace(canonical_name(spec->name), spec->name);
        if (!is_new)
            return SpecFault{"name_duplicate", "the library has two tools named '" + other->second +
                                                   "' and '" + spec->name + "'"};
        specs.push_back(*std::move(spec));
    }
    for (auto& offered : *hidden) {
        auto spec = Reader(std::move(offered), true).read(family);
        if (!spec) return spec.error();
        specs.push_back(*std::move(spec));
    }
    if (auto fault = check_commands(specs); !fault.empty()) return SpecFault{"spec_invalid", fault};
    return specs;
}

boost::system::result<std::vector<ToolSpec>, SpecFault> parse_spec(std::string_view text,
                                                                   std::string_view library_name) {
    auto document = parse_json(text);
    if (!document) {
        bool utf8 = document.error().kind != JsonFault::Kind::not_utf8;
        return SpecFault{utf8 ? "spec_not_json" : "spec_not_utf8",
                         "the spec, " + document.error().message};
    }
    auto specs = read_spec(*std::move(document), library_name);
    if (!specs) return specs;
    auto orders = field_orders(text);
    for (std::size_t i = 0; i < orders.size() && i < specs->size(); ++i)
        if (!(*specs)[i].hidden()) (*specs)[i].field_order = std::move(orders[i]);
    return specs;
}

}  // namespace toolhost::registry
