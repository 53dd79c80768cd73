#include "host/discovery/binary_format.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "host/os/descriptor.hpp"

namespace toolhost::discovery {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr Elf64_Half kMachine = EM_RISCV;
#else
#error "name this processor's ELF machine here"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr unsigned char kByteOrder = ELFDATA2LSB;
#else
constexpr unsigned char kByteOrder = ELFDATA2MSB;
#endif

struct Magic {
    std::string_view bytes;
    std::string_view what;
};
using namespace std::string_view_literals;
constexpr Magic kForeign[] = {
    {"MZ"sv, "a Windows library"},
    {"\xCF\xFA\xED\xFE"sv, "a macOS library"},
    {"\xFE\xED\xFA\xCF"sv, "a macOS library"},
    {"\xCA\xFE\xBA\xBE"sv, "a macOS universal library"},
};

struct MachineName {
    Elf64_Half machine;
    std::string_view name;
};
constexpr MachineName kMachines[] = {
    {EM_X86_64, "x86-64"}, {EM_AARCH64, "aarch64"}, {EM_386, "32-bit x86"}, {EM_ARM, "32-bit ARM"},
    {EM_RISCV, "RISC-V"},  {EM_PPC64, "POWER"},     {EM_S390, "s390"}};

std::string machine_name(Elf64_Half machine) {
    for (const auto& known : kMachines)
        if (known.machine == machine) return std::string(known.name);
    return "machine " + std::to_string(machine);
}

bool read_at(int fd, std::uint64_t offset, void* into, std::size_t size) {
    auto* at = static_cast<char*>(into);
    while (size > 0) {
        ssize_t got = ::pread(fd, at, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool fits(std::uint64_t offset, std::uint64_t size, std::uint64_t file) {
    return offset <= file && size <= file - offset;
}

// Segments first: a truncated file often lacks them. Sections out of range mean a damaged file.
std::optional<FormatFault> check_tables(int fd, const Elf64_Ehdr& header, std::uint64_t file) {
    if (header.e_phentsize != sizeof(Elf64_Phdr) ||
        !fits(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), file))
        return FormatFault{Reason::truncated, "program headers lie outside the file"};
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    if (!read_at(fd, header.e_phoff, segments.data(), segments.size() * sizeof(Elf64_Phdr)))
        return FormatFault{Reason::truncated, "program headers cannot be read"};
    for (const auto& segment : segments)
        if (segment.p_type == PT_LOAD && !fits(segment.p_offset, segment.p_filesz, file))
            return FormatFault{Reason::truncated,
                               "it has " + std::to_string(file) + " bytes, but needs " +
                                   std::to_string(segment.p_offset + segment.p_filesz)};
    if (header.e_shnum == 0) return FormatFault{Reason::damaged, "no section table"};
    if (header.e_shentsize != sizeof(Elf64_Shdr) ||
        !fits(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), file))
        return FormatFault{Reason::truncated, "section table lies outside the file"};
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (!read_at(fd, header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr)))
        return FormatFault{Reason::truncated, "section table cannot be read"};
    if (header.e_shstrndx >= sections.size())
        return FormatFault{Reason::damaged, "no table of section names"};
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (sections[i].sh_type != SHT_NOBITS && sections[i].sh_type != SHT_NULL &&
            !fits(sections[i].sh_offset, sections[i].sh_size, file))
            return FormatFault{Reason::damaged, "section " + std::to_string(i) + " claims " +
                                                    std::to_string(sections[i].sh_size) +
                                                    " bytes of a file of " + std::to_string(file)};
    return std::nullopt;
}

std::optional<FormatFault> check_elf(int fd, std::uint64_t file) {
    Elf64_Ehdr header{};
    if (file < EI_NIDENT + 4 || !read_at(fd, 0, &header, EI_NIDENT + 4))
        return FormatFault{Reason::truncated, "the file ends within its first header"};
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != kByteOrder ||
        header.e_machine != kMachine)
        return FormatFault{Reason::other_machine, "built for " + machine_name(header.e_machine) +
                                                      ", this machine is " +
                                                      machine_name(kMachine)};
    if (file < sizeof header || !read_at(fd, 0, &header, sizeof header))
        return FormatFault{Reason::truncated, "the file ends within its first header"};
    if (header.e_type != ET_DYN)
        return FormatFault{Reason::not_a_library, "an ELF file, but not a shared library"};
    return check_tables(fd, header, file);
}

}  // namespace

std::optional<FormatFault> check_format(int fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) return FormatFault{Reason::unreadable, os::system_message(errno)};
    char start[4] = {};
    const auto file = static_cast<std::uint64_t>(info.st_size);
    if (!read_at(fd, 0, start, std::min<std::size_t>(sizeof start, file)))
        return FormatFault{Reason::unreadable, os::system_message(errno)};
    std::string_view magic(start, sizeof start);
    if (magic == std::string_view(ELFMAG, SELFMAG)) return check_elf(fd, file);
    for (const auto& foreign : kForeign)
        if (magic.starts_with(foreign.bytes))
            return FormatFault{Reason::other_platform, "it is " + std::string(foreign.what)};
    return FormatFault{Reason::not_a_library, "not a shared library"};
}

}  // namespace toolhost::discovery
