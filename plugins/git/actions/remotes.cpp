// fetch and push. The repository's configuration, which defines remotes, is untrusted: a remote's
// URL is checked, and the refs to transfer are determined here.
#include <algorithm>
#include <cstdlib>

#include "actions/patterns.hpp"
#include "actions/refs.hpp"
#include "actions/table.hpp"
#include "actions/text.hpp"
#include "actions/who.hpp"

namespace git {
namespace {

struct Transfer {
    const Call& call;
    int logins = 0;
    std::string rejected{};
    Json updated = Json::array();
};

// Checks an https URL. Unusual ones are refused: the checked host must be the one that is connected
// to.
void check_https(const Call& call, const std::string& url) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    const auto rest = url.substr(std::string_view("https://").size());
    auto host = rest.substr(0, rest.find_first_of(":/?#"));
    std::transform(host.begin(), host.end(), host.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    if (host.empty() || host.find_first_not_of(kPlain) != std::string::npos ||
        rest.find_first_of("@\\ ") != std::string::npos)
        deny("host_not_allowed",
             "the remote's URL is not https://HOST[:PORT]/PATH; set a token with the policy's "
             "token_env, not in the URL");
    if (!any_matches(call.policy.allowed_hosts, host))
        deny("host_not_allowed", "host '" + host + "' is not in the policy's allowed_hosts");
}

// The URL of the remote after checks; a local one as an absolute path.
std::string checked_url(const Call& call, const std::string& url) {
    const auto scheme_end = url.find("://");
    const auto scheme = scheme_end == std::string::npos ? std::string() : url.substr(0, scheme_end);
    const bool scp_like = scheme.empty() && url.find(':') < url.find('/');
    if (scheme == "https") {
        check_https(call, url);
        return url;
    }
    if (scp_like || (!scheme.empty() && scheme != "file"))
        deny("scheme_not_allowed", "the remote uses " + (scp_like ? std::string("ssh") : scheme) +
                                       "; only https and repositories in the workspace are "
                                       "supported, because tools have no access to keys or agents");
    const auto path = scheme.empty() ? url : url.substr(std::string_view("file://").size());
    const auto folder = (call.repo.root() / path).lexically_normal();
    call.repo.check_folder(folder);
    return folder.string();
}

// Opens a remote without the configuration's refspecs and URL rewriting.
Remote open_remote(const Call& call, const std::string& name, bool to_push) {
    if (!any_matches(call.policy.allowed_remotes, name))
        deny("remote_not_allowed", "remote '" + name + "' is not in the policy's allowed_remotes");
    git_remote* raw = nullptr;
    const int code = git_remote_lookup(&raw, call.git(), name.c_str());
    if (code == GIT_EINVALIDSPEC)
        throw Misuse{"remote", "must be a remote of the repository, such as origin, not a URL"};
    if (code == GIT_ENOTFOUND) fail("no remote '" + name + "' in the repository");
    check(code, "cannot read the remote");
    const Remote configured(raw);
    const char* push_url = git_remote_pushurl(raw);
    const char* own = to_push && push_url != nullptr ? push_url : git_remote_url(raw);
    if (own == nullptr) fail("remote '" + name + "' has no URL");
    const auto url = checked_url(call, own);
    git_remote_create_options options = GIT_REMOTE_CREATE_OPTIONS_INIT;
    options.repository = call.git();
    options.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF | GIT_REMOTE_CREATE_SKIP_DEFAULT_FETCHSPEC;
    return make<Remote>("cannot use the remote", git_remote_create_with_opts, url.c_str(),
                        &options);
}

int provide_token(git_credential** out, const char*, const char*, unsigned allowed, void* payload) {
    auto& transfer = *static_cast<Transfer*>(payload);
    const auto& name = transfer.call.policy.token_env;
    const char* token = name.empty() ? nullptr : std::getenv(name.c_str());
    if (token == nullptr || (allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT) == 0 ||
        transfer.logins++ > 0) {
        git_error_set_str(GIT_ERROR_HTTP,
                          token == nullptr
                              ? "the remote requires authentication: name a variable with a token "
                                "in the policy's token_env and in the profile's environment"
                              : "the remote did not accept the token");
        return GIT_EAUTH;
    }
    return git_credential_userpass_plaintext_new(out, "x-access-token", token);
}

Progress& progress_of(void* payload) {
    return static_cast<Transfer*>(payload)->call.progress;
}

git_remote_callbacks callbacks(Transfer& transfer) {
    git_remote_callbacks out = GIT_REMOTE_CALLBACKS_INIT;
    out.payload = &transfer;
    out.credentials = provide_token;
    out.transfer_progress = [](const git_indexer_progress* at, void* payload) {
        return progress_of(payload).reached(at->received_objects, at->total_objects,
                                            "objects received")
                   ? 0
                   : int{GIT_EUSER};
    };
    out.sideband_progress = [](const char*, int, void* payload) {
        return progress_of(payload).step("messages of the remote") ? 0 : int{GIT_EUSER};
    };
    out.pack_progress = [](int, std::uint32_t current, std::uint32_t total, void* payload) {
        return progress_of(payload).reached(current, total, "objects packed") ? 0 : int{GIT_EUSER};
    };
    out.push_transfer_progress = [](unsigned current, unsigned total, std::size_t, void* payload) {
        return progress_of(payload).reached(current, total, "objects sent") ? 0 : int{GIT_EUSER};
    };
    out.update_tips = [](const char* ref, const git_oid* before, const git_oid* after,
                         void* payload) {
        static_cast<Transfer*>(payload)->updated.push_back(
            {{"ref", shown_path(ref)}, {"old", hex(*before)}, {"new", hex(*after)}});
        return 0;
    };
    out.push_update_reference = [](const char* ref, const char* why, void* payload) {
        if (why != nullptr)
            static_cast<Transfer*>(payload)->rejected = std::string(ref) + ": " + why;
        return 0;
    };
    return out;
}

std::string update_text(const Json& updated) {
    std::string text;
    for (const auto& update : updated) {
        const auto before = update["old"].get<std::string>(),
                   after = update["new"].get<std::string>();
        const bool is_new = before.find_first_not_of('0') == std::string::npos;
        text += (is_new ? "[new] " : before.substr(0, 7) + "..") + after.substr(0, 7) + ' ' +
                update["ref"].get<std::string>() + '\n';
    }
    return text.empty() ? "already up to date\n" : text;
}

// The branches that a fetch without a branch transfers. If the policy allows only some branches,
// the remote is asked for its branches.
std::vector<std::string> branches_to_fetch(const Call& call, git_remote* remote,
                                           const git_fetch_options& fetch) {
    if (call.request.branch) return {*call.request.branch};
    if (allows_all_refs(call.policy)) return {"*"};
    git_remote_connect_options options = GIT_REMOTE_CONNECT_OPTIONS_INIT;
    options.callbacks = fetch.callbacks;
    options.follow_redirects = fetch.follow_redirects;
    check(git_remote_connect_ext(remote, GIT_DIRECTION_FETCH, &options), "cannot reach the remote");
    const git_remote_head** heads = nullptr;
    std::size_t count = 0;
    check(git_remote_ls(&heads, &count, remote), "cannot list the remote's branches");
    constexpr std::string_view kBranches = "refs/heads/";
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view full = heads[i]->name;
        if (full.substr(0, kBranches.size()) == kBranches && ref_allowed(call.policy, full))
            names.emplace_back(full.substr(kBranches.size()));
    }
    return names;
}

Answer fetched(const std::string& name, git_remote* remote, Transfer& transfer) {
    const auto* stats = git_remote_stats(remote);
    Answer answer;
    answer.text = "from " + name + '\n' + update_text(transfer.updated);
    answer.details = {{"remote", name},
                      {"updated", std::move(transfer.updated)},
                      {"received_objects", stats->received_objects},
                      {"received_bytes", stats->received_bytes}};
    return answer;
}

}  // namespace

Answer fetch(const Call& call) {
    const auto name = call.request.remote.value_or("origin");
    const auto remote = open_remote(call, name, false);
    if (const auto& branch = call.request.branch)
        check_new_name(call, *branch, "refs/heads/" + *branch);
    set_reflog_identity(call);
    Transfer transfer{call};
    git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
    options.callbacks = callbacks(transfer);
    options.follow_redirects = GIT_REMOTE_REDIRECT_NONE;  // only the host was checked
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_AUTO;
    std::vector<std::string> wanted;
    for (const auto& branch : branches_to_fetch(call, remote.get(), options))
        wanted.push_back("+refs/heads/" + branch + ":refs/remotes/" + name + '/' + branch);
    if (wanted.empty()) return fetched(name, remote.get(), transfer);  // none are allowed
    TextArray refspecs(std::move(wanted));
    const auto specs = refspecs.get();
    check(git_remote_fetch(remote.get(), &specs, &options, nullptr),
          "cannot fetch from '" + name + "'");
    return fetched(name, remote.get(), transfer);
}

Answer push(const Call& call) {
    const auto name = call.request.remote.value_or("origin");
    const auto branch = call.request.branch ? call.request.branch : current_branch(call.git());
    if (!branch) throw Misuse{"branch", "is required, because HEAD is detached"};
    need_managed(call.policy, branch, "push");
    const auto full = "refs/heads/" + *branch;
    check_new_name(call, *branch, full);
    const auto commit = resolve_commit(call, full);
    const auto remote = open_remote(call, name, true);
    set_reflog_identity(call);
    Transfer transfer{call};
    git_push_options options = GIT_PUSH_OPTIONS_INIT;
    options.callbacks = callbacks(transfer);
    options.follow_redirects = GIT_REMOTE_REDIRECT_NONE;
    options.pb_parallelism = 1;               // threads count towards limits.processes
    TextArray refspecs({full + ':' + full});  // without '+', which would force
    const auto specs = refspecs.get();
    const int code = git_remote_push(remote.get(), &specs, &options);
    if (code == GIT_ENONFASTFORWARD)
        fail("'" + name + "' has commits on '" + *branch +
             "' that are not in this repository; fetch and integrate them first (force push is not "
             "supported)");
    check(code, "cannot push to '" + name + "'");
    if (!transfer.rejected.empty()) fail("the remote refused " + transfer.rejected);
    const auto tracking = "refs/remotes/" + name + '/' + *branch;
    const auto* id = git_commit_id(commit.get());
    const auto ref = make<Reference>("cannot note what was pushed", git_reference_create,
                                     call.git(), tracking.c_str(), id, 1, "push");
    Answer answer;
    answer.details = {{"remote", name}, {"ref", full}, {"commit", hex(*id)}};
    answer.text = "pushed " + *branch + " at " + hex(*id, 7) + " to " + name + '\n';
    return answer;
}

}  // namespace git
