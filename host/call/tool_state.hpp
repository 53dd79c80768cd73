// What is remembered of each tool over its calls: counters, bounds in use, a human's consent. It
// outlives the catalogues and profiles that come and go.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "host/base/mutex.hpp"
#include "host/call/stats.hpp"
#include "host/call/throttle.hpp"
#include "host/registry/tool_spec.hpp"

namespace toolhost::call {

// What humans allowed for as long as this process lives.
class Consents {
public:
    [[nodiscard]] bool has(const std::string& client, std::string_view scope) const {
        MutexLock lock(mutex_);
        return given_.contains(key(client, scope));
    }
    void give(const std::string& client, std::string_view scope) {
        constexpr std::size_t kMax = 10'000;  // more are asked for again
        MutexLock lock(mutex_);
        if (given_.size() < kMax) given_.insert(key(client, scope));
    }

private:
    // Each client has a human of its own.
    static std::pair<std::string, std::string> key(const std::string& client,
                                                   std::string_view scope) {
        return {client, std::string(scope)};
    }
    mutable Mutex mutex_;
    std::set<std::pair<std::string, std::string>> given_ GUARDED_BY(mutex_);
};

struct ToolState {
    ToolStats stats;
    Throttle throttle;
    Consents consents;
};

// Families may have tools of one name, and these share nothing.
struct ToolKey {
    std::string name, version, family;

    [[nodiscard]] static ToolKey of(const registry::ToolSpec& spec) {
        return {spec.label(), spec.version.text(), spec.family};
    }
    [[nodiscard]] std::string label() const { return name + '@' + version; }
    auto operator<=>(const ToolKey&) const = default;
};

class ToolStates {
public:
    [[nodiscard]] std::shared_ptr<ToolState> of(const ToolKey& tool) {
        MutexLock lock(mutex_);
        auto& state = tool_states_[tool];
        if (!state) state = std::make_shared<ToolState>();
        return state;
    }

    [[nodiscard]] std::map<ToolKey, std::shared_ptr<ToolState>> all() const {
        MutexLock lock(mutex_);
        return tool_states_;
    }
    // {"name@version": {...}} of every tool that was called; where families have tools of one name,
    // "family.name@version".
    [[nodiscard]] Json stats() const {
        MutexLock lock(mutex_);
        std::map<std::string, int> families;
        for (const auto& [tool, state] : tool_states_) ++families[tool.label()];
        Json out = Json::object();
        for (const auto& [tool, state] : tool_states_) {
            const auto label = tool.label();
            out[families[label] > 1 ? tool.family + '.' + label : label] = state->stats.json();
        }
        return out;
    }

private:
    mutable Mutex mutex_;
    std::map<ToolKey, std::shared_ptr<ToolState>> tool_states_ GUARDED_BY(mutex_);
};

}  // namespace toolhost::call
