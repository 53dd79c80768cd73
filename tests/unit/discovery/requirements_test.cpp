#include "host/discovery/requirements.hpp"

#include <sys/stat.h>

#include <cstdlib>

#include "tests/unit/doctest.hpp"
#include "tests/unit/temp_folder.hpp"

using namespace toolhost;
using namespace toolhost::discovery;
using toolhost::test::TempFolder;

namespace {

std::vector<std::string> missing(Json requirements) {
    auto specs = registry::read_spec({{"name", "t"},
                                      {"description", "d"},
                                      {"inputSchema", Json::object()},
                                      {"requires", std::move(requirements)}},
                                     "lib");
    REQUIRE(specs);
    return Requirements({{}, "", TOOLHOST_BINARY, false}).missing((*specs)[0]);
}

}  // namespace

TEST_CASE("versions are found in the output of programs") {
    CHECK(find_version("git version 2.39.5")->text() == "2.39.5");
    CHECK(find_version("Python 3.11")->text() == "3.11.0");
    CHECK(find_version("tool 5, release 1.2.3.4.")->text() == "1.2.3");
    CHECK(find_version("gcc (Debian 12.2.0-14) 12.2.0.")->text() == "12.2.0");
    CHECK_FALSE(find_version("no version, 7, 1..2 or 99999999999.1"));
    CHECK_FALSE(find_version(""));
}

TEST_CASE("commands, variables and the host itself") {
    TempFolder folder;
    folder.write("speaks", "#!/bin/sh\necho speaks 2.5.1\n");
    folder.write("silent", "#!/bin/sh\n");
    for (const char* name : {"speaks", "silent"})
        REQUIRE(::chmod((folder / name).c_str(), 0755) == 0);
    folder.write("data", "not executable");
    const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
    ::setenv("PATH", (folder.path() + ":" + before).c_str(), 1);
    ::setenv("TOOLHOST_TEST_SET", "1", 1);

    CHECK(missing({{"toolhost", ">=1.0"},
                   {"command:speaks", "^2"},
                   {"env:TOOLHOST_TEST_SET", "*"},
                   {"tool:other", "^1"}})
              .empty());
    CHECK(missing({{"toolhost", ">=99"}})[0].starts_with("toolhost >=99 is required"));
    CHECK(missing({{"command:speaks", "^3"}})[0].find("found 2.5.1") != std::string::npos);
    CHECK(missing({{"command:silent", "^3"}})[0].find("prints no version") != std::string::npos);
    CHECK(missing({{"command:silent", "*"}}).empty());
    CHECK(missing({{"command:data", "*"}})[0].find("not in PATH") != std::string::npos);
    CHECK(missing({{"env:TOOLHOST_TEST_NOT_SET", "*"}})[0].find("TOOLHOST_TEST_NOT_SET") !=
          std::string::npos);
    CHECK(missing({{"planet:mars", "*"}})[0].find("not a known kind of requirement") !=
          std::string::npos);
    ::setenv("PATH", before.c_str(), 1);
}
