// JSON Schema, compiled once per spec, over nlohmann::json: draft 2020-12, and draft 2019-09 and
// draft 7 where `$schema` says so.
//
// Conventions
//  1. Schemas and values come from strangers. Every cost has a limit (see CompileOptions,
//     kMaxValueDepth and budget.hpp); reaching one is an error with a text, never a hang or a
//     crash.
//  2. `$ref` reaches the document itself, the meta-schemas and the DocumentStore. Nothing here
//     opens a file or a connection.
//  3. What can fail by data is a result or a list; nothing here throws for it.
//  4. A compiled Schema is immutable: use one from as many threads as you like.
#pragma once

#include <boost/system/result.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace toolhost::schema {

using Json = nlohmann::json;

struct Program;  // the compiled form; program.hpp

enum class Dialect { draft7, draft2019_09, draft2020_12 };

// One thing that is wrong with a value.
struct Issue {
    std::string pointer;  // JSON Pointer into the value; "" is the value itself
    std::string keyword;  // the rule, as the schema spells it ("minimum")
    std::string message;  // one sentence to act on, the pointer included
    Json details;         // {pointer, keyword, schemaPointer, expected, actual, type}
};

// Why a document is not a usable schema.
struct CompileError {
    std::string pointer;  // JSON Pointer into the schema document; "uri#pointer" in another one
    std::string message;  // one sentence, the pointer not included
};

// Lets boost::system::result::value() throw something readable.
[[noreturn]] void throw_exception_from_error(const CompileError& error,
                                             const boost::source_location& where);

// What `$ref` and `$schema` may reach besides the document itself and the meta-schemas.
struct DocumentStore {
    std::map<std::string, Json> documents;  // by URI, without a fragment
};

struct CompileOptions {
    bool assert_formats = false;           // else `format` only annotates, as the drafts say
    const DocumentStore* store = nullptr;  // used while compiling only
    Dialect default_dialect = Dialect::draft2020_12;  // where there is no `$schema`
    std::size_t max_depth = 512;          // nesting of a schema document: the code that copies and
                                          // compares JSON recurses
    std::size_t max_subschemas = 100000;  // all documents together
    std::size_t max_pattern_bytes = 16384;
    // All patterns, compiled: `a{1,500}` in a few bytes of text takes kilobytes.
    std::size_t max_compiled_pattern_bytes = 32u << 20;
};

// Deeper values are refused whole, so that code behind the check may recurse over them.
inline constexpr std::size_t kMaxValueDepth = 512;

// Until when the caller waits for an evaluation, which has a limit of its own besides.
struct EvaluationLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::stop_token cancel{}, abandon{};  // either ends it

    [[nodiscard]] bool reached() const noexcept {
        return cancel.stop_requested() || abandon.stop_requested() ||
               (deadline && std::chrono::steady_clock::now() >= *deadline);
    }
};

// The keyword of the issue that says so: the value was not judged.
inline constexpr const char* kStoppedKeyword = "stopped";

class Schema {
public:
    using Result = boost::system::result<Schema, CompileError>;

    [[nodiscard]] static Result compile(const Json& document, const CompileOptions& options = {});

    // What is wrong with the value, at most `max_issues` of it; empty: valid, and nothing was
    // allocated.
    [[nodiscard]] std::vector<Issue> validate(const Json& value, std::size_t max_issues = 10,
                                              const EvaluationLimits* limits = nullptr) const;

    // The same answer without the explanation.
    [[nodiscard]] bool valid(const Json& value, const EvaluationLimits* limits = nullptr) const;

    // The dialect of the document's root.
    [[nodiscard]] Dialect dialect() const noexcept;

private:
    explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    std::shared_ptr<const Program> program_;
};

}  // namespace toolhost::schema
