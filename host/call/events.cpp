#include "host/call/events.hpp"

#include <spdlog/spdlog.h>
#include <time.h>

#include "host/registry/json_text.hpp"

namespace toolhost::call {
namespace {

// Events may carry an input, not a file that was sent as one.
constexpr std::size_t kMaxInput = 8192;

// Builds one line without a JSON document in between: calls are counted in microseconds.
class Line {
public:
    Line(std::string_view event, const CallIdentity& call) {
        text_ = "{\"event\":\"";
        text_ += event;
        text_ += "\",\"time\":\"";
        append_time();
        text_ += '"';
        if (call.fields.empty()) call.fields = fields_of(call);
        text_ += call.fields;
    }

    void add(std::string_view key, std::string_view value) {
        append_key(key);
        const bool plain = std::none_of(value.begin(), value.end(), [](char c) {
            const auto code = static_cast<signed char>(c);  // negative: not ASCII
            return code < 0x20 || code == 0x7F || c == '"' || c == '\\';
        });
        if (plain)
            text_.append(1, '"').append(value).append(1, '"');
        else
            text_ += dump(Json(std::string(value)));
    }
    void add(std::string_view key, std::int64_t value) { add_json(key, std::to_string(value)); }
    void add_json(std::string_view key, std::string_view json) {
        append_key(key);
        text_ += json;
    }
    std::string_view end() { return text_ += '}'; }

private:
    // The same in every line of a call.
    std::string fields_of(const CallIdentity& call) {
        const auto start = text_.size();
        add("toolUseId", call.use_id);
        if (!call.parent_use_id.empty()) add("parentUseId", call.parent_use_id);
        add("tool", call.tool);
        add("version", call.version);
        add("profile", call.profile);
        if (!call.client.empty()) add("client", call.client);
        auto fields = text_.substr(start);
        text_.resize(start);
        return fields;
    }

    void append_key(std::string_view key) { text_.append(",\"").append(key).append("\":"); }

    // RFC 3339 in UTC, with microseconds. The seconds' text is kept: it is most of the work.
    void append_time() {
        thread_local time_t second = -1;
        thread_local char text[32];
        timespec now{};
        ::clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec != second) {
            second = now.tv_sec;
            tm parts{};
            ::gmtime_r(&second, &parts);
            ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
        }
        text_ += text;
        char digits[] = "000000Z";
        auto rest = now.tv_nsec / 1000;
        for (int i = 5; i >= 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
        text_ += digits;
    }

    // Kept over lines, for its memory; a thread writes one line at a time.
    static thread_local std::string text_;
};
thread_local std::string Line::text_;

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

void Events::tool_before(const CallIdentity& call, std::string_view input_json) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} called, profile {}", label(call), call.profile);
    if (!lines_) return;
    Line line("hook.tool.before", call);
    if (input_json.size() <= kMaxInput)
        line.add_json("input", input_json);
    else
        line.add("inputBytes", static_cast<std::int64_t>(input_json.size()));
    lines_->info(line.end());
}

void Events::policy_before(const CallIdentity& call) const {
    if (lines_) lines_->info(Line("hook.policy.before", call).end());
}

void Events::policy_deny(const CallIdentity& call, std::string_view reason,
                         const Error& error) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} denied, {}: {}", label(call), plain(reason), plain(error.message));
    if (!lines_) return;
    Line line("hook.policy.deny", call);
    line.add("reason", reason);
    line.add("code", info(error.code).name);
    line.add("message", error.message);
    lines_->info(line.end());
}

void Events::tool_after(const CallIdentity& call, const Error* error, std::int64_t duration_us,
                        std::size_t output_bytes, policy::Isolation isolation,
                        std::string_view sandbox) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} {} after {:.3f} ms", label(call),
                     error ? "ended with " + std::string(info(error->code).name) : "succeeded",
                     static_cast<double>(duration_us) / 1000);
    if (!lines_) return;
    Line line("hook.tool.after", call);
    line.add("status", error ? "error" : "ok");
    if (error) line.add("code", info(error->code).name);
    line.add("durationUs", duration_us);
    line.add("outputBytes", static_cast<std::int64_t>(output_bytes));
    if (!sandbox.empty()) {
        line.add("isolation", isolation == policy::Isolation::process ? "process" : "in_process");
        line.add("sandbox", sandbox);
    }
    lines_->info(line.end());
}

}  // namespace toolhost::call
