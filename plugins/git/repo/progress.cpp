#include "repo/progress.hpp"

#include <git2/sys/odb_backend.h>

#include <memory>

#include "repo/handle.hpp"

namespace git {
namespace {

constexpr auto kTellEvery = std::chrono::milliseconds(100);

struct Sentinel : git_odb_backend {
    Progress* progress = nullptr;
};

int ask(git_odb_backend* backend) {
    auto* progress = static_cast<Sentinel*>(backend)->progress;
    return progress->step("objects read") ? GIT_ENOTFOUND : GIT_EUSER;
}

}  // namespace

bool Progress::step(std::string_view what) {
    return reached(++steps_, std::nullopt, what);
}

bool Progress::reached(double done, std::optional<double> total, std::string_view what) {
    if (cancelled()) return false;
    const auto now = Clock::now();
    if (tell_ && now - reported_ >= kTellEvery) {
        reported_ = now;
        tell_(done, total, what);
    }
    return true;
}

void Progress::step_or_stop(std::string_view what) {
    if (!step(what)) throw Stopped{};
}

void Progress::attach(git_repository* repository) {
    const auto odb = make<Odb>("cannot open the objects", git_repository_odb, repository);
    auto sentinel = std::make_unique<Sentinel>();
    check(git_odb_init_backend(sentinel.get(), GIT_ODB_BACKEND_VERSION),
          "cannot progress the objects");
    sentinel->progress = this;
    sentinel->read = [](void**, std::size_t*, git_object_t*, git_odb_backend* self,
                        const git_oid*) { return ask(self); };
    sentinel->read_header = [](std::size_t*, git_object_t*, git_odb_backend* self, const git_oid*) {
        return ask(self);
    };
    sentinel->free = [](git_odb_backend* self) { delete static_cast<Sentinel*>(self); };
    constexpr int kBeforeAll = 1000;
    check(git_odb_add_backend(odb.get(), sentinel.get(), kBeforeAll),
          "cannot progress the objects");
    static_cast<void>(sentinel.release());  // the database frees it
}

}  // namespace git
