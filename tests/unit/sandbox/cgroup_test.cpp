// Control groups: with a folder that looks like one, and with a delegated one.
#include "host/sandbox/cgroup.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::sandbox;

TEST_CASE("no control group is created unless one is delegated") {
    CHECK(make_group("", {}, 0) == "");
    CHECK(make_group("/no/such/group", {}, 0) == "");
    test::TempFolder folder;
    // Files of controllers are missing, so nothing is limited, which is not an error.
    const auto group = make_group(folder.path(), {64, 1, 5, 5, 5}, 3);
    CHECK(group.starts_with(folder / "toolhost-"));
    CHECK_FALSE(join_group(group));
    CHECK_FALSE(ran_out_of_memory(group));
    CHECK(remove_group(group));
    CHECK(remove_group(group));
}

TEST_CASE("the kernel's memory events are read") {
    test::TempFolder folder;
    folder.write("memory.events", "low 0\nhigh 3\nmax 9\noom 1\noom_kill 0\n");
    CHECK_FALSE(ran_out_of_memory(folder.path()));
    folder.write("memory.events", "low 0\noom 1\noom_kill 2\n");
    CHECK(ran_out_of_memory(folder.path()));
}

TEST_CASE("a delegated group limits the processes in it, and kills them") {
    if (delegated_group().empty()) {
        std::printf("SKIP: no control group is delegated to this process\n");
        return;
    }
    const auto group = make_group(delegated_group(), {256, 1, 5, 5, 5}, 3);
    REQUIRE_FALSE(group.empty());
    const pid_t child = ::fork();
    if (child == 0) {
        if (!join_group(group)) ::_exit(100);
        // Itself and seven others.
        int started = 0;
        for (int i = 0; i < 20; ++i) {
            const pid_t more = ::fork();
            if (more == 0) {
                ::pause();
                ::_exit(0);
            }
            started += more > 0 ? 1 : 0;
        }
        ::_exit(started);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 7);
    for (int i = 0; i < 500 && !remove_group(group); ++i) ::usleep(10'000);
    CHECK(remove_group(group));
}
