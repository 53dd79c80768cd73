#include <fcntl.h>
#include <unistd.h>

#include "text/file_text.hpp"
#include "text/names.hpp"
#include "tree.hpp"

namespace file_operations::test {
namespace {

std::string decoded(const std::string& bytes, bool* replaced = nullptr) {
    return to_utf8(bytes, detect_encoding(bytes, true), replaced);
}

TEST_SUITE("text") {
    TEST_CASE("encodings by mark and by content") {
        using namespace std::string_literals;
        CHECK(detect_encoding("", true) == Encoding::utf8);
        // Whether the end is cut determines the encoding.
        CHECK(detect_encoding("caf\xE9", false) == Encoding::utf8);
        CHECK(detect_encoding("caf\xE9", true) == Encoding::windows1252);
        CHECK(detect_encoding("caf\xE9s\n", false) == Encoding::windows1252);
        CHECK(detect_encoding("plain", true) == Encoding::utf8);
        CHECK(detect_encoding("a\0b"s, true) == Encoding::binary);
        CHECK(detect_encoding("\x1F\x8B\x01\x02\x03\xFF\xFE\x80", true) == Encoding::binary);
        CHECK(decoded("\xEF\xBB\xBF\u00e9"s) == "\u00e9");
        CHECK(decoded("\xFF\xFE\xE9\0\x3D\xD8\x00\xDE"s) == "\u00e9\U0001F600");
        CHECK(decoded("\xFE\xFF\0\xE9"s) == "\u00e9");
        CHECK(decoded("\xFF\xFE\0\0\xE9\0\0\0"s) == "\u00e9");
        CHECK(decoded("\0\0\xFE\xFF\0\x01\xF6\0"s) == "\U0001F600");
        CHECK(decoded("caf\xE9 \x80 and more") == "caf\u00e9 \u20ac and more");
        bool replaced = false;
        CHECK(decoded("\xFF\xFE\x3D\xD8"s, &replaced) == "\uFFFD");
        CHECK(replaced);
    }

    TEST_CASE("pieces of any size give the same text") {
        const std::string text = "a\u00e9\u20ac\U0001F600z";
        for (std::size_t size = 1; size < text.size(); ++size) {
            Decoder decoder(Encoding::utf8);
            std::string out;
            for (std::size_t at = 0; at < text.size(); at += size) {
                decoder.decode(std::string_view(text).substr(at, size), at + size >= text.size(),
                               out);
            }
            CHECK(out == text);
            CHECK_FALSE(decoder.replaced());
        }
    }

    TEST_CASE("names are escaped and restored") {
        for (const std::string& name :
             {std::string("plain"), std::string("a\nb"), std::string("\xFF\\x"),
              std::string("tab\t\\\\"), std::string("\u00e9\x01")}) {
            const std::string shown = shown_name(name);
            CHECK(valid_utf8(shown) == shown);
            CHECK((shown == name || name_bytes(shown) == name));
        }
        CHECK(first_bytes("a\u00e9", 2) == "a");
    }

    TEST_CASE("lines: ends, the last one, long ones, other encodings") {
        const MadeTree tree;
        const auto lines = [&](const std::string& content) {
            tree.file("f", content);
            const Descriptor file(::open((tree.root / "f").c_str(), O_RDONLY | O_CLOEXEC));
            LineReader reader(file.get(), {});
            std::string out, line;
            while (reader.next(line)) out += std::to_string(reader.number()) + line + '|';
            return out;
        };
        CHECK(lines("") == "");
        CHECK(lines("a") == "1a|");
        CHECK(lines("a\n\nb\n") == "1a\n|2\n|3b\n|");
        CHECK(lines(std::string("\xFF\xFE"
                                "a\0\n\0b\0",
                                8)) == "1a\n|2b|");
        CHECK(lines(std::string(300000, 'x') + "\ny").size() == max_line_bytes + 1 + 1 + 3);
        CHECK(lines(std::string(262143, 'x') + "\u00e9\nlast").find("2last|") != std::string::npos);
    }

    TEST_CASE("counting, with holes of any size") {
        const MadeTree tree;
        tree.file("f", "a\nb");
        const Descriptor file(::open((tree.root / "f").c_str(), O_RDWR | O_CLOEXEC));
        const auto count = [&] { return *count_lines(file.get(), Encoding::utf8, {}, {}); };
        CHECK(count() == 2);
        REQUIRE(::ftruncate(file.get(), off_t{10} << 30) == 0);
        CHECK(count() == 2);
        const std::string end = "\nend\n";
        REQUIRE(::pwrite(file.get(), end.data(), end.size(), off_t{10} << 30) == 5);
        CHECK(count() == 3);
        CHECK(why(count_lines(file.get(), Encoding::utf8, [] { return true; }, {})) == "failed");
        CHECK(why(read_whole(file.get(), "f", 1000)) == "file_too_large");
    }
}

}  // namespace
}  // namespace file_operations::test
