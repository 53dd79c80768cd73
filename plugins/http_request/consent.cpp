#include "consent.hpp"

#include <algorithm>

#include "body/charset.hpp"

namespace http_tool {
namespace {

constexpr std::size_t kShownBody = 500;

bool is_yes(const nlohmann::json& answer) {
    return answer == true || answer == "yes" || answer == "y" || answer == "true";
}

// A method that nobody here knows may do anything, so it is the harmless ones that are listed.
bool is_asked_about(const std::string& method, const Policy& policy) {
    if (!policy.consent_methods) return method != "GET" && method != "HEAD" && method != "OPTIONS";
    return std::any_of(policy.consent_methods->begin(), policy.consent_methods->end(),
                       [&](const auto& one) { return same_name(one.get(), method); });
}

}  // namespace

void ask_consent(const Request& request, const Policy& policy, toolhost::Context& context) {
    if (!is_asked_about(request.method, policy)) return;
    nlohmann::json question{{"message", request.method + ' ' + request.url.text +
                                            " may change data there. Send it? yes or no"},
                            {"method", request.method},
                            {"url", request.url.text}};
    if (request.body) question["body"] = decode(request.body->substr(0, kShownBody), "utf-8").text;
    if (!is_yes(context.interrupt("consent", question)))
        context.deny("consent_denied",
                     request.method + ' ' + request.url.text + " was not consented to");
}

}  // namespace http_tool
