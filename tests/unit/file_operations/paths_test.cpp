#include "read/paths.hpp"

#include "read/compare.hpp"
#include "read/media.hpp"
#include "tree.hpp"

namespace file_operations::test {
namespace {

std::string expanded(const Access& access, const std::string& list, bool recursive = true,
                     std::size_t most = 100) {
    PathQuestion question;
    question.list = list;
    question.recursive = recursive;
    question.most = most;
    auto paths = expand_paths(access, question);
    if (!paths) return "!" + why(paths);
    std::string out;
    for (const std::string& path : paths->paths) out += path + ' ';
    return out + (paths->more ? "+" : "");
}

TEST_SUITE("paths") {
    TEST_CASE("lists, folders and patterns") {
        const MadeTree tree;
        tree.file("a.md");
        tree.file("b.txt");
        tree.file("with,comma");
        tree.file("d/c.md");
        tree.file("d/e/f.md");
        tree.file("d/.h.md");
        tree.link("d/link.md", "../a.md");
        tree.link("d/out.md", "/etc/hostname");
        const Access access = tree.access();
        CHECK(expanded(access, "a.md") == "a.md ");
        CHECK(expanded(access, "b.txt, a.md,a.md") == "b.txt a.md ");
        CHECK(expanded(access, "with,comma") == "with,comma ");
        CHECK(expanded(access, "*.md") == "a.md d/c.md d/e/f.md d/link.md ");
        CHECK(expanded(access, "*.md", false) == "a.md ");
        CHECK(expanded(access, "d/*.{md,txt}", false) == "d/c.md d/link.md ");
        CHECK(expanded(access, "**/f.md") == "d/e/f.md ");
        CHECK(expanded(access, "d") == "d/c.md d/e/f.md d/link.md ");
        CHECK(expanded(access, "d", false) == "d/c.md d/link.md ");
        CHECK(expanded(access, (tree.root / "d").string() + "/*.md", false) == "d/c.md d/link.md ");
        CHECK(expanded(access, "a.md,none") == "a.md ");
        CHECK(expanded(access, "f.md") == "d/e/f.md ");  // found below, like patterns
        CHECK(expanded(access, "none") == "!failed");
        CHECK(expanded(access, "/etc/*") == "!path_not_allowed");
        CHECK(expanded(access, "a.md,/etc/hostname") == "!path_not_allowed");
        CHECK(expanded(access, "*.md", true, 2) == "a.md d/c.md +");
    }

    TEST_CASE("media by content and by name") {
        CHECK(image_format("\x89PNG\r\n\x1A\n....") == "png");
        CHECK(image_format("\xFF\xD8\xFF\xE0") == "jpeg");
        CHECK(image_format("GIF89a") == "gif");
        CHECK(image_format("RIFF....WEBPVP8") == "webp");
        CHECK(image_format("RIFF....WAVE") == "");
        CHECK(document_format("a.PDF") == "pdf");
        CHECK(document_format("a.markdown") == "md");
        CHECK(document_format("a.xyz") == "txt");
        CHECK(neutral_name("my report (1).pdf", "0123456789") == "my-report-1-01234567");
        CHECK(neutral_name(".pdf", "0123456789") == "pdf-01234567");
        CHECK(neutral_name("\xFF.x", "0123456789") == "file-01234567");
    }

    TEST_CASE("differences of files and folders") {
        const MadeTree tree;
        tree.file("a/same", "1\n");
        tree.file("b/same", "1\n");
        tree.file("a/changed", "1\n2\n3\n");
        tree.file("b/changed", "1\nzwei\n3\n");
        tree.file("a/gone");
        tree.file("b/new");
        tree.file("a/bin", std::string("\0\1", 2));
        tree.file("b/bin", std::string("\0\2", 2));
        const Access access = tree.access();
        const auto files = diff_paths(access, "a/changed", "b/changed", 10000, {});
        REQUIRE(files);
        CHECK(files->text ==
              "--- a/a/changed\n+++ b/b/changed\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3\n");
        CHECK(files->added == 1);
        const auto folders = diff_paths(access, "a", "b", 10000, {});
        REQUIRE(folders);
        CHECK(folders->files == 4);
        CHECK(folders->text.find("Only in a: gone\n") != std::string::npos);
        CHECK(folders->text.find("Only in b: new\n") != std::string::npos);
        CHECK(folders->text.find("Binary files a/bin and b/bin differ\n") != std::string::npos);
        CHECK(folders->text.find("same") == std::string::npos);
        CHECK(diff_paths(access, "a", "b", 20, {})->truncated);
        CHECK(diff_paths(access, "a/same", "b/same", 100, {})->text.empty());
        CHECK(why(diff_paths(access, "a", "b/same", 100, {})) == "/comparison_path");
        CHECK(why(diff_paths(access, "a/none", "b/same", 100, {})) == "failed");
        CHECK(why(diff_paths(access, "a", "/etc", 100, {})) == "path_not_allowed");
    }
}

}  // namespace
}  // namespace file_operations::test
