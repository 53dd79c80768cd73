#include "host/runtime/quarantine.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cerrno>
#include <ctime>

#include "host/registry/json_text.hpp"
#include "host/runtime/content_hash.hpp"
#include "host/runtime/descriptor.hpp"

namespace toolhost::runtime {
namespace fs = boost::filesystem;
namespace {

constexpr std::size_t kMaxEntryBytes = 64 << 10;
constexpr std::size_t kMaxReasonBytes = 8 << 10;
constexpr const char* kEntryEnding = ".json";

// One library, whatever links or relative paths lead to it.
std::string resolved(const std::string& path) {
    boost::system::error_code fault;
    auto real = fs::weakly_canonical(fs::absolute(path), fault);
    return fault ? path : real.string();
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    const auto size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, size};
}

std::optional<Quarantined> read_entry(const std::string& file) {
    std::string text;
    if (!read_file(file, kMaxEntryBytes, text)) return {};
    auto json = parse_json(text);
    if (!json || !json->is_object()) return {};
    Quarantined entry;
    for (auto [key, member] : {std::pair{"path", &Quarantined::path},
                               {"sha256", &Quarantined::sha256},
                               {"since", &Quarantined::since},
                               {"reason", &Quarantined::reason}}) {
        auto it = json->find(key);
        if (it == json->end() || !it->is_string()) return {};
        entry.*member = it->get<std::string>();
    }
    auto crashes = json->find("crashes");
    if (crashes == json->end() || !crashes->is_number_unsigned()) return {};
    entry.crashes = crashes->get<std::uint32_t>();
    return entry;
}

bool write_by_rename(const std::string& file, const std::string& content) {
    std::string temporary = file + ".XXXXXX";
    Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!out) return false;
    if (write_all(out.get(), content) && ::rename(temporary.c_str(), file.c_str()) == 0)
        return true;
    const int why = errno;
    ::unlink(temporary.c_str());
    errno = why;
    return false;
}

}  // namespace

Quarantine::Quarantine(std::string folder) : folder_(std::move(folder)) {}

std::string Quarantine::file_of(const std::string& path) const {
    ContentHash hash;
    hash.add(path);
    return folder_ + '/' + hash.hex() + kEntryEnding;
}

std::optional<Quarantined> Quarantine::find(const std::string& path,
                                            const std::string& sha256) const {
    if (folder_.empty()) return {};
    const auto real = resolved(path);
    const auto file = file_of(real);
    auto entry = read_entry(file);
    if (!entry || entry->path != real) return {};
    if (entry->sha256 == sha256) return entry;
    ::unlink(file.c_str());
    return {};
}

bool Quarantine::put(Quarantined entry) const {
    if (folder_.empty()) return true;
    entry.path = resolved(entry.path);
    if (entry.since.empty()) entry.since = utc_now();
    // The end of what a plugin wrote says more than its start.
    if (entry.reason.size() > kMaxReasonBytes)
        entry.reason = "..." + entry.reason.substr(entry.reason.size() - kMaxReasonBytes);
    boost::system::error_code fault;
    if (fs::create_directories(folder_, fault)) ::chmod(folder_.c_str(), S_IRWXU);
    return write_by_rename(file_of(entry.path), dump({{"path", entry.path},
                                                      {"sha256", entry.sha256},
                                                      {"since", entry.since},
                                                      {"crashes", entry.crashes},
                                                      {"reason", entry.reason}},
                                                     2) +
                                                    '\n');
}

std::optional<Quarantined> Quarantine::lift(const std::string& path) const {
    if (folder_.empty()) return {};
    const auto real = resolved(path);
    const auto file = file_of(real);
    auto entry = read_entry(file);
    // A damaged one holds nobody back, and goes too.
    if (::unlink(file.c_str()) != 0 || !entry || entry->path != real) return {};
    return entry;
}

std::vector<Quarantined> Quarantine::all() const {
    std::vector<Quarantined> out;
    if (folder_.empty()) return out;
    boost::system::error_code fault;
    for (fs::directory_iterator it(folder_, fault), end; !fault && it != end; it.increment(fault)) {
        if (it->path().extension() != kEntryEnding) continue;
        auto entry = read_entry(it->path().string());
        // A file that was copied here under another name would never be found.
        if (entry && file_of(entry->path) == it->path().string()) out.push_back(*std::move(entry));
    }
    std::sort(out.begin(), out.end(),
              [](const Quarantined& a, const Quarantined& b) { return a.path < b.path; });
    return out;
}

}  // namespace toolhost::runtime
