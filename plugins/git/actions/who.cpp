#include "actions/who.hpp"

namespace git {
namespace {

Signature signature(const std::string& name, const std::string& email) {
    return make<Signature>("cannot use '" + name + " <" + email + ">' as a name", git_signature_now,
                           name.c_str(), email.c_str());
}

bool has_author(const Request& request) {
    if (request.author_name.has_value() != request.author_email.has_value())
        throw Misuse{request.author_name ? "author_email" : "author_name",
                     "author_name and author_email must be set together"};
    return request.author_name.has_value();
}

}  // namespace

Signature identity(const Call& call) {
    const auto& policy = call.policy;
    if (!policy.user_name.empty() && !policy.user_email.empty())
        return signature(policy.user_name, policy.user_email);
    if (auto own =
            find<Signature>("cannot read the repository's user", git_signature_default, call.git()))
        return own;
    if (has_author(call.request))
        return signature(*call.request.author_name, *call.request.author_email);
    fail(
        "no committer configured: set user_name and user_email in the policy, or user.name and "
        "user.email in the repository's configuration");
}

Signature commit_author(const Call& call) {
    if (has_author(call.request))
        return signature(*call.request.author_name, *call.request.author_email);
    return identity(call);
}

void set_reflog_identity(const Call& call) {
    const auto& policy = call.policy;
    if (policy.user_name.empty() || policy.user_email.empty()) return;
    check(git_repository_set_ident(call.git(), policy.user_name.c_str(), policy.user_email.c_str()),
          "cannot use the policy's user");
}

}  // namespace git
