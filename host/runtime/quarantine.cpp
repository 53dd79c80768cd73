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
// Stored per library: grants, folders and environments give ever new confinements.
constexpr std::size_t kMostConfinements = 32;
// Kept in memory: callers come and go without end.
constexpr std::size_t kMostUnwritten = 1024, kMostCallers = 1024;

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

std::string hashed(const std::string& text) {
    ContentHash hash;
    hash.add(text);
    return hash.hex();
}

std::string key_of(const CrashScope& scope) {
    std::string key;
    for (const auto* part : {&scope.path, &scope.sha256, &scope.confinement, &scope.caller})
        key.append(*part).push_back('\0');
    return key;
}

std::int64_t milliseconds_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(Standing::Clock::now().time_since_epoch()).count();
}

// A clock that was set back has left times that are still to come.
void drop_old(std::vector<std::int64_t>& times, std::chrono::seconds window) {
    const auto now = milliseconds_now();
    std::erase_if(times, [&](std::int64_t time) {
        return time > now || now - time > std::chrono::milliseconds(window).count();
    });
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
    for (auto [key, member] : {std::pair<const char*, std::string Entry::*>{"path", &Entry::path},
                               {"sha256", &Entry::sha256},
                               {"confinement", &Entry::confinement},
                               {"since", &Entry::since},
                               {"reason", &Entry::reason}}) {
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
                 {"confinement", confinement},
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

void Quarantine::Entry::add_crash(const std::string& why, std::uint32_t most,
                                  std::chrono::seconds window) {
    drop_old(times, window);
    if (times.size() == kMostTimes) times.erase(times.begin());
    times.push_back(milliseconds_now());
    crashes = static_cast<std::uint32_t>(times.size());
    reason = shortened(why);
    if (crashes >= most && since.empty()) since = utc_now();
}

Quarantine::Quarantine(std::string folder) : folder_(std::move(folder)) {}

Quarantine::Entry Quarantine::fresh(const CrashScope& scope) {
    Entry entry;
    entry.path = resolved(scope.path);
    entry.sha256 = scope.sha256;
    entry.confinement = hashed(scope.confinement);
    return entry;
}

// All of a library begin alike.
std::string Quarantine::file_of(const Entry& entry) const {
    return folder_ + '/' + hashed(entry.path) + '-' + entry.confinement.substr(0, 32) +
           kEntryEnding;
}

std::vector<std::string> Quarantine::files_of(const std::string& path) const {
    std::vector<std::string> files;
    if (folder_.empty()) return files;
    const auto start = hashed(path);
    boost::system::error_code fault;
    for (fs::directory_iterator it(folder_, fault), end; !fault && it != end; it.increment(fault))
        if (it->path().filename().string().starts_with(start)) files.push_back(it->path().string());
    return files;
}

Quarantine::Entry Quarantine::read(const CrashScope& scope) const {
    auto none = fresh(scope);
    const auto file = file_of(none);
    if (auto it = unwritten_.find(file); it != unwritten_.end() && it->second.sha256 == none.sha256)
        return it->second;
    std::string text;
    if (folder_.empty() || !read_own_file(file, kMaxEntryBytes, text)) return none;
    auto entry = Entry::parse(text);
    // Looking removes nothing: who looks may know an older content than who wrote it.
    if (!entry || entry->path != none.path || entry->sha256 != none.sha256 ||
        entry->confinement != none.confinement)
        return none;
    return *std::move(entry);
}

bool Quarantine::write(const Entry& entry) const {
    if (folder_.empty()) return false;
    boost::system::error_code fault;
    if (fs::create_directories(folder_, fault)) ::chmod(folder_.c_str(), S_IRWXU);
    const auto file = file_of(entry);
    if (!fs::exists(file, fault)) {
        auto others = files_of(entry.path);
        const auto age = [](const std::string& one) {
            boost::system::error_code gone;
            return fs::last_write_time(one, gone);
        };
        std::ranges::sort(others, {}, age);
        for (std::size_t i = 0; i + kMostConfinements <= others.size(); ++i)
            ::unlink(others[i].c_str());
    }
    return write_by_rename(file, entry.text());
}

Standing Quarantine::find(const CrashScope& scope) const {
    std::lock_guard lock(mutex_);
    const auto entry = read(scope);
    auto standing = entry.standing();
    const auto* own = standing.quarantined ? nullptr : of_caller(scope);
    if (!own) return standing;
    const auto crashes = own->standing();
    standing.crashes.insert(standing.crashes.end(), crashes.crashes.begin(), crashes.crashes.end());
    std::ranges::sort(standing.crashes);
    standing.quarantined = crashes.quarantined;
    standing.for_caller = true;
    return standing;
}

const Quarantine::CallerEntry* Quarantine::of_caller(const CrashScope& scope) const {
    if (scope.caller.empty() || by_caller_.empty()) return nullptr;
    const auto own = by_caller_.find(key_of(scope));
    if (own == by_caller_.end()) return nullptr;
    drop_old(own->second.times, own->second.window);
    if (!own->second.times.empty()) return &own->second;
    by_caller_.erase(own);  // its window is over
    return nullptr;
}

bool Quarantine::crashed_for_caller(const CrashScope& scope) const {
    std::lock_guard lock(mutex_);
    return of_caller(scope) != nullptr;
}

Standing Quarantine::note_crash(const CrashScope& scope, const std::string& reason,
                                std::uint32_t most, std::chrono::seconds window) const {
    std::lock_guard lock(mutex_);
    if (!scope.caller.empty()) return note_for_caller(scope, reason, most, window);
    auto entry = read(scope);
    entry.add_crash(reason, most, window);
    const auto file = file_of(entry);
    unwritten_.erase(file);
    if (!write(entry)) {
        if (unwritten_.size() >= kMostUnwritten) unwritten_.erase(unwritten_.begin());
        unwritten_[file] = entry;
    }
    return entry.standing();
}

Standing Quarantine::note_for_caller(const CrashScope& scope, const std::string& reason,
                                     std::uint32_t most, std::chrono::seconds window) const {
    if (by_caller_.size() >= kMostCallers) forget_old_callers();
    auto& entry = by_caller_.try_emplace(key_of(scope), CallerEntry{fresh(scope)}).first->second;
    entry.window = window;
    entry.add_crash(reason, most, window);
    auto standing = entry.standing();
    standing.for_caller = true;
    return standing;
}

// Those whose window is over; if that makes no room, the one that crashed longest ago.
void Quarantine::forget_old_callers() const {
    for (auto it = by_caller_.begin(); it != by_caller_.end();) {
        drop_old(it->second.times, it->second.window);
        it = it->second.times.empty() ? by_caller_.erase(it) : std::next(it);
    }
    if (by_caller_.size() < kMostCallers) return;
    by_caller_.erase(std::ranges::min_element(
        by_caller_, {}, [](const auto& one) { return one.second.times.back(); }));
}

std::optional<Quarantined> Quarantine::find_any(const std::string& path,
                                                const std::string& sha256) const {
    for (auto& entry : all())
        if (entry.path == resolved(path) && entry.sha256 == sha256) return std::move(entry);
    return {};
}

std::optional<Quarantined> Quarantine::lift(const std::string& path) const {
    std::lock_guard lock(mutex_);
    const auto real = resolved(path);
    const auto is_its = [&](const auto& one) { return one.second.path == real; };
    std::erase_if(unwritten_, is_its);
    std::erase_if(by_caller_, is_its);
    std::optional<Quarantined> lifted;
    for (const auto& file : files_of(real)) {
        std::string text;
        auto entry = read_own_file(file, kMaxEntryBytes, text) ? Entry::parse(text) : std::nullopt;
        // A damaged one holds nobody back, and goes too.
        if (::unlink(file.c_str()) != 0 || !entry || entry->path != real || entry->since.empty())
            continue;
        if (!lifted || lifted->since < entry->since) lifted = *std::move(entry);
    }
    return lifted;
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
        if (entry && !entry->since.empty() && file_of(*entry) == it->path().string())
            out.push_back(*std::move(entry));
    }
    std::ranges::sort(out, {}, &Quarantined::path);
    return out;
}

}  // namespace toolhost::runtime
