// Counts durations in buckets that grow with them, so that percentiles are right within 3 % from
// nanoseconds to minutes, in a few kilobytes. Counting takes no lock.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace toolhost::call {

class Histogram {
public:
    void add(std::uint64_t nanoseconds) {
        buckets_[index(nanoseconds)].fetch_add(1, std::memory_order_relaxed);
    }

    // The duration that `fraction` of all counted ones did not exceed; 0 if there are none.
    [[nodiscard]] std::uint64_t percentile(double fraction) const {
        std::uint64_t total = 0;
        for (const auto& bucket : buckets_) total += bucket.load(std::memory_order_relaxed);
        if (total == 0) return 0;
        const auto wanted =
            static_cast<std::uint64_t>(fraction * static_cast<double>(total - 1)) + 1;
        std::uint64_t seen = 0;
        std::size_t i = 0;
        for (; i < buckets_.size() - 1; ++i)
            if ((seen += buckets_[i].load(std::memory_order_relaxed)) >= wanted) break;
        return upper(i);
    }

    // How many did not exceed `nanoseconds`, within the 3 %.
    [[nodiscard]] std::uint64_t at_most(std::uint64_t nanoseconds) const {
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < buckets_.size() && upper(i) <= nanoseconds; ++i)
            total += buckets_[i].load(std::memory_order_relaxed);
        return total;
    }
    // All of them together.
    [[nodiscard]] double sum() const {
        double total = 0;
        for (std::size_t i = 0; i < buckets_.size(); ++i)
            total += static_cast<double>(buckets_[i].load(std::memory_order_relaxed)) *
                     static_cast<double>(upper(i));
        return total;
    }

private:
    // 32 buckets for every doubling; below 32 one for each value.
    static constexpr unsigned kBits = 5;
    static constexpr unsigned kHighest = 40;  // 2^40 ns are 18 minutes; longer counts as that

    static std::size_t index(std::uint64_t value) {
        value = std::min(value, (std::uint64_t{1} << kHighest) - 1);
        const unsigned width = static_cast<unsigned>(std::bit_width(value));
        if (width <= kBits + 1) return static_cast<std::size_t>(value);
        const unsigned shift = width - kBits - 1;
        return (std::size_t{shift} << kBits) + static_cast<std::size_t>(value >> shift);
    }
    static std::uint64_t upper(std::size_t index) {
        if (index < (2u << kBits)) return index;
        const auto shift = (index >> kBits) - 1;
        const auto base = index - (shift << kBits);
        return ((std::uint64_t{base} + 1) << shift) - 1;
    }

    std::array<std::atomic<std::uint64_t>, (kHighest - kBits + 1) << kBits> buckets_{};
};

}  // namespace toolhost::call
