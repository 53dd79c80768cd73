// A folder to which another process writes during the scan.
#include <doctest/doctest.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

// Scans while `disturb` runs repeatedly, and passes each scan's doctor report to `check`.
void scan_during(const Stage& stage, const std::function<void(int)>& disturb,
                 const std::function<void(const Run&)>& check) {
    const std::jthread other([&](const std::stop_token& stop) {
        for (int turn = 0; !stop.stop_requested(); ++turn) disturb(turn);
    });
    for (int i = 0; i < 8; ++i) {
        const auto doctor = stage.run({"doctor", "--json", "--no-cache"});
        CAPTURE(doctor);
        CHECK(doctor.exit_code <= 1);  // 1: refused at that time
        CHECK(candidate(doctor.json(), "echo.so").value("status", "") == "ok");
        check(doctor);
    }
}

TEST_SUITE("replaced") {
    TEST_CASE("a file replaced during the scan is one version or the other, never a mixture") {
        const Stage stage({"echo"});
        const auto target = stage.add_as("versioned_1_0_0", "moving.so");
        const auto other = stage.root() / "other";
        stage.add("versioned_1_0_0", other);
        stage.add("versioned_1_2_0", other);
        const auto swap_in = [&](int turn) {
            const auto from = other / (turn % 2 == 0 ? "versioned_1_2_0.so" : "versioned_1_0_0.so");
            const auto link = other / "link";
            ::unlink(link.c_str());
            (void)::link(from.c_str(), link.c_str());
            (void)::rename(link.c_str(), target.c_str());
        };
        scan_during(stage, swap_in, [](const Run& doctor) {
            const auto moving = candidate(doctor.json(), "moving.so");
            if (moving.value("status", "") == "ok")
                CHECK(moving.value("tools", Json::array()) == Json::array({"versioned"}));
            else
                CHECK(moving.value("reason", "") == "changed_during_scan");
        });
    }

    TEST_CASE("a file written in place during the scan does not affect other plugins") {
        const Stage stage({"echo"});
        const auto target = stage.plugins() / "growing.so";
        const auto content = read_file(fixture_library("adder"));
        write_file(target, content);
        const auto rewrite = [&](int turn) {
            write_file(target, content.substr(0, turn % 2 == 0 ? content.size() : 100));
        };
        scan_during(stage, rewrite, [](const Run& doctor) {
            const auto growing = candidate(doctor.json(), "growing.so");
            const auto status = growing.value("status", "");
            CHECK((status == "ok" || status == "refused"));
        });
    }

    TEST_CASE("a file that is created and removed during the scan is not an error") {
        const Stage stage({"echo"});
        const auto target = stage.plugins() / "coming.so";
        const auto content = read_file(fixture_library("adder"));
        const auto come_and_go = [&](int turn) {
            if (turn % 2 == 0)
                write_file(target, content);
            else
                ::unlink(target.c_str());
        };
        scan_during(stage, come_and_go, [](const Run&) {});
    }
}

}  // namespace
}  // namespace toolhost::test
