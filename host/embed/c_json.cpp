#include "host/embed/c_json.hpp"

#include <cstdlib>
#include <map>

#include "host/base/json_text.hpp"

namespace toolhost::embed {
namespace {

using Json = nlohmann::json;

// Reads the fields of an object, each at most once. Keeps the first error.
class Fields {
public:
    Fields(Json object, std::string name) : object_(std::move(object)), name_(std::move(name)) {
        if (!object_.is_object()) fail("must be a JSON object");
    }

    void text(const char* key, std::string& out) {
        take(key, "a string", &Json::is_string,
             [&](Json& value) { out = std::move(value.get_ref<std::string&>()); });
    }
    void flag(const char* key, bool& out) {
        take(key, "true or false", &Json::is_boolean,
             [&](Json& value) { out = value.get<bool>(); });
    }
    void texts(const char* key, std::vector<std::string>& out) {
        take(key, "an array of strings", &Json::is_array, [&](Json& values) {
            for (auto& value : values) {
                if (!value.is_string()) return fail(at(key) + " must be an array of strings");
                out.push_back(std::move(value.get_ref<std::string&>()));
            }
        });
    }
    template <class Milliseconds>
    void milliseconds(const char* key, Milliseconds& out) {
        take(key, "a number of milliseconds", &Json::is_number_integer, [&](Json& value) {
            constexpr std::int64_t kMax = 365LL * 24 * 3600 * 1000;
            const auto given =
                value.is_number_unsigned() && value > kMax ? kMax : value.get<std::int64_t>();
            if (given <= 0) return fail(at(key) + " must be positive");
            out = std::chrono::milliseconds(std::min(given, kMax));
        });
    }
    void value(const char* key, Json& out) {
        take(key, "JSON", &is_anything, [&](Json& value) { out = std::move(value); });
    }

    // Must be called after all fields were read: the remaining ones are unknown.
    [[nodiscard]] HostResult<> finish() {
        if (fault_.empty() && !object_.empty())
            fail("has the unknown field \"" + object_.begin().key() + '"');
        if (fault_.empty()) return {};
        return bad_argument(name_ + ' ' + fault_);
    }

private:
    static bool is_anything(const Json&) { return true; }
    static std::string at(const char* key) { return std::string("field \"") + key + '"'; }

    void fail(std::string fault) {
        if (fault_.empty()) fault_ = std::move(fault);
        object_ = Json::object();
    }

    template <class Check, class Use>
    void take(const char* key, const char* expected, Check check, Use use) {
        const auto it = object_.find(key);
        if (it == object_.end()) return;
        auto value = std::move(*it);
        object_.erase(it);
        if (!std::invoke(check, value))
            return fail(at(key) + " must be " + expected + ", but is " + value.type_name());
        use(value);
    }

    Json object_;
    const std::string name_;
    std::string fault_;
};

}  // namespace

HostError bad_argument(std::string message) {
    return {"invalid_input", std::move(message)};
}

Json json_of(const HostError& error) {
    Json out{{"code", error.code}, {"message", error.message}};
    if (!error.details.is_null()) out["details"] = error.details;
    return out;
}

HostResult<std::string> read_text(const char* text, const char* name) {
    if (!text) return bad_argument(std::string(name) + " is NULL");
    if (find_invalid_utf8(text) != std::string_view::npos)
        return bad_argument(std::string(name) + " is not UTF-8");
    return std::string(text);
}

HostResult<Json> read_json(const char* text, const char* name) {
    if (!text) return bad_argument(std::string(name) + " is NULL");
    auto value = parse_json(text);
    if (!value) return bad_argument(std::string(name) + ": " + value.error().message);
    return *std::move(value);
}

HostResult<HostOptions> read_options(const char* text) {
    auto given = text ? read_json(text, "options") : Json::object();
    if (!given) return given.error();
    HostOptions out;
    Fields fields(*std::move(given), "options");
    fields.texts("plugins", out.plugins);
    fields.texts("onlyPlugins", out.only_plugins);
    fields.text("config", out.config);
    fields.text("profile", out.profile);
    fields.text("program", out.program);
    fields.text("events", out.events);
    fields.texts("ownFiles", out.own_files);
    fields.milliseconds("probeTimeoutMs", out.probe_timeout);
    fields.flag("useCache", out.use_cache);
    if (auto done = fields.finish(); !done) return done.error();
    return out;
}

HostResult<CallRequest> read_request(const char* text) {
    auto given = read_json(text, "request");
    if (!given) return given.error();
    CallRequest out;
    Fields fields(*std::move(given), "request");
    fields.text("tool", out.tool);
    fields.value("input", out.input);
    fields.text("toolUseId", out.tool_use_id);
    fields.text("profile", out.profile);
    fields.text("principal", out.principal);
    fields.text("caller", out.caller);
    fields.value("state", out.state);
    fields.milliseconds("timeoutMs", out.timeout);
    fields.flag("consented", out.consented);
    if (auto done = fields.finish(); !done) return done.error();
    return out;
}

void give(const std::string& text, char** out) {
    if (!out) return;
    *out = static_cast<char*>(std::malloc(text.size() + 1));
    if (*out) std::memcpy(*out, text.c_str(), text.size() + 1);
}

}  // namespace toolhost::embed
