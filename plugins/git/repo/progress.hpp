// Whether the caller still waits, and telling it how far the work is.
//
// libgit2 has callbacks for some long work only; blame, rename detection and counting commits have
// none. But all of it reads objects: attach() puts a backend that holds none in front of a
// repository's object database, which is asked first each time, and can say stop.
#pragma once

#include <git2.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

namespace git {

class Progress {
public:
    using Cancelled = std::function<bool()>;
    using Tell =
        std::function<void(double done, std::optional<double> total, std::string_view what)>;

    Progress() = default;
    Progress(Cancelled cancelled, Tell tell)
        : cancelled_(std::move(cancelled)), tell_(std::move(tell)) {}

    [[nodiscard]] bool cancelled() const { return cancelled_ && cancelled_(); }

    // One step of something; false once the caller wants to stop. Tells ten times a second at most.
    bool step(std::string_view what);
    bool reached(double done, std::optional<double> total, std::string_view what);
    // The same for code of our own, which it leaves.
    void step_or_stop(std::string_view what);

    // This must outlive the repository.
    void attach(git_repository* repository);

private:
    using Clock = std::chrono::steady_clock;

    Cancelled cancelled_;
    Tell tell_;
    double steps_ = 0;
    Clock::time_point told_ = Clock::now();
};

}  // namespace git
