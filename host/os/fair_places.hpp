// A limited number of places that several principals share: a free one goes to the principal that
// has fewest, and of those to the call that has waited longest.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <limits>
#include <list>
#include <map>

#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "host/base/mutex.hpp"
#include "host/os/futex.hpp"

namespace toolhost::os {

class FairPlaces {
    struct Principal {
        std::uint32_t running = 0, waiting = 0;
    };
    // In use: a principal that neither runs nor waits is not in it.
    using Principals = std::map<std::string, Principal, std::less<>>;

public:
    struct Most {
        std::uint32_t all = 0;  // places taken in all when one more is given
        // The principal's own while others use the places.
        std::uint32_t own = std::numeric_limits<std::uint32_t>::max();
    };
    // One that is taken.
    class Place {
    public:
        Place() = default;
        Place(FairPlaces* places, Principals::iterator of) : places_(places), of_(of) {}
        Place(Place&& other) noexcept
            : places_(std::exchange(other.places_, nullptr)), of_(other.of_) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(places_, other.places_);
            std::swap(of_, other.of_);
            return *this;
        }
        ~Place() {
            if (places_) places_->leave(of_);
        }
        explicit operator bool() const { return places_ != nullptr; }

    private:
        FairPlaces* places_ = nullptr;
        Principals::iterator of_{};
    };
    // Waits for a place. None: the deadline passed, the call was cancelled, or the end came first.
    [[nodiscard]] Place enter(std::string_view principal, Most most, const Deadline& deadline,
                              const std::stop_token& cancel);
    // The same without waiting.
    [[nodiscard]] Place try_enter(std::string_view principal, Most most);
    // Gives no more places; waiting calls return.
    void end();

    // How many places the principal has taken.
    [[nodiscard]] std::size_t taken_by(std::string_view principal) const;
    // How many calls wait.
    [[nodiscard]] std::size_t waiting() const;

private:
    struct Waiter {
        const Principal* of;
        Most most;
    };
    using Waiters = std::list<Waiter>;
    [[nodiscard]] Waiters::const_iterator next_waiter() const REQUIRES(mutex_);
    // Whether a principal may take a place before those that wait.
    [[nodiscard]] bool is_free(const Principal& of, Most most) const REQUIRES(mutex_);
    [[nodiscard]] Principals::iterator find_or_add(std::string_view principal) REQUIRES(mutex_);
    [[nodiscard]] Place take(Principals::iterator principal) REQUIRES(mutex_);
    void forget_if_idle(Principals::iterator principal) REQUIRES(mutex_);
    void leave(Principals::iterator principal);

    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    Principals principals_ GUARDED_BY(mutex_);
    Waiters waiters_ GUARDED_BY(mutex_);  // in the order they came
    std::uint32_t running_ GUARDED_BY(mutex_) = 0;
    bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace toolhost::os
