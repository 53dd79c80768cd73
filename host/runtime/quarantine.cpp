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
constexpr std::size_t kMostTimes = 1000;
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

// The end of what a plugin wrote says more than its start.
std::string shortened(const std::string& reason) {
    if (reason.size() <= kMaxReasonBytes) return reason;
    return "..." + reason.substr(reason.size() - kMaxReasonBytes);
}

}  // namespace

std::optional<Quarantine::Entry> Quarantine::Entry::parse(const std::string& text) {
    auto json = parse_json(text);
    if (!json || !json->is_object()) return {};
    Entry entry;
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
    if (auto times = json->find("times"); times != json->end() && times->is_array())
        for (const auto& time : *times)
            if (time.is_number_integer()) entry.times.push_back(time.get<std::int64_t>());
    return entry;
}

std::string Quarantine::Entry::text() const {
    return dump({{"path", path},
                 {"sha256", sha256},
                 {"since", since},
                 {"crashes", crashes},
                 {"reason", reason},
                 {"times", times}},
                2) +
           '\n';
}

Standing Quarantine::Entry::standing() const {
    Standing out;
    for (auto time : times) out.crashes.emplace_back(std::chrono::milliseconds(time));
    if (!since.empty()) out.quarantined = *this;
    return out;
}

Quarantine::Quarantine(std::string folder) : folder_(std::move(folder)) {}

std::string Quarantine::file_of(const std::string& path) const {
    ContentHash hash;
    hash.add(path);
    return folder_ + '/' + hash.hex() + kEntryEnding;
}

std::optional<Quarantine::Entry> Quarantine::read(const std::string& path,
                                                  const std::string& sha256) const {
    if (auto it = unwritten_.find(path); it != unwritten_.end() && it->second.sha256 == sha256)
        return it->second;
    std::string text;
    if (folder_.empty() || !read_own_file(file_of(path), kMaxEntryBytes, text)) return {};
    auto entry = Entry::parse(text);
    // Looking removes nothing: who looks may know an older content than who wrote it.
    if (!entry || entry->path != path || entry->sha256 != sha256) return {};
    return entry;
}

bool Quarantine::write(const Entry& entry) const {
    if (folder_.empty()) return false;
    boost::system::error_code fault;
    if (fs::create_directories(folder_, fault)) ::chmod(folder_.c_str(), S_IRWXU);
    return write_by_rename(file_of(entry.path), entry.text());
}

Standing Quarantine::find(const std::string& path, const std::string& sha256) const {
    std::lock_guard lock(mutex_);
    const auto entry = read(resolved(path), sha256);
    return entry ? entry->standing() : Standing();
}

Standing Quarantine::note_crash(const std::string& path, const std::string& sha256,
                                const std::string& reason, std::uint32_t most,
                                std::chrono::seconds window) const {
    using std::chrono::milliseconds;
    std::lock_guard lock(mutex_);
    const auto real = resolved(path);
    auto entry = read(real, sha256).value_or(Entry{{real, sha256, "", 0, ""}, {}});
    const auto now =
        std::chrono::duration_cast<milliseconds>(Standing::Clock::now().time_since_epoch()).count();
    // A clock that was set back has left times that are still to come.
    std::erase_if(entry.times, [&](std::int64_t time) {
        return time > now || now - time > milliseconds(window).count();
    });
    if (entry.times.size() == kMostTimes) entry.times.erase(entry.times.begin());
    entry.times.push_back(now);
    entry.crashes = static_cast<std::uint32_t>(entry.times.size());
    entry.reason = shortened(reason);
    if (entry.crashes >= most && entry.since.empty()) entry.since = utc_now();
    unwritten_.erase(real);
    if (!write(entry)) unwritten_[real] = entry;
    return entry.standing();
}

std::optional<Quarantined> Quarantine::lift(const std::string& path) const {
    std::lock_guard lock(mutex_);
    const auto real = resolved(path);
    unwritten_.erase(real);
    if (folder_.empty()) return {};
    const auto file = file_of(real);
    std::string text;
    auto entry = read_own_file(file, kMaxEntryBytes, text) ? Entry::parse(text) : std::nullopt;
    // A damaged one holds nobody back, and goes too.
    if (::unlink(file.c_str()) != 0 || !entry || entry->path != real || entry->since.empty())
        return {};
    return *std::move(entry);
}

std::vector<Quarantined> Quarantine::all() const {
    std::vector<Quarantined> out;
    if (folder_.empty()) return out;
    boost::system::error_code fault;
    for (fs::directory_iterator it(folder_, fault), end; !fault && it != end; it.increment(fault)) {
        std::string text;
        if (it->path().extension() != kEntryEnding ||
            !read_own_file(it->path().string(), kMaxEntryBytes, text))
            continue;
        auto entry = Entry::parse(text);
        // A file that was copied here under another name would never be found.
        if (entry && !entry->since.empty() && file_of(entry->path) == it->path().string())
            out.push_back(*std::move(entry));
    }
    std::sort(out.begin(), out.end(),
              [](const Quarantined& a, const Quarantined& b) { return a.path < b.path; });
    return out;
}

}  // namespace toolhost::runtime
