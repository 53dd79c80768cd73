#include "host/worker/worker_end.hpp"

#include <signal.h>

#include "host/os/child_process.hpp"

namespace toolhost::worker {
namespace {

Json details_of(const WorkerEnd& end) {
    using enum WorkerEnd::How;
    Json details = Json::object();
    switch (end.how) {
        case exited:
            details["exitCode"] = end.exit_code;
            break;
        case signalled:
            details["signal"] = os::signal_name(end.signal);
            break;
        case sent_garbage:
            return {{"reason", "channel_garbage"}};
        case ended_by_host:
            return {{"reason", "worker_ended"}};
        case lost:
            return {{"reason", "worker_lost"}};
    }
    if (!end.output.empty()) details["output"] = end.output;
    if (!end.limit.empty()) details["resource"] = end.limit;
    return details;
}

}  // namespace

bool WorkerEnd::stopped_by_sandbox() const {
    return how == How::signalled && signal == SIGSYS;
}

bool WorkerEnd::is_start_crash() const {
    if (!is_crash() || how == How::lost || !limit.empty()) return false;
    return how != How::signalled || signal != SIGKILL;
}

std::string WorkerEnd::text() const {
    const auto reached = limit.empty() ? "" : ": it reached limits." + limit;
    switch (how) {
        case How::exited:
            return "ended its process with exit code " + std::to_string(exit_code) + reached;
        case How::signalled:
            if (stopped_by_sandbox()) return "was stopped by the sandbox";
            return "was killed by " + os::signal_name(signal) + reached;
        case How::sent_garbage:
            return "sent an invalid message to the host, which ended its worker";
        case How::ended_by_host:
            return "was ended: " + reason;
        case How::lost:
            break;
    }
    return "lost its worker process" + (output.empty() ? "" : ": " + output);
}

Error to_error(const WorkerEnd& end, const std::string& library) {
    return {end.limit.empty() ? ErrorCode::plugin_crashed : ErrorCode::resource_exhausted,
            library + ' ' + end.text(), details_of(end)};
}

}  // namespace toolhost::worker
