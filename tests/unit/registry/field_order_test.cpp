#include "host/registry/field_order.hpp"

#include "host/registry/tool_spec.hpp"
#include "tests/unit/doctest.hpp"

using namespace toolhost;
using namespace toolhost::registry;

TEST_CASE("fields keep the order in which their author wrote them") {
    auto specs = parse_spec(R"({"name": "t", "description": "d",
        "outputSchema": {"type": "object", "properties": {"path": {}, "bytes": {}}},
        "inputSchema": {"type": "object", "required": ["z"], "properties": {
            "z": {"type": "object", "properties": {"inner": {}}},
            "properties": {"type": "object", "additionalProperties": true},
            "path": {}, "a": {"enum": ["x"]}}}})",
                            "lib");
    REQUIRE(specs);
    CHECK((*specs)[0].field_order == FieldOrder{"z", "inner", "properties", "path", "a", "bytes"});
}

TEST_CASE("each tool of a family has its own order") {
    auto specs = parse_spec(R"({"family": "f", "tools": [
        {"name": "a", "description": "d", "inputSchema": {"json": {"properties": {"y": {}, "x": {}}}}},
        {"name": "b", "description": "d", "inputSchema": {"type": "object"}},
        {"name": "c", "description": "d", "inputSchema": {"$ref": "#/$defs/C",
            "$defs": {"C": {"properties": {"2": {}, "1": {}}}}}}]})",
                            "lib");
    REQUIRE(specs);
    CHECK((*specs)[0].field_order == FieldOrder{"y", "x"});
    CHECK((*specs)[1].field_order.empty());
    CHECK((*specs)[2].field_order == FieldOrder{"2", "1"});
}

TEST_CASE("an order is limited in size") {
    std::string text = R"({"inputSchema":{"properties":{)";
    for (int i = 0; i < 2000; ++i) text += (i ? ",\"f" : "\"f") + std::to_string(i) + "\":{}";
    text += ",\"" + std::string(300, 'n') + "\":{}}}}";
    const auto orders = field_orders(text);
    REQUIRE(orders.size() == 1);
    CHECK(orders[0].size() == 512);
    CHECK(field_orders("{").empty());
    CHECK(field_orders("[]").empty());
}

TEST_CASE("names in an order come first, then the others") {
    std::vector<std::string> names{"b", "a", "path", "content"};
    sort_fields(names, {"path", "content"});
    CHECK(names == std::vector<std::string>{"path", "content", "a", "b"});
}
