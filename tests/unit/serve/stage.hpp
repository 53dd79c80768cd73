// A server with functions as plugins, and clients as lists of messages.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "host/serve/server.hpp"
#include "tests/unit/call/bench.hpp"

namespace toolhost::test {

// The messages that a client got for one request.
class Received : public serve::MessageSink {
public:
    void send(std::string message) override {
        std::lock_guard lock(mutex_);
        REQUIRE_FALSE(finished_);
        sent_.push_back(Json::parse(message));
        changed_.notify_all();
    }
    void finish(std::string message, int status) override {
        std::lock_guard lock(mutex_);
        REQUIRE_FALSE(finished_);
        finished_ = true;
        status_ = status;
        if (!message.empty()) answer_ = Json::parse(message);
        changed_.notify_all();
    }

    // Waits for the end.
    [[nodiscard]] Json answer() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return finished_; });
        return answer_;
    }
    [[nodiscard]] Json result() { return answer().at("result"); }
    [[nodiscard]] int error_code() { return answer().at("error").at("code").get<int>(); }
    [[nodiscard]] int status() {
        (void)answer();
        return status_;
    }
    // Waits for the message with this number.
    [[nodiscard]] Json sent(std::size_t number) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return sent_.size() > number; });
        return sent_[number];
    }
    // Waits for a message or the end; returns whether there is a message.
    [[nodiscard]] bool is_sent_any() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return finished_ || !sent_.empty(); });
        return !sent_.empty();
    }
    [[nodiscard]] std::vector<Json> all_sent() {
        std::lock_guard lock(mutex_);
        return sent_;
    }
    [[nodiscard]] bool finished() {
        std::lock_guard lock(mutex_);
        return finished_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Json> sent_;
    Json answer_;
    bool finished_ = false;
    int status_ = 0;
};

using ReceivedPtr = std::shared_ptr<Received>;

struct ServeStage {
    Bench bench;
    std::unique_ptr<call::Invoker> invoker;
    std::map<std::string, std::unique_ptr<call::Invoker>>
        others;  // of profiles that have their own
    std::unique_ptr<serve::Server> server;
    std::shared_ptr<serve::Session> session = std::make_shared<serve::Session>(serve::Principal{});
    int ids = 0;
    std::function<bool()> several;  // whether there are several principals
    std::size_t streams = 4096;     // concurrent streams

    // Called after the bench was set up.
    void open(std::size_t page_size = 100, std::size_t calls = 8) {
        invoker = std::make_unique<call::Invoker>(bench.registry, bench.runtime, bench.options);
        serve::ServerOptions options;
        options.version = "1.2.3";
        options.invoker = [this](const std::string& profile) -> Result<call::Invoker*> {
            const auto it = others.find(profile);
            return it == others.end() ? invoker.get() : it->second.get();
        };
        options.page = [](const registry::ToolSpec& spec) { return "# " + spec.name; };
        options.page_size = page_size;
        options.calls_at_once = calls;
        options.streams_at_once = streams;
        options.has_several_principals = several;
        server = std::make_unique<serve::Server>(std::move(options));
    }

    ReceivedPtr send_text(std::string_view text, const serve::MirroredHeaders* headers = nullptr) {
        auto received = std::make_shared<Received>();
        server->handle(session, text, received, headers);
        return received;
    }
    ReceivedPtr send(const Json& message) { return send_text(message.dump()); }

    // Sends a request in the session that initialize() opened.
    ReceivedPtr request(const char* method, Json params = Json::object()) {
        return send({{"jsonrpc", "2.0"}, {"id", ++ids}, {"method", method}, {"params", params}});
    }
    ReceivedPtr initialize(const char* revision = "2025-11-25",
                           Json capabilities = Json::object()) {
        return request("initialize", {{"protocolVersion", revision},
                                      {"capabilities", std::move(capabilities)},
                                      {"clientInfo", {{"name", "c"}, {"version", "1"}}}});
    }
    // Sends a request without a session.
    ReceivedPtr alone(const char* method, Json params = Json::object(),
                      Json capabilities = Json::object()) {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
        return request(method, std::move(params));
    }
};

}  // namespace toolhost::test
