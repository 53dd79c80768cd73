#include "consent.hpp"

#include <algorithm>

#include "body/charset.hpp"

namespace http_tool {
namespace {

constexpr std::size_t kShownBody = 500;

bool is_yes(const nlohmann::json& answer) {
    return answer == true || answer == "yes" || answer == "y" || answer == "true";
}

// An unknown method may do anything, so the safe methods are listed.
bool is_asked_about(const std::string& method, const Policy& policy) {
    if (!policy.consent_methods) return method != "GET" && method != "HEAD" && method != "OPTIONS";
    return std::any_of(policy.consent_methods->begin(), policy.consent_methods->end(),
                       [&](const auto& one) { return same_name(one.get(), method); });
}

// The user must know how much is not shown. Of headers only the names are shown, because their
// values may be secrets.
nlohmann::json question_about(const Request& request) {
    std::string message = request.method + ' ' + request.url.text + " may change data there";
    nlohmann::json question{{"method", request.method}, {"url", request.url.text}};
    auto names = nlohmann::json::array();
    for (const auto& [name, value] : request.headers) names.push_back(name);
    if (request.credentials.kind != Credentials::Kind::none) names.push_back("Authorization");
    question["headers"] = std::move(names);
    if (request.body) {
        const std::string& body = *request.body;
        Decoder decoder("utf-8");
        const std::string shown = decoder.feed(std::string_view(body).substr(0, kShownBody));
        const bool cut = body.size() > kShownBody;
        question["body"] = cut ? shown : shown + decoder.finish();
        question["body_bytes"] = body.size();
        question["body_cut"] = cut;
        if (cut)
            message += " (showing " + std::to_string(shown.size()) + " of the body's " +
                       std::to_string(body.size()) + " bytes)";
    }
    question["message"] = message + ". Send it? yes or no";
    return question;
}

}  // namespace

void ask_consent(const Request& request, const Policy& policy, toolhost::Context& context) {
    if (!is_asked_about(request.method, policy)) return;
    const nlohmann::json question = question_about(request);
    if (!is_yes(context.interrupt("consent", question)))
        context.deny(Reason("consent_denied"),
                     request.method + ' ' + request.url.text + " was not consented to");
}

}  // namespace http_tool
