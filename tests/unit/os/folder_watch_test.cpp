#include "host/os/folder_watch.hpp"

#include <atomic>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::os;

namespace {

// How often a watch has called back.
class Changes {
public:
    std::function<void()> counter() {
        return [this] {
            ++count_;
            count_.notify_all();
        };
    }
    [[nodiscard]] int count() const { return count_; }
    // Waits until there is one more than `known`; ctest ends a test that waits for ever.
    void await(int known) const { count_.wait(known); }

private:
    std::atomic<int> count_{0};
};

FolderWatch::ListFolders only(const std::string& folder) {
    return [folder] { return std::vector{folder}; };
}

}  // namespace

TEST_CASE("changes of many files are not reported one by one") {
    const test::TempFolder folder;
    Changes changes;
    const FolderWatch watch(only(folder.path()), changes.counter());
    REQUIRE(watch.problem().empty());
    constexpr int kFiles = 200;
    for (int i = 0; i < kFiles; ++i) folder.write(std::to_string(i), "");
    changes.await(0);
    CHECK(changes.count() < kFiles);
}

TEST_CASE("a folder that does not exist yet is watched once it does") {
    const test::TempFolder folder;
    Changes changes;
    const FolderWatch watch(only(folder / "later/plugins"), changes.counter());
    boost::filesystem::create_directories(folder / "later/plugins");
    changes.await(0);
    const int known = changes.count();
    folder.write("later/plugins/file", "");
    changes.await(known);
}

TEST_CASE("the list of folders is read again after every change") {
    const test::TempFolder folder;
    Changes changes;
    const FolderWatch watch(
        [&folder] {
            std::vector<std::string> out{folder.path()};
            if (boost::filesystem::exists(folder / "below")) out.push_back(folder / "below");
            return out;
        },
        changes.counter());
    boost::filesystem::create_directory(folder / "below");
    changes.await(0);
    const int known = changes.count();
    folder.write("below/file", "");
    changes.await(known);
}

TEST_CASE("trigger() reports without a change") {
    const test::TempFolder folder;
    Changes changes;
    const FolderWatch watch(only(folder.path()), changes.counter());
    watch.trigger();
    changes.await(0);
}

TEST_CASE("a watch ends while nothing changes") {
    const test::TempFolder folder;
    Changes changes;
    { const FolderWatch watch(only(folder.path()), changes.counter()); }
    CHECK(changes.count() == 0);
}
