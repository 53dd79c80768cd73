// A profile: which tools may be called, with which limits and which policy of their own.
//
// A profile is a chain of documents along `extends`, merged: the child overrides, denials add up.
// It is immutable once loaded and may be used from any number of threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"
#include "host/policy/grants.hpp"
#include "host/policy/layer.hpp"
#include "host/policy/layered_document.hpp"
#include "host/policy/limits.hpp"
#include "host/policy/tool_pattern.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::policy {

// The profile's decision on one tool.
struct Verdict {
    bool allowed = true;
    // If not allowed, a sentence part: `tools.deny "native:file_*" of profile 'reviewer'
    // (reviewer.yml:4:10)`.
    std::string rule;
    // Refused by tools.deny, which nothing overrides; otherwise it is only missing in
    // `tools.allow`.
    bool denied = false;
};

class Profile {
public:
    // The chain, from the root profile to the profile itself; never empty.
    explicit Profile(std::vector<LayerPtr> layers);

    [[nodiscard]] const std::string& name() const { return layers_.back()->name; }
    [[nodiscard]] const std::vector<LayerPtr>& layers() const { return layers_; }
    // The file it was read from, or "shipped:NAME.yml".
    [[nodiscard]] const std::string& file() const { return layers_.back()->document.file; }

    [[nodiscard]] Verdict judge(const registry::ToolSpec& spec) const;

    // The tool's own timeoutMs can shorten the profile's default but not lengthen it. A value in
    // `policies` overrides both.
    [[nodiscard]] Limits limits(const registry::ToolSpec& spec) const;

    // The tool's own policy: the defaults of its policySchema, overridden by the profile's values
    // and checked against that schema.
    [[nodiscard]] Result<Json> own_policy(const registry::ToolSpec& spec) const;

    // Whether `policies` has an entry for the tool; does not read its schema.
    [[nodiscard]] bool speaks_of(const registry::ToolSpec& spec) const;

    // What the tool may access: requested by its spec, and granted by the profile or by `users`,
    // the grants of the user's config. `shipped`: its library is in the shipped folder.
    [[nodiscard]] Granted granted(const registry::ToolSpec& spec, bool shipped,
                                  const std::vector<Grant>& users) const;
    [[nodiscard]] const std::vector<Grant>& grants() const { return grants_; }
    // False if the user's grants do not apply under this profile.
    [[nodiscard]] bool user_grants() const { return user_grants_; }

    // The origin of a value of the merged document, "file:line:column"; empty for a built-in one.
    // "/timeoutMs" etc. are short for "/defaults/timeoutMs".
    [[nodiscard]] std::string origin(const std::string& pointer) const;
    // The same for a limit ("timeoutMs") of one tool; it may be "the tool's spec".
    [[nodiscard]] std::string origin(const registry::ToolSpec& spec, std::string_view limit) const;

    [[nodiscard]] Consent consent() const { return consent_; }
    [[nodiscard]] const sandbox::ResourceLimits& resource_limits() const {
        return resource_limits_;
    }
    [[nodiscard]] const worker::WorkerLimits& workers() const { return workers_; }
    // Names of environment variables that workers inherit from the host.
    [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }
    // As written, relative to the current folder. Defaults to ".".
    [[nodiscard]] const std::string& workspace() const { return workspace_; }
    // Entries of kProtectedPaths that tools may write under this profile.
    [[nodiscard]] const std::vector<std::string>& unprotect() const { return unprotect_; }
    [[nodiscard]] const std::vector<std::string>& redact() const { return redact_; }

    // The merged document, including built-in values.
    [[nodiscard]] const Json& merged() const { return document_.value(); }
    // All its leaves with their origins.
    [[nodiscard]] const LayeredDocument& document() const { return document_; }

private:
    struct Listed {  // an entry of tools.allow or tools.deny
        ToolPattern pattern;
        Origin origin;
    };
    struct Rule {  // an entry of `policies`
        ToolPattern pattern;
        Origin origin;
        const Json* value;
    };

    void read_tools();
    void read_rules();
    void read_values();
    [[nodiscard]] std::vector<Listed> list(const char* key) const;
    [[nodiscard]] std::string rule_text(const std::string& what, const Origin& origin,
                                        const Place& place) const;

    std::vector<LayerPtr> layers_;
    LayeredDocument document_;
    bool allows_all_ = true;
    std::vector<Listed> allow_, deny_;
    std::vector<Rule> rules_;  // in the order of application: globs, then exact names
    Limits defaults_;
    sandbox::ResourceLimits resource_limits_;
    worker::WorkerLimits workers_;
    Consent consent_ = Consent::ask;
    std::string workspace_;
    std::vector<std::string> redact_, environment_, unprotect_;
    std::vector<Grant> grants_;
    bool user_grants_ = true;
};

// The keys of a profile, in the order of its schema.
[[nodiscard]] std::vector<std::string> profile_keys();

using ProfilePtr = std::shared_ptr<const Profile>;

// The shipped profile `default`.
[[nodiscard]] ProfilePtr built_in_profile();

// A NAME is searched in `folder` (the user's profiles; may be empty), then among the shipped ones.
// A text with a '/' or ending in .yml or .yaml is a FILE.
[[nodiscard]] Result<ProfilePtr> load_profile(const std::string& name_or_file,
                                              const std::string& folder);

struct KnownProfile {
    std::string name;
    std::string description;
    std::string file;  // or "shipped:NAME.yml"
    bool shipped = false;
    std::string problem;  // why it cannot be used, or empty
};

// The user's and the shipped profiles, sorted by name. A profile of the user hides the shipped one
// with the same name.
[[nodiscard]] std::vector<KnownProfile> known_profiles(const std::string& folder);

}  // namespace toolhost::policy
