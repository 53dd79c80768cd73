// Several messages as one, as 2025-03-26 had them: their answers go together when all are there.
#pragma once

#include <memory>
#include <string>

#include "host/base/mutex.hpp"
#include "host/serve/message_sink.hpp"
#include "host/serve/rpc.hpp"

namespace toolhost::serve {

class Batch {
public:
    Batch(std::shared_ptr<MessageSink> sink, std::size_t messages)
        : sink_(std::move(sink)), left_(messages) {}

    void begun(const std::shared_ptr<Request>& request) { sink_->begun(request); }
    void send(std::string message) { sink_->send(std::move(message)); }
    void finish_one(const std::string& message) {
        MutexLock lock(mutex_);
        if (!message.empty()) {
            answers_ += answers_.empty() ? "[" : ",";
            answers_ += answers_.size() + message.size() > kMaxBytes ? too_long() : message;
        }
        if (--left_ > 0) return;
        const bool any = !answers_.empty();
        sink_->finish(any ? answers_ + ']' : std::string(), any ? 200 : 202);
    }

private:
    // What the answers of a batch may have together; those beyond it are told so.
    static constexpr std::size_t kMaxBytes = 32u << 20;
    static std::string too_long() {
        return error_text(
            {}, {rpc_code::kBusy,
                 "the responses of the batch are too large; send the requests one by one"});
    }

    const std::shared_ptr<MessageSink> sink_;
    Mutex mutex_;
    std::size_t left_ GUARDED_BY(mutex_);
    std::string answers_ GUARDED_BY(mutex_);
};

class BatchSink : public MessageSink {
public:
    explicit BatchSink(std::shared_ptr<Batch> batch) : batch_(std::move(batch)) {}
    void begun(const std::shared_ptr<Request>& request) override { batch_->begun(request); }
    void send(std::string message) override { batch_->send(std::move(message)); }
    void finish(std::string message, int) override { batch_->finish_one(message); }

private:
    const std::shared_ptr<Batch> batch_;
};

}  // namespace toolhost::serve
