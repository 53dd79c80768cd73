#include "host/worker/quarantine.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/os/descriptor.hpp"

namespace toolhost::worker {
namespace fs = boost::filesystem;
namespace {

constexpr std::size_t kMaxEntryBytes = 64 << 10;
constexpr const char* kEntryEnding = ".json";
// Stored per library: grants, folders and environments give ever new confinements.
constexpr std::size_t kMaxConfinements = 32;
constexpr std::size_t kMaxUnwritten = 1024;  // kept in memory

bool write_by_rename(const std::string& file, const std::string& content) {
    std::string temporary = file + ".XXXXXX";
    os::Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!out) return false;
    if (os::write_all(out.get(), content) && ::rename(temporary.c_str(), file.c_str()) == 0)
        return true;
    const int why = errno;
    ::unlink(temporary.c_str());
    errno = why;
    return false;
}

CrashScope everyone(CrashScope scope) {
    scope.principal.clear();
    return scope;
}

}  // namespace

Quarantine::Quarantine(std::string folder) : folder_(std::move(folder)) {}

// All of a library begin alike.
std::string Quarantine::file_of(const CrashEntry& entry) const {
    return folder_ + '/' + hashed_text(entry.path) + '-' + entry.confinement.substr(0, 32) +
           kEntryEnding;
}

std::vector<std::string> Quarantine::files_of(const std::string& path) const {
    std::vector<std::string> files;
    if (folder_.empty()) return files;
    const auto start = hashed_text(path);
    boost::system::error_code fault;
    for (fs::directory_iterator it(folder_, fault), end; !fault && it != end; it.increment(fault))
        if (it->path().filename().string().starts_with(start)) files.push_back(it->path().string());
    return files;
}

CrashEntry Quarantine::read(const CrashScope& scope) const {
    auto none = CrashEntry::of(scope);
    const auto file = file_of(none);
    if (auto it = unwritten_.find(file);
        it != unwritten_.end() && it->second.identity == none.identity)
        return it->second;
    std::string text;
    if (folder_.empty() || !os::read_own_file(file, kMaxEntryBytes, text)) return none;
    auto entry = CrashEntry::parse(text);
    // Reading removes nothing: the reader may know an older content than the writer.
    if (!entry || entry->path != none.path || entry->identity != none.identity ||
        entry->confinement != none.confinement)
        return none;
    return *std::move(entry);
}

bool Quarantine::write(const CrashEntry& entry) const {
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
        for (std::size_t i = 0; i + kMaxConfinements <= others.size(); ++i)
            ::unlink(others[i].c_str());
    }
    return write_by_rename(file, entry.text());
}

CrashHistory Quarantine::find(const CrashScope& scope) const {
    MutexLock lock(mutex_);
    auto history = read(scope).history();
    const auto add = [&](const CrashScope& of, CrashHistory::Extent extent) REQUIRES(mutex_) {
        const auto* entry = history.quarantined ? nullptr : in_memory_.find(of);
        if (!entry) return;
        const auto more = entry->history();
        history.crashes.insert(history.crashes.end(), more.crashes.begin(), more.crashes.end());
        history.quarantined = more.quarantined;
        history.extent = extent;
    };
    add(everyone(scope), CrashHistory::Extent::for_window);
    if (!scope.principal.empty()) add(scope, CrashHistory::Extent::for_principal);
    std::ranges::sort(history.crashes);
    return history;
}

bool Quarantine::crashed_for_principal(const CrashScope& scope) const {
    MutexLock lock(mutex_);
    return !scope.principal.empty() && in_memory_.find(scope) != nullptr;
}

CrashHistory Quarantine::note_crash(const CrashScope& scope, const std::string& reason,
                                    std::uint32_t most, std::chrono::seconds window,
                                    CrashPlace place) const {
    MutexLock lock(mutex_);
    if (!scope.principal.empty()) {
        const bool at_start = place == CrashPlace::start;
        auto history = in_memory_.note(at_start ? everyone(scope) : scope, reason, most, window,
                                       place != CrashPlace::shared_worker);
        history.extent =
            at_start ? CrashHistory::Extent::for_window : CrashHistory::Extent::for_principal;
        return history;
    }
    auto entry = read(scope);
    entry.add_crash(reason, most, window);
    const auto file = file_of(entry);
    unwritten_.erase(file);
    if (!write(entry)) {
        if (unwritten_.size() >= kMaxUnwritten) unwritten_.erase(unwritten_.begin());
        unwritten_[file] = entry;
    }
    return entry.history();
}

std::optional<Quarantined> Quarantine::find_any(const std::string& path,
                                                const std::string& identity) const {
    for (auto& entry : all())
        if (entry.path == resolved_path(path) && entry.identity == identity)
            return std::move(entry);
    return {};
}

std::optional<Quarantined> Quarantine::lift(const std::string& path) const {
    MutexLock lock(mutex_);
    const auto real = resolved_path(path);
    const auto is_its = [&](const auto& one) { return one.second.path == real; };
    std::erase_if(unwritten_, is_its);
    in_memory_.forget(real);
    std::optional<Quarantined> lifted;
    for (const auto& file : files_of(real)) {
        std::string text;
        auto entry =
            os::read_own_file(file, kMaxEntryBytes, text) ? CrashEntry::parse(text) : std::nullopt;
        // A damaged file has no effect and is removed too.
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
            !os::read_own_file(it->path().string(), kMaxEntryBytes, text))
            continue;
        auto entry = CrashEntry::parse(text);
        // A file that was copied here under another name would never be found.
        if (entry && !entry->since.empty() && file_of(*entry) == it->path().string())
            out.push_back(*std::move(entry));
    }
    std::ranges::sort(out, {}, &Quarantined::path);
    return out;
}

}  // namespace toolhost::worker
