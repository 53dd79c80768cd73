// What is remembered of each tool over its calls: counters, bounds in use, a human's consent. It
// outlives the catalogues and profiles that come and go.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "host/call/stats.hpp"
#include "host/call/throttle.hpp"

namespace toolhost::call {

struct Record {
    ToolStats stats;
    Throttle throttle;
    std::atomic<bool> consented{false};  // once for this process
};

class Records {
public:
    // By "name@version": another version is other code, to be consented to anew.
    [[nodiscard]] std::shared_ptr<Record> of(const std::string& tool) {
        std::lock_guard lock(mutex_);
        auto& record = records_[tool];
        if (!record) record = std::make_shared<Record>();
        return record;
    }

    [[nodiscard]] std::map<std::string, std::shared_ptr<Record>> all() const {
        std::lock_guard lock(mutex_);
        return records_;
    }
    // {"name@version": {...}} of every tool that was called.
    [[nodiscard]] Json stats() const {
        std::lock_guard lock(mutex_);
        Json out = Json::object();
        for (const auto& [tool, record] : records_) out[tool] = record->stats.json();
        return out;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Record>> records_;
};

}  // namespace toolhost::call
