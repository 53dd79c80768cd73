#include "host/worker/crash_history.hpp"

#include <boost/filesystem.hpp>
#include <ctime>

#include "host/base/json_text.hpp"
#include "host/os/content_hash.hpp"

namespace toolhost::worker {
namespace {

constexpr std::size_t kMaxTimes = 1000;
constexpr std::size_t kMaxReasonBytes = 8 << 10;

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[32];
    const auto size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, size};
}

std::int64_t milliseconds_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(CrashHistory::Clock::now().time_since_epoch()).count();
}

// The end of what a plugin wrote says more than its start.
std::string shortened(const std::string& reason) {
    if (reason.size() <= kMaxReasonBytes) return reason;
    return "..." + reason.substr(reason.size() - kMaxReasonBytes);
}

}  // namespace

std::string resolved_path(const std::string& path) {
    namespace fs = boost::filesystem;
    boost::system::error_code fault;
    auto real = fs::weakly_canonical(fs::absolute(path), fault);
    return fault ? path : real.string();
}

std::string hashed_text(const std::string& text) {
    os::ContentHash hash;
    hash.add(text);
    return hash.hex();
}

CrashEntry CrashEntry::of(const CrashScope& scope) {
    CrashEntry entry;
    entry.path = resolved_path(scope.path);
    entry.identity = scope.identity;
    entry.confinement = hashed_text(scope.confinement);
    return entry;
}

std::optional<CrashEntry> CrashEntry::parse(const std::string& text) {
    auto json = parse_json(text);
    if (!json || !json->is_object()) return {};
    CrashEntry entry;
    for (auto [key, member] :
         {std::pair<const char*, std::string CrashEntry::*>{"path", &CrashEntry::path},
          {"identity", &CrashEntry::identity},
          {"confinement", &CrashEntry::confinement},
          {"since", &CrashEntry::since},
          {"reason", &CrashEntry::reason}}) {
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

std::string CrashEntry::text() const {
    return dump({{"path", path},
                 {"identity", identity},
                 {"confinement", confinement},
                 {"since", since},
                 {"crashes", crashes},
                 {"reason", reason},
                 {"times", times}},
                2) +
           '\n';
}

CrashHistory CrashEntry::history() const {
    CrashHistory out;
    for (auto time : times) out.crashes.emplace_back(std::chrono::milliseconds(time));
    if (!since.empty()) out.quarantined = *this;
    return out;
}

void CrashEntry::add_crash(const std::string& why, std::uint32_t most, std::chrono::seconds window,
                           bool may_quarantine) {
    drop_old(window);
    if (times.size() == kMaxTimes) times.erase(times.begin());
    times.push_back(milliseconds_now());
    crashes = static_cast<std::uint32_t>(times.size());
    reason = shortened(why);
    if (may_quarantine && crashes >= most && since.empty()) since = utc_now();
}

// A clock that was set back has left times that are still to come.
void CrashEntry::drop_old(std::chrono::seconds window) {
    const auto now = milliseconds_now();
    std::erase_if(times, [&](std::int64_t time) {
        return time > now || now - time > std::chrono::milliseconds(window).count();
    });
}

}  // namespace toolhost::worker
