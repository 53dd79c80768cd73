#include "tests/integration/broken_files.hpp"

#include <elf.h>
#include <sys/stat.h>

#include <array>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

#include "tests/integration/harness.hpp"

namespace toolhost::test {
namespace {

std::string good_library() {
    return read_file(fixture_library("echo"));
}

template <class T>
T read_at(const std::string& bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <class T>
void write_at(std::string& bytes, std::size_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// A copy of a valid library with another ELF header.
void with_header(const fs::path& at, const std::function<void(Elf64_Ehdr&)>& change) {
    auto bytes = good_library();
    auto header = read_at<Elf64_Ehdr>(bytes, 0);
    change(header);
    write_at(bytes, 0, header);
    write_file(at, bytes);
}

void with_sections(const fs::path& at, const std::function<void(Elf64_Shdr&)>& change) {
    auto bytes = good_library();
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const auto offset = header.e_shoff + i * header.e_shentsize;
        auto section = read_at<Elf64_Shdr>(bytes, offset);
        change(section);
        write_at(bytes, offset, section);
    }
    write_file(at, bytes);
}

void foreign_machine(const fs::path& at) {
    with_header(at, [](Elf64_Ehdr& header) { header.e_machine = EM_AARCH64; });
}

void other_word_size(const fs::path& at) {
    with_header(at, [](Elf64_Ehdr& header) {
        header.e_ident[EI_CLASS] = ELFCLASS32;
        header.e_machine = EM_386;
    });
}

void object_file(const fs::path& at) {
    with_header(at, [](Elf64_Ehdr& header) { header.e_type = ET_REL; });
}

void claim_a_gigabyte(Elf64_Shdr& section) {
    if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB ||
        section.sh_type == SHT_STRTAB)
        section.sh_size = 1u << 30;
}

void windows_library(const fs::path& at) {
    std::string bytes(512, '\0');
    bytes.replace(0, 2, "MZ");
    write_at<std::uint32_t>(bytes, 0x3c, 0x80);  // the position of the PE header
    bytes.replace(0x80, 4, std::string("PE\0\0", 4));
    write_file(at, bytes);
}

void mac_library(const fs::path& at) {
    std::string bytes(512, '\0');
    write_at<std::uint32_t>(bytes, 0, 0xfeedfacf);
    write_file(at, bytes);
}

// As if built on a newer distribution.
void newer_libc(const fs::path& at) {
    auto bytes = good_library();
    const std::string here = "GLIBC_2.2.5", newer = "GLIBC_9.9.9";
    const auto found = bytes.find(here);
    if (found == std::string::npos) throw std::runtime_error("echo imports nothing of " + here);
    for (auto pos = found; pos != std::string::npos; pos = bytes.find(here, pos))
        bytes.replace(pos, here.size(), newer);
    write_file(at, bytes);
}

void fifo(const fs::path& at) {
    if (::mkfifo(at.c_str(), 0644) != 0) throw std::runtime_error("mkfifo " + at.string());
}

void half(const fs::path& at) {
    const auto all = good_library();
    write_file(at, all.substr(0, all.size() / 2));
}

void sparse_giant(const fs::path& at) {
    write_file(at, good_library());
    fs::resize_file(at, (std::uintmax_t{1} << 30) + 1);
}

constexpr std::array kFiles = {
    BrokenFile{"not_a_library", "not_a_library",
               [](const fs::path& at) { write_file(at, "#!/bin/sh\necho no library\n"); }},
    BrokenFile{"object_file", "not_a_library", object_file},
    BrokenFile{"aarch64_library", "other_machine", foreign_machine},
    BrokenFile{"elf_of_32_bits", "other_machine", other_word_size},
    BrokenFile{"windows_library", "other_platform", windows_library},
    BrokenFile{"mac_library", "other_platform", mac_library},
    BrokenFile{"empty_file", "empty_file", [](const fs::path& at) { write_file(at, ""); }},
    BrokenFile{"truncated_library", "truncated", half},
    BrokenFile{"truncated_header", "truncated",
               [](const fs::path& at) { write_file(at, good_library().substr(0, 40)); }},
    BrokenFile{"section_claims_a_gigabyte", "damaged",
               [](const fs::path& at) { with_sections(at, claim_a_gigabyte); }},
    BrokenFile{"symlink_loop", "symlink_loop",
               [](const fs::path& at) { fs::create_symlink(at.filename(), at); }},
    BrokenFile{"dangling_link", "dangling_link",
               [](const fs::path& at) { fs::create_symlink("nowhere.so", at); }},
    BrokenFile{"fifo", "not_regular_file", fifo},
    BrokenFile{"larger_than_1_gib", "too_large", sparse_giant},
    BrokenFile{"needs_newer_libc", "load_failed", newer_libc},
};

}  // namespace

std::span<const BrokenFile> broken_files() {
    return kFiles;
}

}  // namespace toolhost::test
