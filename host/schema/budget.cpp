#include "host/schema/budget.hpp"

#include <algorithm>
#include <ctime>

namespace toolhost::schema {
namespace {

// The match limit bounds a single match, but not the scan for its start. This is the limit for all
// searches of one evaluation together.
constexpr std::uint64_t kMaxSearchNs = 250'000'000;

// CPU time of the thread: a busy machine must not make a valid value invalid.
std::uint64_t thread_time_ns() noexcept {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
           static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

bool Budget::must_stop() noexcept {
    stopped_ = limits_ != nullptr && limits_->reached();
    return stopped_;
}

bool Budget::look(std::uint64_t steps) noexcept {
    if (over_ || steps > left() || must_stop()) {
        over_ = true;
        use_up();
        return false;
    }
    const std::uint64_t rest = left() - steps;
    slice_ = std::min(rest, kStepsPerLook);
    left_ = rest - slice_;
    return true;
}

bool Budget::check_search_time() noexcept {
    search_work_ = 0;
    const std::uint64_t now = thread_time_ns();
    if (search_start_ns_ == 0) search_start_ns_ = now;
    if (!over_ && now - search_start_ns_ <= kMaxSearchNs && !must_stop()) return true;
    over_ = true;
    use_up();
    return false;
}

std::uint64_t step_limit(std::size_t value_size) noexcept {
    constexpr std::uint64_t kBase = 1'000'000;
    constexpr std::uint64_t kPerValue = 64;
    return kBase + kPerValue * value_size;
}

}  // namespace toolhost::schema
