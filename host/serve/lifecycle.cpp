// How a client and this server come to know each other.
#include "host/base/json_text.hpp"
#include "host/serve/methods.hpp"
#include "host/serve/paging.hpp"
#include "host/serve/server.hpp"

namespace toolhost::serve {
namespace {

constexpr const char* kInstructions =
    "Each tool is a native library governed by a policy. A refused call returns a reason that says "
    "what to change. The resource toolhost://tools/NAME contains a tool's documentation.";

// A session remembers them, and there may be many sessions.
constexpr std::size_t kMaxCapabilityBytes = 16u << 10;

// What this server can do; list changes are sent to subscribers.
Json capabilities(Revision revision) {
    const Json changes{{"listChanged", true}};
    Json can{{"tools", changes},
             {"prompts", changes},
             {"resources", {{"listChanged", true}, {"subscribe", true}}},
             {"completions", Json::object()},
             {"logging", Json::object()}};
    if (revision < Revision::r2025_03_26) can.erase("completions");
    return can;
}

// The revision a session speaks: the client's if we know it, else the newest we have.
Revision negotiate(const std::string& wanted) {
    const auto known = find_revision(wanted);
    return known && !is_stateless(*known) ? *known : kNewestSession;
}

}  // namespace

void initialize(const RequestPtr& request) {
    const std::string wanted = request->text_param("protocolVersion");
    if (wanted.empty())
        return request->fail(
            {rpc_code::kInvalidParams, "Invalid params: initialize requires \"protocolVersion\""});
    Client client;
    client.revision = negotiate(wanted);
    client.log_level = LogLevel::info;
    if (const Json& can = request->params().other("capabilities"); can.is_object()) {
        if (dump(can).size() > kMaxCapabilityBytes)
            return request->fail({rpc_code::kInvalidParams,
                                  "Invalid params: \"capabilities\" has more than 16384 bytes"});
        client.capabilities = can;
    }
    const auto revision = client.revision;
    if (!request->session()->initialize(std::move(client)))
        return request->fail(
            {rpc_code::kInvalidRequest, "Invalid request: this session is already initialized"});
    auto& server = request->server();
    server.listeners().add(request->session());
    request->reply({{"protocolVersion", name_of(revision)},
                    {"capabilities", capabilities(revision)},
                    {"serverInfo", server.server_info()},
                    {"instructions", kInstructions}});
}

void discover(const RequestPtr& request) {
    request->reply(cacheable(*request, {{"supportedVersions", {name_of(kNewest)}},
                                        {"capabilities", capabilities(kNewest)},
                                        {"instructions", kInstructions}}));
}

void ping(const RequestPtr& request) {
    request->reply(Json::object());
}

void set_log_level(const RequestPtr& request) {
    const auto level = find_log_level(request->params().other("level"));
    if (!level)
        return request->fail({rpc_code::kInvalidParams,
                              "Invalid params: \"level\" must be debug, info, notice, warning, "
                              "error, critical, alert or emergency"});
    request->session()->set_log_level(*level);
    request->reply(Json::object());
}

}  // namespace toolhost::serve
