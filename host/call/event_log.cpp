#include "host/call/event_log.hpp"

#include <spdlog/logger.h>

#include <cerrno>

#include "host/call/batched_sink.hpp"

namespace toolhost::call {
namespace {

std::shared_ptr<spdlog::logger> logger_over(std::shared_ptr<BatchedSink> sink) {
    auto logger = std::make_shared<spdlog::logger>("events", std::move(sink));
    logger->set_level(spdlog::level::info);
    return logger;
}

}  // namespace

Result<std::shared_ptr<spdlog::logger>> open_event_log(const std::string& path) {
    // Appending in one write each: several hosts may share the file.
    auto file = os::open_output(path, os::Output::append, 0600);
    if (!file)
        return Error{ErrorCode::file_error,
                     "cannot open the events file " + path + ": " + os::system_message(errno),
                     {}};
    return logger_over(std::make_shared<BatchedSink>(std::move(file)));
}

std::shared_ptr<spdlog::logger> event_log_to(int descriptor) {
    return logger_over(std::make_shared<BatchedSink>(descriptor));
}

bool lost_events(const spdlog::logger& log) {
    for (const auto& sink : log.sinks())
        if (const auto* batched = dynamic_cast<const BatchedSink*>(sink.get()))
            if (batched->failed()) return true;
    return false;
}

}  // namespace toolhost::call
