// Schemas from plugin authors, values from models. An input is lines of JSON text: the schema, then
// values.
#include <algorithm>
#include <string>
#include <vector>

#include "host/base/json_text.hpp"
#include "host/schema/coerce.hpp"
#include "host/schema/defaults.hpp"
#include "host/schema/normalize.hpp"
#include "host/schema/schema.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace toolhost::fuzz {
namespace {

using schema::Issue;
using schema::Json;
using schema::Schema;

constexpr std::size_t max_values = 4;
constexpr std::size_t max_issues = 10;

// The lines that are JSON; the first one must be valid.
std::vector<Json> read_lines(std::string_view text) {
    std::vector<Json> lines;
    while (lines.size() <= max_values) {
        const auto end = text.find('\n');
        if (auto line = parse_json(text.substr(0, end)))
            lines.push_back(*std::move(line));
        else if (lines.empty())
            break;
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

bool is_utf8(std::string_view text) {
    return find_invalid_utf8(text) == std::string_view::npos;
}

bool same(const std::vector<Issue>& a, const std::vector<Issue>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Issue& x, const Issue& y) {
        return x.message == y.message && x.details == y.details;
    });
}

void check_issues(const Json& value, const std::vector<Issue>& issues) {
    must(issues.size() <= max_issues, "no more issues than were asked for");
    for (const Issue& issue : issues) {
        must(value.contains(Json::json_pointer(issue.pointer)), "an issue points into the value");
        must(!issue.keyword.empty() && !issue.message.empty(), "an issue has a rule and a text");
        must(is_utf8(issue.message), "an issue's text is UTF-8");
        must(!issue.details.dump().empty(), "an issue's details are JSON");
    }
}

void check_value(const Schema& one, const Schema& other, const Json& value) {
    const auto issues = one.validate(value, max_issues);
    check_issues(value, issues);
    must(one.valid(value) == issues.empty(), "valid() and validate() agree");
    must(same(issues, other.validate(value, max_issues)), "a schema compiled twice says the same");
    must(issues.empty() == one.validate(value, 1).empty(), "one issue or ten, the same verdict");
}

// Whether everything in `before` is in `after`.
bool keeps(const Json& before, const Json& after) {
    if (before.is_object() && after.is_object()) {
        for (const auto& [name, member] : before.items())
            if (!after.contains(name) || !keeps(member, after.at(name))) return false;
        return true;
    }
    if (before.is_array() && after.is_array() && before.size() == after.size()) {
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!keeps(before[i], after[i])) return false;
        return true;
    }
    return before == after;
}

void check_changes(const Json& document, const Json& value) {
    Json filled = value;
    if (schema::fill_defaults(document, filled))
        must(keeps(value, filled), "defaults change nothing that is there");
    Json coerced = value;
    for (const auto& pointer : schema::coerce(document, coerced))
        must(coerced.contains(Json::json_pointer(pointer)), "what was coerced is in the value");
    Json again = coerced;
    must(schema::coerce(document, again).empty() && again == coerced, "coerced is coerced");
}

void check_schema(const Json& document, const std::vector<Json>& lines) {
    schema::CompileOptions options;
    options.assert_formats = true;
    const auto one = Schema::compile(document, options), other = Schema::compile(document, options);
    must(one.has_value() == other.has_value(), "a schema compiles twice or never");
    if (!one) {
        must(one.error().message == other.error().message, "the refusal is the same twice");
        must(!one.error().message.empty() && is_utf8(one.error().message), "a refusal is a text");
        return;
    }
    must(one->dialect() == other->dialect(), "a schema has one dialect");
    for (std::size_t i = 1; i < lines.size(); ++i) check_value(*one, *other, lines[i]);
}

}  // namespace
}  // namespace toolhost::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace toolhost;
    const auto lines = fuzz::read_lines(fuzz::as_text(data, size));
    if (lines.empty()) return 0;
    const auto normal = schema::normalize(lines[0]);
    // Only the outermost wrapper is removed.
    const bool wrapped = lines[0].is_object() && lines[0].contains("json");
    fuzz::must(wrapped || schema::normalize(normal) == normal, "normal is normal");
    fuzz::check_schema(lines[0], lines);
    // Unchecked schemas must be harmless for these functions too.
    for (std::size_t i = 1; i < lines.size(); ++i) fuzz::check_changes(normal, lines[i]);
    return 0;
}
