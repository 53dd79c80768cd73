#include "host/call/batch.hpp"

#include <atomic>
#include <system_error>
#include <thread>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"

namespace toolhost::call {
namespace {

// An invalid line may still have an id, by which its sender finds the result.
Error bad_request(std::size_t number, const std::string& message, const Json& request = {}) {
    Error error{ErrorCode::invalid_input,
                "line " + std::to_string(number) + ": " + message,
                {{"line", number}}};
    if (auto it = request.find("toolUseId"); it != request.end() && it->is_string())
        error.details["toolUseId"] = *it;
    return error;
}

// Takes results in any order and passes them on in theirs.
class InOrder {
public:
    InOrder(std::size_t count, const std::function<void(const ToolResult&)>& out)
        : waiting_(count), out_(out) {}

    void put(std::size_t index, ToolResult result) {
        MutexLock lock(mutex_);
        waiting_[index] = std::move(result);
        for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
            out_(*waiting_[next_]);
            waiting_[next_].reset();
        }
    }

private:
    Mutex mutex_;
    std::vector<std::optional<ToolResult>> waiting_ GUARDED_BY(mutex_);
    std::size_t next_ GUARDED_BY(mutex_) = 0;
    const std::function<void(const ToolResult&)>& out_;
};

}  // namespace

Result<ToolUse> parse_request(std::string_view line, std::size_t number) {
    auto request = parse_json(line);
    if (!request) return bad_request(number, "not JSON: " + request.error().message);
    if (!request->is_object())
        return bad_request(number, "each line must be an object with \"tool\"");
    ToolUse use;
    for (const auto& [key, value] : request->items()) {
        const bool is_text = value.is_string();
        if ((key == "tool" || key == "name") && is_text)
            use.reference = value.get<std::string>();
        else if (key == "toolUseId" && is_text)
            use.use_id = value.get<std::string>();
        else if (key == "input")
            use.input = value;
        else if (key == "state" && value.is_object())
            use.state = dump(value);
        else if (key == "answers" && value.is_object())
            for (const auto& [id, answer] : value.items()) use.answers[id] = {TOOL_OK, answer};
        else
            return bad_request(number,
                               "\"" + key +
                                   "\" is not known or of the wrong type; a request has \"tool\" "
                                   "(string), \"input\", \"toolUseId\" (string), \"state\" and "
                                   "\"answers\" (objects)",
                               *request);
    }
    if (use.reference.empty()) return bad_request(number, "\"tool\" is missing", *request);
    use.attempt = static_cast<std::uint32_t>(use.answers.size());
    return use;
}

void call_batch(Invoker& invoker, std::vector<Result<ToolUse>> requests,
                const std::shared_ptr<CallObserver>& observer, const BatchOptions& options,
                const std::function<void(const ToolResult&)>& result) {
    InOrder in_order(requests.size(), result);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i; (i = next++) < requests.size();) {
            if (requests[i]) {
                in_order.put(i, invoker.call(*std::move(requests[i]), observer, options.stop));
                continue;
            }
            const Error& error = requests[i].error();
            in_order.put(i, error_result(error.details.value("toolUseId", ""), error));
        }
    };
    std::vector<std::jthread> others;
    const auto jobs = std::min<std::size_t>(options.jobs, requests.size());
    try {
        while (others.size() + 1 < jobs) others.emplace_back(work);
    } catch (const std::system_error&) {
        // No more threads: those there are take the calls.
    }
    work();
}

}  // namespace toolhost::call
