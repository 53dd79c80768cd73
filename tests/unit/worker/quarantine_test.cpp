#include "host/worker/quarantine.hpp"

#include <sys/stat.h>

#include "host/worker/crash_guard.hpp"
#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using worker::CrashScope;
using worker::Quarantine;
namespace fs = boost::filesystem;

namespace {

std::string only_file(const std::string& folder) {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder)) {
        REQUIRE(found.empty());
        found = entry.path().string();
    }
    return found;
}

// Of the text "closed".
const std::string sha256_of_closed =
    "c3eefb58d7c42440a9d4abec51d629544d635a6d936ff3c4d3fca96d611b3cf3";

CrashScope of(const std::string& path, const std::string& identity = "11",
              const std::string& principal = "") {
    return {path, identity, "closed", principal};
}

// The number of crashes that quarantines, at once.
std::optional<worker::Quarantined> put(const Quarantine& store, const std::string& path,
                                       std::uint32_t crashes, const std::string& reason) {
    std::optional<worker::Quarantined> held;
    for (std::uint32_t i = 0; i < crashes; ++i) {
        CHECK_FALSE(held);
        held = store.note_crash(of(path), reason, crashes, std::chrono::seconds(60)).quarantined;
    }
    return held;
}

}  // namespace

TEST_CASE("an entry is found by path and content, by every process") {
    test::TempFolder folder;
    folder.write("a.so", "");
    const auto store = folder / "cache/quarantine";
    CHECK_FALSE(Quarantine(store).find(of(folder / "a.so")).quarantined);
    CHECK(Quarantine(store).all().empty());
    REQUIRE(put(Quarantine(store), folder / "a.so", 5, "killed by SIGSEGV\n\xff"));
    auto found = Quarantine(store).find(of(folder / "a.so")).quarantined;
    REQUIRE(found);
    CHECK(found->path == fs::canonical(folder / "a.so").string());
    CHECK(found->crashes == 5);
    CHECK(found->reason.starts_with("killed by SIGSEGV\n"));
    CHECK(found->since.size() == 20);
    CHECK(found->since.ends_with("Z"));
    CHECK(Quarantine(store).all().size() == 1);
    struct stat info {};
    REQUIRE(::stat(store.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0700);
    REQUIRE(::stat(only_file(store).c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("links and relative paths refer to the same library") {
    test::TempFolder folder;
    folder.write("a.so", "");
    fs::create_symlink(folder / "a.so", folder / "b.so");
    const Quarantine store(folder / "q");
    REQUIRE(put(store, folder.path() + "/./a.so", 1, "r"));
    CHECK(store.find(of(folder / "b.so")).quarantined);
    CHECK(store.find(of(folder / "a.so")).quarantined);
}

TEST_CASE("another identity of the library lifts it") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(put(store, "/x/a.so", 1, "r"));
    CHECK_FALSE(store.find(of("/x/a.so", "22")).quarantined);
    CHECK(store.find(of("/x/a.so")).quarantined);  // reading changes nothing
    CHECK(store.note_crash(of("/x/a.so", "22"), "r", 5, std::chrono::seconds(60)).crashes.size() ==
          1);
    CHECK(store.all().empty());
}

TEST_CASE("lifting returns each lifted entry once") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(put(store, "/x/a.so", 3, "r"));
    REQUIRE(put(store, "/x/b.so", 1, "r"));
    CHECK(store.note_crash(of("/x/a.so"), "later", 3, std::chrono::seconds(60)).quarantined);
    REQUIRE(store.all().size() == 2);
    auto lifted = store.lift("/x/a.so");
    REQUIRE(lifted);
    CHECK(lifted->crashes == 4);
    CHECK_FALSE(store.lift("/x/a.so"));
    REQUIRE(store.all().size() == 1);
    CHECK(store.all()[0].path == "/x/b.so");
}

TEST_CASE("a damaged entry has no effect") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    for (
        const char* text :
        {"", "{", "[]", "{}",
         R"({"path":"/x/a.so","identity":"11","confinement":"","since":"","reason":""})",
         R"({"path":"/x/a.so","identity":5,"confinement":"","since":"","reason":"","crashes":1})",
         R"({"path":"/x/b.so","identity":"11","confinement":"","since":"","reason":"","crashes":1})",
         R"({"path":"/x/a.so","identity":"11","confinement":"","since":"","reason":"","crashes":-1})",
         R"({"path":"/x/a.so","identity":"11","since":"2026","reason":"","crashes":1})"}) {
        CAPTURE(text);
        REQUIRE(put(store, "/x/a.so", 1, "r"));
        fs::ofstream(only_file(folder / "q")) << text;
        CHECK_FALSE(store.find(of("/x/a.so")).quarantined);
        CHECK(store.all().empty());
        CHECK_FALSE(store.lift("/x/a.so"));
        CHECK(only_file(folder / "q") == "");
    }
}

TEST_CASE("crashes count across processes, within their window") {
    test::TempFolder folder;
    const auto crash = [&](int window) {
        return Quarantine(folder / "q")
            .note_crash(of("/x/a.so"), "r", 3, std::chrono::seconds(window));
    };
    CHECK_FALSE(crash(60).quarantined);
    CHECK(crash(60).crashes.size() == 2);
    CHECK(Quarantine(folder / "q").find(of("/x/a.so")).crashes.size() == 2);
    CHECK(Quarantine(folder / "q").all().empty());
    // As if they were long ago, or the clock had been set back.
    for (const char* when : {"1000", "99999999999999"}) {
        fs::ofstream(only_file(folder / "q"))
            << R"({"path":"/x/a.so","identity":"11","since":"","reason":"","crashes":2,"confinement":")"
            << sha256_of_closed << R"(","times":[)" << when << ',' << when << "]}";
        CHECK(crash(60).crashes.size() == 1);
    }
    CHECK(crash(60).crashes.size() == 2);
    CHECK(crash(60).quarantined->crashes == 3);
    CHECK(Quarantine(folder / "q").all().size() == 1);
}

TEST_CASE("lifting also resets crashes below the limit") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    static_cast<void>(store.note_crash(of("/x/a.so"), "r", 3, std::chrono::seconds(60)));
    CHECK_FALSE(store.lift("/x/a.so"));
    CHECK(store.find(of("/x/a.so")).crashes.empty());
}

TEST_CASE("without a usable folder, the entries are kept in memory") {
    test::TempFolder folder;
    folder.write("file", "");
    for (const auto& name : {std::string(), folder / "file/q"}) {
        CAPTURE(name);
        const Quarantine store(name);
        REQUIRE(put(store, "/x/a.so", 2, "r"));
        CHECK(store.find(of("/x/a.so")).quarantined);
        CHECK_FALSE(Quarantine(name).find(of("/x/a.so")).quarantined);
        CHECK(store.all().empty());
        CHECK_FALSE(store.lift("/x/a.so"));
        CHECK_FALSE(store.find(of("/x/a.so")).quarantined);
    }
}

TEST_CASE("a long reason keeps its end") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(put(store, "/x/a.so", 1, std::string(1 << 20, 'a') + "the end"));
    auto found = store.find(of("/x/a.so")).quarantined;
    REQUIRE(found);
    CHECK(found->reason.size() < 10000);
    CHECK(found->reason.ends_with("the end"));
}

TEST_CASE("each confinement has its own count, and lifting lifts all") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    REQUIRE(put(store, "/x/a.so", 2, "r"));
    const CrashScope granted{"/x/a.so", "11", "exec", ""};
    CHECK_FALSE(store.find(granted).quarantined);
    CHECK(store.find(granted).crashes.empty());
    CHECK(store.find_any("/x/a.so", "11"));
    CHECK_FALSE(store.find_any("/x/a.so", "22"));
    CHECK(store.note_crash(granted, "r", 1, std::chrono::seconds(60)).quarantined);
    CHECK(store.all().size() == 2);
    CHECK(store.lift("/x/a.so"));
    CHECK_FALSE(store.find(granted).quarantined);
    CHECK_FALSE(store.find(of("/x/a.so")).quarantined);
    CHECK(store.all().empty());
}

TEST_CASE("any number of confinements leaves a limited number of files") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    for (int i = 0; i < 100; ++i)
        static_cast<void>(store.note_crash({"/x/a.so", "11", std::to_string(i), ""}, "r", 1,
                                           std::chrono::seconds(60)));
    CHECK(store.all().size() == 32);
    CHECK(store.find({"/x/a.so", "11", "99", ""}).quarantined);
}

TEST_CASE("a principal's crashes block that principal, in memory, until the window is over") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    const auto ann = of("/x/a.so", "11", "ann"), bob = of("/x/a.so", "11", "bob");
    for (int i = 0; i < 3; ++i)
        static_cast<void>(store.note_crash(ann, "r", 3, std::chrono::seconds(60)));
    CHECK(store.find(ann).quarantined);
    CHECK(store.find(ann).extent == worker::CrashHistory::Extent::for_principal);
    CHECK_FALSE(store.find(bob).quarantined);
    CHECK_FALSE(store.find(of("/x/a.so")).quarantined);
    CHECK_FALSE(store.find(of("/x/a.so", "22", "ann")).quarantined);
    CHECK(store.all().empty());
    CHECK_FALSE(Quarantine(folder / "q").find(ann).quarantined);
    // A stored entry applies to every principal.
    REQUIRE(put(store, "/x/a.so", 1, "r"));
    CHECK(store.find(bob).quarantined);
    CHECK(store.find(bob).extent == worker::CrashHistory::Extent::until_changed);
    CHECK(store.lift("/x/a.so"));
    CHECK_FALSE(store.find(ann).quarantined);

    static_cast<void>(store.note_crash(ann, "r", 1, std::chrono::seconds(0)));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (store.find(ann).quarantined && std::chrono::steady_clock::now() < end) {
    }
    CHECK_FALSE(store.find(ann).quarantined);
}

TEST_CASE("the number of stored principals is limited") {
    const Quarantine store("");
    for (int i = 0; i < 5000; ++i)
        static_cast<void>(store.note_crash(of("/x/a.so", "11", "principal" + std::to_string(i)),
                                           "r", 1, std::chrono::seconds(600)));
    CHECK(store.find(of("/x/a.so", "11", "principal4999")).quarantined);
    CHECK_FALSE(store.find(of("/x/a.so", "11", "principal0")).quarantined);
}

TEST_CASE("crashes of a shared worker count, but do not block their principal alone") {
    const Quarantine store("");
    const auto ann = of("/x/a.so", "11", "ann");
    const auto crash = [&](bool shared) {
        return store
            .note_crash(ann, "r", 2, std::chrono::seconds(60),
                        shared ? worker::CrashPlace::shared_worker : worker::CrashPlace::own_worker)
            .quarantined;
    };
    for (int i = 0; i < 3; ++i) CHECK_FALSE(crash(true));
    CHECK(store.crashed_for_principal(ann));
    CHECK(crash(false));
    CHECK(store.find(ann).quarantined->crashes == 4);
}

TEST_CASE("a crash after the window is over starts a new count") {
    const Quarantine store("");
    const auto ann = of("/x/a.so", "11", "ann");
    CHECK(store.note_crash(ann, "r", 1, std::chrono::seconds(0)).quarantined);
    const auto noted = std::chrono::system_clock::now();
    while (std::chrono::system_clock::now() - noted < std::chrono::milliseconds(3)) {
    }
    CHECK_FALSE(store.note_crash(ann, "r", 2, std::chrono::seconds(0)).quarantined);
}

TEST_CASE("crashes at the start for principals' calls count for everyone, in memory") {
    test::TempFolder folder;
    const Quarantine store(folder / "q");
    const auto crash = [&](const std::string& principal) {
        return store
            .note_crash(of("/x/a.so", "11", principal), "r", 2, std::chrono::seconds(60),
                        worker::CrashPlace::start)
            .quarantined;
    };
    CHECK_FALSE(crash("ann"));
    CHECK_FALSE(store.crashed_for_principal(of("/x/a.so", "11", "ann")));
    CHECK(crash("bob"));
    for (const char* who : {"ann", "eve", ""}) {
        const auto found = store.find(of("/x/a.so", "11", who));
        CHECK(found.quarantined);
        CHECK(found.extent == worker::CrashHistory::Extent::for_window);
    }
    CHECK(store.all().empty());
    CHECK_FALSE(Quarantine(folder / "q").find(of("/x/a.so")).quarantined);
    // The single user's are stored.
    CHECK_FALSE(crash(""));
    CHECK(crash(""));
    CHECK(store.all().size() == 1);
}

TEST_CASE("a library that runs out of memory at its start is not blamed") {
    using worker::WorkerEnd;
    using enum WorkerEnd::How;
    CHECK(WorkerEnd{.how = signalled, .signal = SIGSEGV}.is_start_crash());
    CHECK(WorkerEnd{.how = exited, .exit_code = 1}.is_start_crash());
    CHECK_FALSE(WorkerEnd{.how = signalled, .signal = SIGKILL}.is_start_crash());
    CHECK_FALSE(
        WorkerEnd{.how = signalled, .signal = SIGABRT, .limit = "memoryMb"}.is_start_crash());
    CHECK_FALSE(WorkerEnd{.how = lost}.is_start_crash());
    CHECK_FALSE(WorkerEnd{.how = ended_by_host, .reason = "a timeout"}.is_start_crash());
}
