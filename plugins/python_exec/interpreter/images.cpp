#include "interpreter/images.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <toolhost/process_group.hpp>

namespace python_exec {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Format {
    std::string_view extension, name, begins;
};
constexpr Format kFormats[] = {
    {".png", "png", "\x89PNG\r\n"sv},    {".jpg", "jpeg", "\xff\xd8\xff"sv},
    {".jpeg", "jpeg", "\xff\xd8\xff"sv}, {".gif", "gif", "GIF8"sv},
    {".webp", "webp", "RIFF"sv},         {".svg", "svg", "<"sv},
};

const Format* format_of(const fs::path& file) {
    auto extension = file.extension().string();
    for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    for (const auto& format : kFormats)
        if (format.extension == extension) return &format;
    return nullptr;
}

// Follows no links: the picture must be the code's own. Empty if it cannot be read.
std::string read_picture(const fs::path& file, std::uintmax_t most) {
    const toolhost::OwnedDescriptor in(
        ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat info {};
    if (!in || ::fstat(in.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    std::string out(std::min<std::uintmax_t>(static_cast<std::uintmax_t>(info.st_size), most), 0);
    std::size_t got = 0;
    while (got < out.size()) {
        const ssize_t now = ::read(in.get(), out.data() + got, out.size() - got);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) break;
        got += static_cast<std::size_t>(now);
    }
    out.resize(got);
    return out;
}

}  // namespace

Pictures pictures_in(const fs::path& folder) {
    constexpr std::size_t kMaxFiles = 20000;  // a larger folder is not searched in each call
    Pictures out;
    std::error_code fault;
    fs::directory_iterator all(folder, fault), end;
    for (std::size_t i = 0; !fault && all != end && i < kMaxFiles; all.increment(fault), ++i) {
        struct stat info {};
        if (!format_of(all->path()) || ::lstat(all->path().c_str(), &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        out[all->path().filename().string()] = {
            info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::uintmax_t>(info.st_size)};
    }
    return out;
}

std::vector<Image> new_images(const fs::path& folder, const Wanted& wanted,
                              std::vector<std::string>& notes) {
    std::vector<Image> out;
    for (const auto& [name, seen] : pictures_in(folder)) {
        const auto old = wanted.before.find(name);
        if (old != wanted.before.end() && old->second == seen) continue;
        const auto leave_out = [&, &file = name](const std::string& why) {
            notes.push_back("image " + file + " omitted: " + why);
        };
        if (wanted.own && !wanted.own->contains(name)) {
            leave_out("other calls ran at the same time, and this one did not write it");
            continue;
        }
        if (out.size() >= wanted.most) {
            leave_out("only " + std::to_string(wanted.most) + " are allowed (max_images)");
            continue;
        }
        if (seen.second > wanted.most_bytes) {
            leave_out(std::to_string(seen.second) + " bytes, max_image_kb allows " +
                      std::to_string(wanted.most_bytes));
            continue;
        }
        const auto* format = format_of(name);
        auto bytes = read_picture(folder / name, wanted.most_bytes);
        if (!std::string_view(bytes).starts_with(format->begins)) {
            leave_out("its content is not " + std::string(format->name));
            continue;
        }
        out.push_back({name, std::string(format->name), std::move(bytes)});
    }
    return out;
}

}  // namespace python_exec
