#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "json/document.hpp"
#include "json/query.hpp"
#include "tools.hpp"

namespace data_tools {
namespace {

using toolhost::Field;
using toolhost::Keyword;
using toolhost::MaxLength;

struct Input {
    Field<std::string, "The JSON text, at most 4 MiB.", MaxLength<4194304>> text;
    Field<std::optional<std::string>,
          "The part to return (default: the whole document). A JSON Pointer if it starts with '/' "
          "(/items/0/name), otherwise JMESPath: a.b[0], [-1], [1:3], items[*].name, [?price > "
          "`10`], [?name == 'x'], {id: id, n: name}, a || b, a | b, \"quoted key\", and the "
          "functions length keys values type sort reverse min max sum avg contains to_string "
          "to_number.",
          MaxLength<1000>, Keyword<"examples", R"(["/items/0/name", "items[?price > `10`].name"])">>
        query;
};

struct Output {
    Field<nlohmann::json, "The value, or the part selected by the query."> value;
    Field<std::string, "object, array, string, number, boolean or null."> type;
    Field<std::optional<std::vector<std::string>>,
          "Notes about the text: duplicate keys, rounded numbers, a query without a match.">
        notes;
};

toolhost::Reply parse(const Input& in, toolhost::Context& context) {
    auto parsed = json::parse_document(in.text);
    if (const auto* error = std::get_if<json::SyntaxError>(&parsed)) {
        context.fail("tool_failed", error->message());
    }
    auto& document = std::get<json::Document>(parsed);
    Output out;
    if (in.query) {
        auto part = json::run_query(*in.query, document.value);
        if (!part) throw toolhost::BadInput("/query", part.error());
        out.value = *std::move(part);
        if (out.value.get().is_null()) document.notes.emplace_back("the query's result is null");
    } else {
        out.value = std::move(document.value);
    }
    out.type = std::string(out.value.get().type_name());
    if (!document.notes.empty()) out.notes = std::optional(document.notes);
    return toolhost::Reply().json(out);
}

}  // namespace

toolhost::Tool parse_json() {
    return toolhost::tool<parse>(
               "parse_json",
               "Parses a JSON text and returns it, or the part selected by a query. Use it to "
               "check whether a text is valid JSON (errors have line, column and the text around "
               "them), and to extract values from a large document. Not for JSON5, YAML or JSON "
               "lines, nor for changing a document. It does not read files.")
        .title("Parse JSON")
        .version("1.0.0")
        .category("data")
        .needs({.read = false})
        .output<Output>()
        .hints({.read_only = true, .idempotent = true})
        .example({{"text", R"({"a": [1, 2, 3]})"}}, "The whole document.")
        .example({{"text", R"({"a": [1, 2, 3]})"}, {"query", "/a/0"}}, "By JSON Pointer: 1.")
        .example({{"text", R"({"items": [{"n": "x", "p": 5}, {"n": "y", "p": 20}]})"},
                  {"query", "items[?p > `10`].n"}},
                 "By JMESPath, with a filter: [\"y\"].");
}

}  // namespace data_tools
