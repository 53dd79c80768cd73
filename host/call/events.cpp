#include "host/call/events.hpp"

#include <spdlog/spdlog.h>
#include <time.h>

#include <chrono>

#include "host/registry/json_text.hpp"

namespace toolhost::call {
namespace {

// Events may carry an input, not a file that was sent as one.
constexpr std::size_t kMaxInput = 8192;

// Builds lines without a JSON document in between: calls are counted in microseconds. Keys come
// with their quotes and what stands around them.
class Lines {
public:
    explicit Lines(const CallIdentity& call)
        : text_(memory()), call_(call), now_(std::chrono::system_clock::now()) {
        text_.clear();
    }

    // What belongs to no field: {"event":"NAME","time":"
    void begin(std::string_view start) {
        if (!text_.empty()) text_ += "}\n";
        text_ += start;
        append_time();
        if (call_.fields.empty()) call_.fields = fields_of();
        text_ += call_.fields;
    }
    void add(std::string_view key, std::string_view value) {
        text_ += key;
        append_json_text(text_, value);
    }
    void add(std::string_view key, std::int64_t value) { add_json(key, std::to_string(value)); }
    void add_json(std::string_view key, std::string_view json) { text_.append(key).append(json); }
    void write_to(spdlog::logger& log) {
        text_ += '}';
        log.log(now_, spdlog::source_loc{}, spdlog::level::info, text_);
    }

private:
    // Kept over lines; a thread writes those of one event at a time.
    static std::string& memory() {
        thread_local std::string text;
        return text;
    }

    // The same in every line of a call.
    std::string fields_of() {
        const auto start = text_.size();
        add(R"(,"toolUseId":)", call_.use_id);
        if (!call_.parent_use_id.empty()) add(R"(,"parentUseId":)", call_.parent_use_id);
        add(R"(,"tool":)", call_.tool);
        add(R"(,"version":)", call_.version);
        add(R"(,"profile":)", call_.profile);
        if (!call_.client.empty()) add(R"(,"client":)", call_.client);
        auto fields = text_.substr(start);
        text_.resize(start);
        return fields;
    }

    // RFC 3339 in UTC, with microseconds. The seconds' text is kept: it is most of the work.
    void append_time() {
        thread_local time_t second = -1;
        thread_local char text[32];
        using namespace std::chrono;
        auto rest = duration_cast<microseconds>(now_.time_since_epoch()).count();
        const auto now = static_cast<time_t>(rest / 1'000'000);
        if (now != second) {
            second = now;
            tm parts{};
            ::gmtime_r(&second, &parts);
            ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
        }
        text_ += text;
        char digits[] = "000000Z\"";
        rest %= 1'000'000;
        for (int i = 5; i >= 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
        text_.append(digits, sizeof digits - 1);
    }

    std::string& text_;
    const CallIdentity& call_;
    const std::chrono::system_clock::time_point now_;
};

// For people: what strangers wrote must neither steer a terminal nor start a line of its own.
std::string plain(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    return out;
}

std::string label(const CallIdentity& call) {
    return plain(std::string(call.use_id) + ": " + call.tool +
                 (call.version.empty() ? "" : ' ' + call.version));
}

}  // namespace

Events::Events(std::shared_ptr<spdlog::logger> lines) : lines_(std::move(lines)) {}

void Events::tool_before(const CallIdentity& call, std::string_view input_json, bool judged) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} called, profile {}", label(call), call.profile);
    if (!lines_) return;
    Lines lines(call);
    lines.begin(R"({"event":"hook.tool.before","time":")");
    if (input_json.size() <= kMaxInput)
        lines.add_json(R"(,"input":)", input_json);
    else
        lines.add(R"(,"inputBytes":)", static_cast<std::int64_t>(input_json.size()));
    if (judged) lines.begin(R"({"event":"hook.policy.before","time":")");
    lines.write_to(*lines_);
}

void Events::policy_deny(const CallIdentity& call, std::string_view reason,
                         const Error& error) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} denied, {}: {}", label(call), plain(reason), plain(error.message));
    if (!lines_) return;
    Lines lines(call);
    lines.begin(R"({"event":"hook.policy.deny","time":")");
    lines.add(R"(,"reason":)", reason);
    lines.add(R"(,"code":)", info(error.code).name);
    lines.add(R"(,"message":)", error.message);
    lines.write_to(*lines_);
}

void Events::tool_after(const CallIdentity& call, const Error* error, std::int64_t duration_us,
                        std::size_t output_bytes, policy::Isolation isolation,
                        std::string_view sandbox) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} {} after {:.3f} ms", label(call),
                     error ? "ended with " + std::string(info(error->code).name) : "succeeded",
                     static_cast<double>(duration_us) / 1000);
    if (!lines_) return;
    Lines lines(call);
    lines.begin(R"({"event":"hook.tool.after","time":")");
    lines.add(R"(,"status":)", error ? "error" : "ok");
    if (error) lines.add(R"(,"code":)", info(error->code).name);
    lines.add(R"(,"durationUs":)", duration_us);
    lines.add(R"(,"outputBytes":)", static_cast<std::int64_t>(output_bytes));
    if (!sandbox.empty()) {
        lines.add(R"(,"isolation":)",
                  isolation == policy::Isolation::process ? "process" : "in_process");
        lines.add(R"(,"sandbox":)", sandbox);
    }
    lines.write_to(*lines_);
}

}  // namespace toolhost::call
