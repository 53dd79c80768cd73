// What one evaluation may cost: a number of steps, and until when its caller waits for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Passing over an item, a member or a rule without applying a node costs this much less than
// applying one.
inline constexpr std::size_t kElementsPerStep = 8;

class Budget {
public:
    // A step is a node applied, a value visited, or this many bytes looked at.
    static constexpr std::size_t kBytesPerStep = 64;

    // `limits` must outlive the budget; null: only the steps count.
    explicit Budget(std::uint64_t steps, const EvaluationLimits* limits = nullptr) noexcept
        : limits_(limits), slice_(steps < kStepsPerLook ? steps : kStepsPerLook) {
        left_ = steps - slice_;
    }

    // False: that was too much, or the caller waits no longer. It stays false from then on.
    [[nodiscard]] bool take(std::uint64_t steps = 1) noexcept {
        if (steps > slice_) return look(steps);
        slice_ -= steps;
        return true;
    }
    // For a value or a text of that many bytes.
    [[nodiscard]] bool take_bytes(std::size_t bytes) noexcept {
        return take(1 + bytes / kBytesPerStep);
    }

    // Called before each search for a pattern and now and then during one. `work` is about 1 for
    // each item of the pattern that is tried. False: the searches together took too long.
    [[nodiscard]] bool search_on(std::uint64_t work) noexcept {
        search_work_ += work;
        return search_work_ < kSearchWorkPerLook || look_at_searches();
    }

    void use_up() noexcept { left_ = slice_ = 0; }
    [[nodiscard]] std::uint64_t left() const noexcept { return left_ + slice_; }
    [[nodiscard]] bool over() const noexcept { return over_; }
    // Over because the caller waits no longer.
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

private:
    // Reading the clock costs as much as some ten steps; this many take well below a millisecond.
    static constexpr std::uint64_t kStepsPerLook = 4096;
    static constexpr std::uint64_t kSearchWorkPerLook = 64;

    [[nodiscard]] bool look(std::uint64_t steps) noexcept;
    [[nodiscard]] bool look_at_searches() noexcept;
    [[nodiscard]] bool must_stop() noexcept;

    const EvaluationLimits* limits_;
    std::uint64_t slice_;  // until the next look at clock and tokens
    std::uint64_t left_;   // behind the slice
    std::uint64_t search_work_ = 0;
    std::uint64_t search_start_ns_ = 0;
    bool over_ = false;
    bool stopped_ = false;
};

// Enough steps for any honest schema on a value of that size (measure() in depth.hpp), and a
// bounded time for one that multiplies its branches.
[[nodiscard]] std::uint64_t step_limit(std::size_t value_size) noexcept;

}  // namespace toolhost::schema
