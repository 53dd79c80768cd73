#include "host/discovery/probe.hpp"

#include <cstdio>

#include "host/discovery/candidate.hpp"
#include "host/loading/library_files.hpp"
#include "host/os/instrumented.hpp"
#include "host/sandbox/sandbox.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost::discovery;
using toolhost::test::TempFolder;

namespace {

Finding look_at(const std::string& path,
                ProbeOptions options = {TOOLHOST_BINARY, std::chrono::seconds(5), 0}) {
    Finding finding;
    finding.candidate.path = path;
    check_from_outside(finding);
    probe({&finding}, options);
    return finding;
}

}  // namespace

TEST_CASE("a report is not trusted") {
    auto report = read_report(
        "{\"stage\":\"read\"}\n{\"sha256\":\"ab\",\"identity\":\"cd\"}\n"
        "{\"stage\":\"load\"}\n{\"sha256\":\"00\",\"identity\":\"00\"}\n");
    CHECK(report.stage == "load");
    CHECK(report.sha256 == "ab");
    CHECK(report.identity == "cd");  // later lines may come from the library
    CHECK(report.plugin.is_null());
    CHECK(read_report("garbage\n[]\n{\"stage\":5}\n").stage.empty());
    CHECK(read_report("{\"plugin\":{\"a\":1}}").plugin.is_null());  // no line end: incomplete
    CHECK(read_report("{\"plugin\":5}\n").plugin.is_null());
    for (const char* unknown : {"5", "\"no_such_reason\"", "\"\""})
        CHECK_FALSE(
            read_report(std::string("{\"refused\":{\"reason\":") + unknown + "}}\n").reason);
    auto refused = read_report("{\"refused\":{\"reason\":\"damaged\",\"message\":\"m\"}}\n");
    CHECK(refused.reason == Reason::damaged);
    CHECK(refused.message == "m");
}

TEST_CASE("a plugin is described") {
    TempFolder folder;
    folder.take("echo");
    auto finding = look_at(folder / "echo.so");
    CHECK(finding.message == "");
    CHECK(finding.ok());
    CHECK(finding.tools.at(0).name == "echo");
    CHECK(finding.sha256.size() == 64);
    CHECK(finding.identity == *toolhost::loading::library_identity(folder / "echo.so", false));
}

TEST_CASE("a crash is attributed to its stage") {
    TempFolder folder;
    for (const char* fixture :
         {"constructor_crashes", "constructor_exits", "spec_crashes", "spec_exits"})
        folder.take(fixture);
    CHECK(look_at(folder / "constructor_crashes.so").reason == Reason::load_crashed);
    CHECK(look_at(folder / "constructor_exits.so").reason == Reason::load_exited);
    CHECK(look_at(folder / "spec_crashes.so").reason == Reason::spec_crashed);
    CHECK(look_at(folder / "spec_exits.so").reason == Reason::spec_exited);
    auto crashed = look_at(folder / "constructor_crashes.so");
    CHECK(crashed.message.find("SIG") != std::string::npos);
    CHECK_FALSE(crashed.sha256.empty());  // so that the refusal can be cached
}

TEST_CASE("a probed library can access nothing") {
    if (!toolhost::sandbox::missing_sandbox_parts().empty()) {
        std::printf("SKIP: this kernel has no whole sandbox\n");
        return;
    }
    TempFolder folder;
    folder.take("constructor_reaches_out");
    const auto finding = look_at(folder / "constructor_reaches_out.so");
    CHECK(finding.ok());
    CHECK(finding.output.find("tried all") != std::string::npos);
    // Sanitizers can still read the list of mappings.
    if (!toolhost::os::kSanitized) CHECK(finding.output == "tried all\n");
}

TEST_CASE("a library may be a link to another folder") {
    TempFolder folder, elsewhere;
    elsewhere.take("echo", "real");
    boost::filesystem::create_symlink(elsewhere / "real.so", folder / "echo.so");
    CHECK(look_at(folder / "echo.so").reason != Reason::unreadable);
}

TEST_CASE("a probe ends at its deadline") {
    TempFolder folder;
    folder.take("constructor_sleeps");
    folder.take("spec_never_returns");
    ProbeOptions options{TOOLHOST_BINARY, std::chrono::milliseconds(300), 0};
    CHECK(look_at(folder / "constructor_sleeps.so", options).reason == Reason::load_timeout);
    CHECK(look_at(folder / "spec_never_returns.so", options).reason == Reason::spec_timeout);
}

// Examples are checked in the host, and each may take as long as checking an input.
TEST_CASE("examples that take too long to check are refused at the deadline") {
    TempFolder folder;
    folder.take("examples_without_end");
    ProbeOptions options{TOOLHOST_BINARY, std::chrono::milliseconds(1000), 0};
    const auto start = std::chrono::steady_clock::now();
    const auto finding = look_at(folder / "examples_without_end.so", options);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    CAPTURE(finding.message);
    CHECK(finding.reason == Reason::check_timeout);
    CHECK(finding.message.find("its examples takes longer than 1000 ms") != std::string::npos);
    CHECK(finding.tools.empty());
}

TEST_CASE("without a working probe nothing is accepted") {
    TempFolder folder;
    folder.take("echo");
    CHECK(look_at(folder / "echo.so", {"/no/such/program", std::chrono::seconds(5), 0}).reason ==
          Reason::probe_failed);
    CHECK(look_at(folder / "echo.so", {"/bin/false", std::chrono::seconds(5), 0}).reason ==
          Reason::probe_failed);
}

TEST_CASE("a host below the plugin's folder is not mistaken for a dependency") {
    TempFolder folder;
    folder.take("echo");
    boost::filesystem::copy_file(TOOLHOST_BINARY, folder / "host");
    ProbeOptions options;
    options.program = folder / "host";
    options.deadline = std::chrono::minutes(1);
    Finding finding;
    finding.candidate.path = folder / "echo.so";
    check_from_outside(finding);
    probe({&finding}, options);
    CHECK(finding.message == "");
    CHECK(finding.ok());
}
