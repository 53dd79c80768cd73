#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "host/schema/schema.hpp"
#include "tests/bench/bench.hpp"

namespace toolhost::bench {
namespace {

using schema::Json;
using Clock = std::chrono::steady_clock;

// A schema that both libraries support (draft 7), a valid value and an almost valid one.
struct Case {
    const char* name;
    Json schema, good, bad;
};

Case small_case() {
    Case one{"small",
             Json::parse(R"({
      "$schema": "http://json-schema.org/draft-07/schema#",
      "type": "object",
      "properties": {
        "path": {"type": "string", "minLength": 1, "description": "where to look"},
        "query": {"type": "string", "minLength": 1, "maxLength": 200},
        "mode": {"type": "string", "enum": ["text", "regex", "glob"]},
        "recursive": {"type": "boolean", "default": true},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
        "types": {"type": "array", "items": {"type": "string"}, "maxItems": 16}
      },
      "required": ["path", "query"],
      "additionalProperties": false
    })"),
             Json::parse(R"({"path": "src/main", "query": "find me", "mode": "regex",
                             "recursive": true, "limit": 50, "types": ["cpp", "hpp", "md"]})"),
             {}};
    one.bad = one.good;
    one.bad["types"][2] = 5;
    return one;
}

// An order book as a shop would export it. Neither library checks its formats.
constexpr const char* kOrdersSchema = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "definitions": {
    "money": {
      "type": "object",
      "properties": {
        "amount": {"type": "number", "minimum": 0},
        "currency": {"enum": ["EUR", "USD", "GBP", "CHF", "SEK"]}
      },
      "required": ["amount", "currency"],
      "additionalProperties": false
    },
    "address": {
      "type": "object",
      "properties": {
        "street": {"type": "string", "minLength": 1, "maxLength": 120},
        "city": {"type": "string", "minLength": 1},
        "postcode": {"type": "string", "pattern": "^[0-9]{5}$"},
        "country": {"type": "string", "minLength": 2, "maxLength": 2}
      },
      "required": ["street", "city", "country"]
    },
    "line": {
      "type": "object",
      "properties": {
        "sku": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
        "title": {"type": "string", "maxLength": 200},
        "quantity": {"type": "integer", "minimum": 1, "exclusiveMaximum": 1000},
        "price": {"$ref": "#/definitions/money"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
      },
      "required": ["sku", "quantity", "price"],
      "additionalProperties": false
    },
    "payment": {
      "anyOf": [
        {"type": "object", "properties": {"card": {"type": "string", "pattern": "^[0-9]{4}$"}},
         "required": ["card"]},
        {"type": "object", "properties": {"iban": {"type": "string", "minLength": 15}},
         "required": ["iban"]}
      ]
    }
  },
  "type": "object",
  "properties": {
    "shop": {"type": "string", "format": "uri"},
    "orders": {
      "type": "array",
      "minItems": 1,
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "string", "format": "uuid", "minLength": 36},
          "status": {"enum": ["new", "paid", "packed", "sent", "returned"]},
          "customer": {
            "type": "object",
            "properties": {
              "name": {"type": "string", "minLength": 1},
              "email": {"type": "string", "format": "email"},
              "newsletter": {"type": ["boolean", "null"]}
            },
            "required": ["name"]
          },
          "ship_to": {"$ref": "#/definitions/address"},
          "bill_to": {"$ref": "#/definitions/address"},
          "payment": {"$ref": "#/definitions/payment"},
          "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/line"}},
          "total": {"$ref": "#/definitions/money"}
        },
        "required": ["id", "status", "ship_to", "lines", "total"]
      }
    }
  },
  "required": ["shop", "orders"]
})";

Json make_line(int order, int line) {
    char sku[16];
    std::snprintf(sku, sizeof sku, "AB-%04d", order * 10 + line);
    return {{"sku", sku},
            {"title", "Spare part number " + std::to_string(line)},
            {"quantity", line + 1},
            {"price", {{"amount", 9.5 * (line + 1)}, {"currency", "EUR"}}},
            {"tags", {"metal", "small", "in stock"}}};
}

Json make_order(int order) {
    static constexpr const char* kStatus[] = {"new", "paid", "packed", "sent", "returned"};
    char id[40];
    std::snprintf(id, sizeof id, "7d444840-9dc0-11d1-b245-%012d", order);
    const Json address = {{"street", "Long Street " + std::to_string(order)},
                          {"city", "Springfield"},
                          {"postcode", std::to_string(10000 + order)},
                          {"country", "DE"}};
    Json lines = Json::array();
    for (int line = 0; line < 6; ++line) lines.push_back(make_line(order, line));
    return {{"id", id},
            {"status", kStatus[order % 5]},
            {"customer",
             {{"name", "Customer " + std::to_string(order)},
              {"email", "someone" + std::to_string(order) + "@example.com"},
              {"newsletter", order % 2 ? Json(true) : Json(nullptr)}}},
            {"ship_to", address},
            {"bill_to", address},
            {"payment", order % 2 ? Json{{"card", "4242"}} : Json{{"iban", "DE02120300000000202"}}},
            {"lines", std::move(lines)},
            {"total", {{"amount", 199.5}, {"currency", "EUR"}}}};
}

Case large_case() {
    Case one{"large", Json::parse(kOrdersSchema), {}, {}};
    one.good = {{"shop", "https://shop.example.com/"}, {"orders", Json::array()}};
    for (int order = 0; order < 60; ++order) one.good["orders"].push_back(make_order(order));
    one.bad = one.good;
    one.bad["orders"][59]["lines"][5]["price"]["currency"] = "XXX";
    if (one.good.dump().size() < 50'000) throw std::logic_error("the large value is not large");
    return one;
}

void remove_patterns(Json& document) {
    if (document.is_object()) document.erase("pattern");
    for (auto& part : document)
        if (part.is_structured()) remove_patterns(part);
}

// valijson uses std::regex for patterns, which is slow; without patterns only the libraries are
// compared.
Case large_case_without_patterns() {
    Case one = large_case();
    one.name = "large, no patterns";
    remove_patterns(one.schema);
    return one;
}

// valijson's objects, created once, as for speed: its validator caches compiled patterns, and
// without a list of results it stops at the first error.
class Valijson {
public:
    explicit Valijson(const Json& document) {
        valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
        parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema_);
    }
    bool accepts(const Json& value) {
        return validator_.validate(schema_, valijson::adapters::NlohmannJsonAdapter(value),
                                   nullptr);
    }

private:
    valijson::Schema schema_;
    valijson::Validator validator_;
};

// Nanoseconds per call.
template <class Call>
double time_of(int count, Call call) {
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i)
        if (!call()) throw std::runtime_error("a valid value was refused");
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / count;
}

void bench_case(const Case& one) {
    const auto ours = schema::Schema::compile(one.schema).value();
    Valijson theirs(one.schema);
    const auto call_ours = [&] { return ours.validate(one.good).empty(); };
    const auto call_theirs = [&] { return theirs.accepts(one.good); };
    if (!call_ours() || !call_theirs() || ours.validate(one.bad).empty() || theirs.accepts(one.bad))
        throw std::runtime_error(std::string("the libraries disagree: ") + one.name);
    // Takes turns, so that a slower machine affects both; rounds of about 20 ms.
    const int few = std::max(1, static_cast<int>(20e6 / time_of(3, call_theirs)));
    const int many = std::max(1, static_cast<int>(20e6 / time_of(10, call_ours)));
    std::vector<double> our_times, their_times;
    for (int round = 0; round < 15; ++round) {
        our_times.push_back(time_of(many, call_ours));
        their_times.push_back(time_of(few, call_theirs));
    }
    const double a = median(our_times), b = median(their_times);
    std::printf("%-20s %9zu %12.0f %12.0f %8.1f\n", one.name, one.good.dump().size(), a, b, b / a);
}

}  // namespace

void bench_schema() {
    std::printf(
        "Schema validation of a valid value, parsed before: ours (validate) beside valijson's.\n"
        "%-20s %9s %12s %12s %8s\n",
        "value", "bytes", "ours ns", "valijson ns", "ratio");
    for (const Case& one : {small_case(), large_case(), large_case_without_patterns()})
        bench_case(one);
    std::printf("ratio: how many times faster ours is; the goal is 5 for small and large\n\n");
}

}  // namespace toolhost::bench
