// The cost limit of one evaluation: a number of steps, and the caller's deadline.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Applying a node costs one step. Passing over an item, a member or a rule costs this fraction of
// one.
inline constexpr std::size_t kElementsPerStep = 8;

class Budget {
public:
    // A step is a node applied, a value visited, or this many bytes read.
    static constexpr std::size_t kBytesPerStep = 64;

    // `limits` must outlive the budget; null limits the steps only.
    explicit Budget(std::uint64_t steps, const EvaluationLimits* limits = nullptr) noexcept
        : limits_(limits), slice_(steps < kStepsPerLook ? steps : kStepsPerLook) {
        left_ = steps - slice_;
    }

    // Returns false, then and from then on, if the steps are used up or the caller no longer waits.
    [[nodiscard]] bool take(std::uint64_t steps = 1) noexcept {
        if (steps > slice_) return look(steps);
        slice_ -= steps;
        return true;
    }
    // Takes steps for a value or a text of that many bytes.
    [[nodiscard]] bool take_bytes(std::size_t bytes) noexcept {
        return take(1 + bytes / kBytesPerStep);
    }

    // Called before each search for a pattern and repeatedly during one. `work` is about 1 for each
    // item of the pattern that is tried. Returns false if the searches together took too long.
    [[nodiscard]] bool search_on(std::uint64_t work) noexcept {
        search_work_ += work;
        return search_work_ < kSearchWorkPerLook || check_search_time();
    }

    void use_up() noexcept { left_ = slice_ = 0; }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_ + slice_; }
    [[nodiscard]] bool over() const noexcept { return over_; }
    // Whether it ended because the caller no longer waits.
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

private:
    // Reading the clock costs about ten steps; this many steps take well below a millisecond.
    static constexpr std::uint64_t kStepsPerLook = 4096;
    static constexpr std::uint64_t kSearchWorkPerLook = 64;

    [[nodiscard]] bool look(std::uint64_t steps) noexcept;
    [[nodiscard]] bool check_search_time() noexcept;
    [[nodiscard]] bool must_stop() noexcept;

    const EvaluationLimits* limits_;
    std::uint64_t slice_;  // until the next check of the clock and the stop tokens
    std::uint64_t left_;   // beyond the slice
    std::uint64_t search_work_ = 0;
    std::uint64_t search_start_ns_ = 0;
    bool over_ = false;
    bool stopped_ = false;
};

// Enough steps for any reasonable schema on a value of that size (measure() in depth.hpp), and a
// limited time for one that multiplies its branches.
[[nodiscard]] std::uint64_t step_limit(std::size_t value_size) noexcept;

}  // namespace toolhost::schema
