// A request that runs plugin code: a tool's call, a resource's reading, a prompt, a completion. It
// observes its call: what the plugin says or asks meanwhile goes to the client, and the result
// becomes the response.
#pragma once

#include "host/base/mutex.hpp"
#include "host/call/call_observer.hpp"
#include "host/serve/input_required.hpp"
#include "host/serve/request.hpp"

namespace toolhost::serve {

class ToolCallRequest : public call::CallObserver,
                        public std::enable_shared_from_this<ToolCallRequest> {
public:
    explicit ToolCallRequest(RequestPtr request) : request_(std::move(request)) {}

    // Starts the call on this thread, or refuses the request. `use` says what is called with what;
    // the rest is the request's.
    void start(call::ToolUse use);

    void emit(std::string_view use_id, std::string_view kind, std::string_view json) override;
    void log(int level, std::string_view message) override;
    [[nodiscard]] std::optional<call::Answer> ask(const call::Question& question) override;
    [[nodiscard]] bool client_can(std::string_view kind) const override;
    [[nodiscard]] std::optional<call::ConsentAnswer> consent(
        const call::ConsentQuestion& question) override;
    // A client without a session cannot be asked now: it is asked by the result.
    [[nodiscard]] bool consent_later() const override { return request_->stateless(); }
    void finished(call::ToolResult result) override;

private:
    // Ends the request with the result, errors included, but for those that a question to the
    // client took care of.
    virtual void render(Request& request, const call::ToolResult& result) const = 0;

    [[nodiscard]] boost::system::result<call::Invoker*, RpcError> admit(call::ToolUse& use);
    void tell(LogLevel level, Json data);
    void tell_progress(const Json& data);
    [[nodiscard]] std::optional<call::Answer> ask_session(const call::Question& question);

    const RequestPtr request_;
    std::string logger_;  // whose log messages these are, for the client
    InputRound round_;
    Mutex mutex_;
    double progress_ GUARDED_BY(mutex_) = -1;
};

}  // namespace toolhost::serve
