#include "host/serve/methods.hpp"

#include <algorithm>

#include "tests/unit/doc_page.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/serve/stage.hpp"

using namespace toolhost;
using namespace toolhost::serve;

namespace {

// "resources/*" lists all methods of that name.
bool lists(const std::string& listed, std::string_view method) {
    return listed.ends_with("/*") ? method.starts_with(listed.substr(0, listed.size() - 1))
                                  : listed == method;
}

}  // namespace

TEST_CASE("docs/serving.md lists exactly the methods") {
    const auto listed = test::listed_names("serving.md", "### Methods");
    for (const auto& method : method_table()) {
        CAPTURE(method.name);
        CHECK(std::ranges::any_of(listed,
                                  [&](const auto& name) { return lists(name, method.name); }));
    }
    for (const auto& name : listed) {
        CAPTURE(name);
        CHECK(std::ranges::any_of(method_table(),
                                  [&](const auto& method) { return lists(name, method.name); }));
    }
}

TEST_CASE("a method is found in its revisions only") {
    for (const auto& method : method_table()) {
        CAPTURE(method.name);
        for (std::size_t i = 0; i < kRevisionNames.size(); ++i) {
            const auto revision = static_cast<Revision>(i);
            const bool has_it = method.since <= revision && revision <= method.until;
            CHECK(find_method(method.name, revision) == (has_it ? &method : nullptr));
        }
    }
    CHECK(find_method("tools/uninvented", kNewest) == nullptr);
}

TEST_CASE("the header Mcp-Name must repeat the parameter that names what is called") {
    test::ServeStage stage;
    stage.open();
    struct Named {
        const char *method, *parameter;
    };
    for (const auto& named : {Named{"tools/call", "name"}, Named{"prompts/get", "name"},
                              Named{"resources/read", "uri"}})
        for (const char* header : {"other", "x:y"}) {
            CAPTURE(named.method);
            CAPTURE(header);
            const MirroredHeaders headers{"2026-07-28", named.method, header, {}};
            const Json meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                            {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
            const Json message{{"jsonrpc", "2.0"},
                               {"id", 1},
                               {"method", named.method},
                               {"params", {{named.parameter, "x:y"}, {"_meta", meta}}}};
            const auto answer = stage.send_text(message.dump(), &headers)->answer();
            const bool is_mismatch =
                answer.value("/error/code"_json_pointer, 0) == rpc_code::kHeaderMismatch;
            CHECK(is_mismatch == (std::string(header) == "other"));
        }
}
