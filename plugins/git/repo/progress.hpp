// Checks for cancellation and reports progress.
//
// libgit2 has callbacks for some long operations only, but not for blame, rename detection and
// counting commits. All of them read objects, so attach() adds an empty backend with the highest
// priority to a repository's object database, which is asked first and can stop the operation.
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

    // Counts one step; returns false once the call is cancelled. Reports at most ten times per
    // second.
    bool step(std::string_view what);
    bool reached(double done, std::optional<double> total, std::string_view what);
    // The same for our own code: throws instead.
    void step_or_stop(std::string_view what);

    // This must outlive the repository.
    void attach(git_repository* repository);

private:
    using Clock = std::chrono::steady_clock;

    Cancelled cancelled_;
    Tell tell_;
    double steps_ = 0;
    Clock::time_point reported_ = Clock::now();
};

}  // namespace git
