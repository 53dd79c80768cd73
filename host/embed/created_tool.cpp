#include "host/embed/created_tool.hpp"

#include "host/base/json_text.hpp"

namespace toolhost::embed {
namespace {

Json value_of(std::string_view text) {
    auto value = parse_json(text);
    return value ? *std::move(value) : Json();
}

class RunningTool final : public ToolCall {
public:
    explicit RunningTool(loading::CallHost& host) : host_(host) {}

    bool emit(const std::string& kind, const Json& data) override {
        if (host_.cancelled()) return false;
        host_.emit(kind, dump(data));
        return true;
    }
    [[nodiscard]] bool cancelled() const override { return host_.cancelled(); }
    void log(int level, const std::string& message) override { host_.log(level, message); }
    [[nodiscard]] CallResult call(const std::string& tool, const Json& input) override {
        return {value_of(host_.call_tool(tool, dump(input)).second)};
    }
    [[nodiscard]] std::optional<Answer> ask(const std::string& name, const Json& reason) override {
        const auto [status, text] = host_.interrupt(name, dump(reason));
        switch (status) {
            case TOOL_OK:
                return Answer{Answer::Kind::given, value_of(text)};
            case TOOL_INTERRUPTED:
                return std::nullopt;
            case TOOL_DENIED:
                return Answer{Answer::Kind::declined};
            default:
                return Answer{Answer::Kind::dismissed};
        }
    }

private:
    loading::CallHost& host_;
};

loading::Outcome outcome_of(ToolReply reply) {
    loading::Outcome outcome;
    std::optional<loading::Outcome::Text> said;  // empty to pass on a human's refusal
    if (!reply.key.empty() || !reply.message.empty())
        said = {std::move(reply.key), std::move(reply.message)};
    switch (reply.status) {
        case ToolReply::Status::ok:
            outcome.replies = reply.content.is_null() ? 0 : 1;
            outcome.content = dump(reply.content);
            break;
        case ToolReply::Status::failed:
        case ToolReply::Status::bad_input:
            outcome.status =
                reply.status == ToolReply::Status::failed ? TOOL_FAILED : TOOL_BAD_INPUT;
            outcome.failure = std::move(said);
            break;
        case ToolReply::Status::denied:
            outcome.status = TOOL_DENIED;
            outcome.denial = std::move(said);
            break;
        case ToolReply::Status::cancelled:
            outcome.status = TOOL_CANCELLED;
            break;
        case ToolReply::Status::interrupted:
            outcome.status = TOOL_INTERRUPTED;
            break;
    }
    return outcome;
}

}  // namespace

loading::Outcome CreatedTool::invoke(const loading::Invocation& invocation,
                                     loading::CallHost& host) const {
    RunningTool call(host);
    try {
        const ToolInput input{std::string(invocation.tool),
                              std::string(invocation.version),
                              std::string(invocation.use_id),
                              value_of(invocation.input),
                              value_of(invocation.policy),
                              value_of(invocation.state),
                              std::string(invocation.principal),
                              std::string(invocation.caller),
                              invocation.attempt};
        return outcome_of(function_(input, call));
    } catch (const std::exception& e) {
        return outcome_of(ToolReply::failed("exception", e.what()));
    } catch (...) {
        return outcome_of(ToolReply::failed("exception", "the tool threw an exception"));
    }
}

}  // namespace toolhost::embed
