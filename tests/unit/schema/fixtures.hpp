// Shared by the tests of the schema room.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "host/schema/schema.hpp"

namespace schema_test {

using toolhost::schema::CompileError;
using toolhost::schema::CompileOptions;
using toolhost::schema::Issue;
using toolhost::schema::Json;
using toolhost::schema::Schema;

inline Json json(const char* text) {
    return Json::parse(text);
}

inline Schema compile(const Json& document, const CompileOptions& options = {}) {
    return Schema::compile(document, options).value();
}
inline Schema compile(const char* text, const CompileOptions& options = {}) {
    return compile(json(text), options);
}

inline CompileError compile_error(const Json& document, const CompileOptions& options = {}) {
    const auto result = Schema::compile(document, options);
    REQUIRE_FALSE(result.has_value());
    return result.error();
}
inline CompileError compile_error(const char* text, const CompileOptions& options = {}) {
    return compile_error(json(text), options);
}

inline std::vector<std::string> messages(const Schema& schema, const Json& value) {
    std::vector<std::string> texts;
    for (const Issue& issue : schema.validate(value)) texts.push_back(issue.message);
    return texts;
}

// The message of the only issue.
inline std::string message(const char* schema, const Json& value) {
    const auto texts = messages(compile(schema), value);
    REQUIRE(texts.size() == 1);
    return texts[0];
}

inline bool valid(const char* schema, const Json& value) {
    return compile(schema).valid(value);
}

inline std::string repeat(const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

}  // namespace schema_test
