#include "host/serve/http/admission.hpp"

#include "host/serve/http/refusals.hpp"

namespace toolhost::serve {
namespace {

HttpResponse too_many_connections(std::size_t most) {
    auto response = refusal(429, rpc_code::kBusy,
                            "too many connections of this client at once (" + std::to_string(most) +
                                "): close one, or try again later");
    response.headers = {{"Retry-After", "1"}};
    response.close = true;
    return response;
}

}  // namespace

bool HttpAdmission::admit(const AdmissionRule& rule, const ConnectionPtr& connection) const {
    auto& request = connection->request();
    const auto refuse = [&](HttpResponse response) {
        connection->respond(for_browsers(request, std::move(response)));
        return false;
    };
    Principal principal;
    if (authenticator_ && !rule.open) {
        auto admitted =
            authenticator_->admit(request.header(Header::authorization), rule.entrance);
        if (!admitted) {
            connection->let_out();
            const auto& refused = admitted.error();
            auto response = not_acceptable(refused.status, refused.message);
            if (!refused.challenge.empty())
                response.headers.emplace_back("WWW-Authenticate", refused.challenge);
            return refuse(std::move(response));
        }
        principal = *std::move(admitted);
        const auto most = server_.share_of(limits_.connections);
        if (!connection->let_in(server_.usages().of(principal), most))
            return refuse(too_many_connections(most));
    }
    if (rule.fault)
        if (auto fault = rule.fault(request)) return refuse(*std::move(fault));
    if (!rule.open) {
        connection->charge(server_.usages().of(principal), server_.share_of(limits_.held_bytes));
    }
    request.principal = std::move(principal);
    return true;
}

}  // namespace toolhost::serve
