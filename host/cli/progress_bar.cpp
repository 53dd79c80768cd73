#include "host/cli/progress_bar.hpp"

#include <cmath>
#include <cstdio>
#include <iostream>

#include "host/base/json_text.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

constexpr std::size_t kBar = 24;
constexpr std::chrono::milliseconds kBetweenFrames{50};
constexpr const char* kClear = "\r\x1b[K";

std::string short_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text,
                  std::abs(value) < 10 && value != std::floor(value) ? "%.1f" : "%.0f", value);
    return text;
}

std::string short_time(double seconds) {
    if (seconds < 60) return short_number(std::ceil(seconds)) + " s";
    if (seconds < 3600) return short_number(std::ceil(seconds / 60)) + " min";
    return short_number(std::ceil(seconds / 3600)) + " h";
}

}  // namespace

std::optional<Progress> parse_progress(std::string_view json) {
    auto value = parse_json(json);
    if (!value || !value->is_object()) return std::nullopt;
    auto done = value->find("progress");
    if (done == value->end() || !done->is_number()) return std::nullopt;
    Progress progress{done->get<double>(), std::nullopt, ""};
    if (auto it = value->find("total"); it != value->end() && it->is_number())
        progress.total = it->get<double>();
    if (auto it = value->find("message"); it != value->end() && it->is_string())
        progress.message = it->get<std::string>();
    return progress;
}

std::string progress_line(const Progress& progress, std::chrono::duration<double> since,
                          std::size_t columns) {
    const double rate = since.count() > 0 ? progress.done / since.count() : 0;
    std::string line;
    if (progress.total && *progress.total > 0) {
        const double part = std::min(std::max(progress.done / *progress.total, 0.0), 1.0);
        const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBar));
        line = '[' + std::string(filled, '#') + std::string(kBar - filled, '.') + "] " +
               short_number(std::floor(part * 100)) + '%';
    } else {
        line = short_number(progress.done) + " done";
    }
    if (rate > 0) line += ", " + short_number(rate) + "/s";
    if (rate > 0 && progress.total && *progress.total > progress.done)
        line += ", " + short_time((*progress.total - progress.done) / rate) + " left";
    if (!progress.message.empty()) line += ": " + printable(progress.message);
    return one_line(line, columns);
}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::clear() {
    MutexLock lock(mutex_);
    if (visible_) std::cerr << kClear << std::flush;
    visible_ = false;
}

void ProgressBar::show(std::string_view json) {
    auto progress = parse_progress(json);
    if (!progress) return;
    MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool last = progress->total && progress->done >= *progress->total;
    if (visible_ && !last && now - drawn_ < kBetweenFrames) return;
    drawn_ = now;
    visible_ = true;
    std::cerr << kClear << progress_line(*progress, now - start_, width() - 1) << std::flush;
}

}  // namespace toolhost::cli
