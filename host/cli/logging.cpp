#include "host/cli/logging.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>

#include "host/base/visible_text.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

class VisiblePayload : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm&,
                spdlog::memory_buf_t& to) override {
        const auto text = visible_text({message.payload.data(), message.payload.size()}, false);
        to.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return std::make_unique<VisiblePayload>();
    }
};

}  // namespace

void start_logging(const std::string& level) {
    auto logger = std::make_shared<spdlog::logger>(
        "toolhost",
        std::make_shared<spdlog::sinks::stderr_color_sink_mt>(
            is_coloured(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never));
    auto lines = std::make_unique<spdlog::pattern_formatter>();
    lines->add_flag<VisiblePayload>('*').set_pattern("%^%l%$: %*");
    logger->set_formatter(std::move(lines));
    logger->set_level(spdlog::level::from_str(level));
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace toolhost::cli
