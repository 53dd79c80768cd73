#include "interpreter/images.hpp"

#include <doctest/doctest.h>

#include "tests/unit/shell/workspace.hpp"

namespace {

using python_exec::new_images;
using python_exec::pictures_in;

const std::string kPng = "\x89PNG\r\n\x1a\n";

TEST_CASE("only new and changed images are returned") {
    const shell_test::Workspace folder;
    folder.write("old.png", kPng);
    folder.write("changed.PNG", kPng);
    const auto before = pictures_in(folder.path);
    CHECK(before.size() == 2);
    folder.write("changed.PNG", kPng + "more");
    folder.write("new.jpg", "\xff\xd8\xff");
    folder.write("drawn.svg", "<svg/>");
    folder.write("text.txt", "x");
    std::vector<std::string> notes;
    const auto found = new_images(folder.path, {before, {}, 10, 100}, notes);
    REQUIRE(found.size() == 3);
    CHECK(found[0].name == "changed.PNG");
    CHECK(found[0].format == "png");
    CHECK(found[0].bytes == kPng + "more");
    CHECK(found[1].format == "svg");
    CHECK(found[2].format == "jpeg");
    CHECK(notes.empty());
}

TEST_CASE("omitted images are named") {
    const shell_test::Workspace folder;
    folder.write("a.png", "no picture");
    folder.write("b.gif", "GIF8" + std::string(200, 'x'));
    folder.write("c.png", kPng);
    folder.write("d.png", kPng);
    std::filesystem::create_symlink("/etc/hostname", folder.path / "e.png");
    std::vector<std::string> notes;
    const auto found = new_images(folder.path, {{}, {}, 1, 100}, notes);
    REQUIRE(found.size() == 1);
    CHECK(found[0].name == "c.png");
    REQUIRE(notes.size() == 3);
    CHECK(notes[0] == "image a.png omitted: its content is not png");
    CHECK(notes[1] == "image b.gif omitted: 204 bytes, max_image_kb allows 100");
    CHECK(notes[2] == "image d.png omitted: only 1 are allowed (max_images)");
}

TEST_CASE("concurrent runs get only their own images") {
    const shell_test::Workspace folder;
    folder.write("mine.png", kPng);
    folder.write("other.png", kPng);
    std::vector<std::string> notes;
    const auto found = new_images(folder.path, {{}, {{"mine.png"}}, 10, 100}, notes);
    REQUIRE(found.size() == 1);
    CHECK(found[0].name == "mine.png");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "image other.png omitted: other calls ran at the same time, and this one did not write "
          "it");
}

TEST_CASE("a missing folder has no images") {
    CHECK(pictures_in("/no/such/folder").empty());
}

}  // namespace
