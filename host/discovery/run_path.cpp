#include "host/discovery/run_path.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace toolhost::discovery {
namespace {

constexpr std::size_t kMaxEntries = 4096;  // per table of the file
constexpr std::size_t kLongestPath = 1u << 16;

// Reads one structure; a short read counts as missing.
template <class T>
std::vector<T> read_table(int fd, std::uint64_t offset, std::size_t count) {
    std::vector<T> table(std::min(count, kMaxEntries));
    const auto bytes = table.size() * sizeof(T);
    if (::pread(fd, table.data(), bytes, static_cast<off_t>(offset)) != static_cast<ssize_t>(bytes))
        table.clear();
    return table;
}

// The file offset of a mapped address.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments,
                                       std::uint64_t address) {
    for (const auto& segment : segments)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
            return segment.p_offset + (address - segment.p_vaddr);
    return std::nullopt;
}

std::string read_text(int fd, std::uint64_t offset) {
    std::string text(kLongestPath, '\0');
    const auto got = ::pread(fd, text.data(), text.size(), static_cast<off_t>(offset));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text.substr(0, text.find('\0'));
}

}  // namespace

std::vector<std::string> run_path(int fd) {
    const auto header = read_table<Elf64_Ehdr>(fd, 0, 1);
    if (header.empty() || header[0].e_phentsize != sizeof(Elf64_Phdr)) return {};
    const auto segments = read_table<Elf64_Phdr>(fd, header[0].e_phoff, header[0].e_phnum);
    std::vector<Elf64_Dyn> dynamic;
    for (const auto& segment : segments)
        if (segment.p_type == PT_DYNAMIC)
            dynamic =
                read_table<Elf64_Dyn>(fd, segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
    std::optional<std::uint64_t> texts, path;
    for (const auto& entry : dynamic) {
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag == DT_STRTAB) texts = offset_of(segments, entry.d_un.d_ptr);
        if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !path))
            path = entry.d_un.d_val;
    }
    if (!texts || !path) return {};
    std::vector<std::string> folders;
    const auto text = read_text(fd, *texts + *path);
    for (std::size_t start = 0; start < text.size();) {
        const auto end = std::min(text.find(':', start), text.size());
        if (end > start) folders.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return folders;
}

}  // namespace toolhost::discovery
