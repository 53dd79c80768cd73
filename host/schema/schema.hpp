// JSON Schema, compiled once per spec, for nlohmann::json: draft 2020-12, and drafts 2019-09 and 7
// if `$schema` says so.
//
// Conventions
//  1. Schemas and values are untrusted. Every cost has a limit (see CompileOptions, kMaxValueDepth
//     and budget.hpp). Reaching one is an error with a message, never a hang or a crash.
//  2. `$ref` reaches the document itself, the meta-schemas and the DocumentStore. No file or
//     connection is ever opened.
//  3. Invalid data gives an error result or a list of issues, never an exception.
//  4. A compiled Schema is immutable and may be used from any number of threads.
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

// One problem of a value.
struct Issue {
    std::string pointer;  // JSON Pointer into the value; "" is the value itself
    std::string keyword;  // the rule as the schema spells it ("minimum")
    std::string message;  // one sentence, including the pointer
    Json details;         // {pointer, keyword, schemaPointer, expected, actual, type}
};

// Why a document is not a usable schema.
struct CompileError {
    std::string pointer;  // JSON Pointer into the schema document; "uri#pointer" in another one
    std::string message;  // one sentence, without the pointer
};

// Gives exceptions of boost::system::result::value() a readable message.
[[noreturn]] void throw_exception_from_error(const CompileError& error,
                                             const boost::source_location& where);

// Documents that `$ref` and `$schema` may refer to, besides the document itself and the
// meta-schemas.
struct DocumentStore {
    std::map<std::string, Json> documents;  // by URI, without a fragment
};

struct CompileOptions {
    bool assert_formats = false;  // otherwise `format` only annotates, as the drafts specify
    const DocumentStore* store = nullptr;             // used while compiling only
    Dialect default_dialect = Dialect::draft2020_12;  // without `$schema`
    std::size_t max_depth = 512;          // nesting of a schema document: the code that copies and
                                          // compares JSON recurses
    std::size_t max_subschemas = 100000;  // all documents together
    std::size_t max_pattern_bytes = 16384;
    // Limits the compiled patterns: `a{1,500}` takes kilobytes.
    std::size_t max_compiled_pattern_bytes = 32u << 20;
};

// Values nested deeper are refused, so that later code may recurse over them.
inline constexpr std::size_t kMaxValueDepth = 512;

// When the caller stops waiting for an evaluation, which also has a limit of its own.
struct EvaluationLimits {
    std::optional<std::chrono::steady_clock::time_point> deadline{};
    std::stop_token cancel{}, abandon{};  // either ends it

    [[nodiscard]] bool reached() const noexcept {
        return cancel.stop_requested() || abandon.stop_requested() ||
               (deadline && std::chrono::steady_clock::now() >= *deadline);
    }
};

// The keyword of the issue that reports this; the value was not fully checked.
inline constexpr const char* kStoppedKeyword = "stopped";

class Schema {
public:
    using Result = boost::system::result<Schema, CompileError>;

    [[nodiscard]] static Result compile(const Json& document, const CompileOptions& options = {});

    // Returns the problems of the value, at most `max_issues`. A valid value returns an empty list
    // and allocates nothing.
    [[nodiscard]] std::vector<Issue> validate(const Json& value, std::size_t max_issues = 10,
                                              const EvaluationLimits* limits = nullptr) const;

    // The same result without the issues.
    [[nodiscard]] bool valid(const Json& value, const EvaluationLimits* limits = nullptr) const;

    // The dialect of the document's root.
    [[nodiscard]] Dialect dialect() const noexcept;

private:
    explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

    std::shared_ptr<const Program> program_;
};

}  // namespace toolhost::schema
