// Valid files that this user must not trust or cannot read.
#include <doctest/doctest.h>
#include <unistd.h>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

void check_refused(const Run& doctor, const std::string& file, const std::string& reason) {
    CAPTURE(doctor);
    CHECK(doctor.exit_code == 1);
    const auto broken = candidate(doctor.json(), file);
    CHECK(broken.value("status", "") == "refused");
    CHECK(broken.value("reason", "") == reason);
    CHECK(candidate(doctor.json(), "echo.so").value("status", "") == "ok");
}

TEST_SUITE("permissions") {
    TEST_CASE("unreadable_file") {
        const Stage stage({"echo"});
        fs::permissions(stage.add_as("adder", "unreadable_file.so"), fs::perms::none);
        Options options;
        if (is_root()) options.user = kNobody;  // root can read everything
        check_refused(stage.run({"doctor", "--json"}, options), "unreadable_file.so", "unreadable");
    }

    TEST_CASE("world_writable_file") {
        const Stage stage({"echo"});
        fs::permissions(stage.add_as("adder", "world_writable_file.so"), fs::perms(0757));
        check_refused(stage.run({"doctor", "--json"}), "world_writable_file.so",
                      "writable_by_others");
    }

    TEST_CASE("file_of_another_user") {
        if (!is_root()) {
            MESSAGE("skipped: only root can give files away");
            return;
        }
        const Stage stage({"echo"});
        const auto file = stage.add_as("adder", "file_of_another_user.so");
        REQUIRE(::chown(file.c_str(), kNobody, kNobody) == 0);
        check_refused(stage.run({"doctor", "--json"}), "file_of_another_user.so",
                      "untrusted_owner");
        // Its owner may use it.
        const auto own = stage.run({"doctor", "--json"}, {.user = kNobody});
        CAPTURE(own);
        CHECK(candidate(own.json(), "file_of_another_user.so").value("status", "") == "ok");
    }

    TEST_CASE("an unreadable plugin folder is reported, but not an error") {
        const Stage stage({"echo"});
        const auto closed = stage.root() / "closed";
        stage.add("adder", closed);
        fs::permissions(closed, fs::perms::none);
        Options options;
        if (is_root()) options.user = kNobody;
        const auto list = stage.run({"list", "--json", "--plugins", closed.string()}, options);
        fs::permissions(closed, fs::perms::owner_all);
        CAPTURE(list);
        CHECK(list.exit_code == 0);
        CHECK(tool_names(list.json()) == std::vector<std::string>{"echo"});
        CHECK(contains(list.err, "closed"));
    }
}

}  // namespace
}  // namespace toolhost::test
