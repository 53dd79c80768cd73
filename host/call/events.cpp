#include "host/call/events.hpp"

#include <spdlog/spdlog.h>
#include <time.h>

#include <algorithm>
#include <chrono>

#include "host/base/json_text.hpp"
#include "host/loading/invocation.hpp"

namespace toolhost::call {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNames[] = {"hook.tool.before", "hook.policy.before", "hook.policy.deny",
                                       "hook.tool.trusted_files", "hook.tool.after"};

// Events may carry an input, not a file that was sent as one.
constexpr std::size_t kMaxInput = 8192;
// "2026-07-28T12:00:00."
constexpr std::size_t kSecondBytes = 20;

// Builds lines without a JSON document in between: calls are counted in microseconds. Keys come
// with their quotes and what stands around them.
class Lines {
public:
    explicit Lines(const CallIdentity& call)
        : text_(memory()), call_(call), now_(std::chrono::system_clock::now()) {
        text_.clear();
    }

    void begin(Event event) {
        const bool is_first = text_.empty();
        if (!is_first) text_ += "}\n"sv;
        text_ += R"({"event":")"sv;
        text_ += kNames[static_cast<std::size_t>(event)];
        text_ += R"(","time":")"sv;
        if (is_first) return append_common();
        text_.append(text_, common_, common_size_);
    }
    void add(std::string_view key, std::string_view value) {
        text_ += key;
        append_json_text(text_, value);
    }
    void add(std::string_view key, std::int64_t value) {
        text_ += key;
        append_json_number(text_, value);
    }
    // JSON text, with the key or behind it.
    void add_json(std::string_view json) { text_ += json; }
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

    // The fields that all events of one time have.
    void append_common() {
        common_ = text_.size();
        append_time();
        append_json_text(text_, call_.use_id);
        if (!call_.parent_use_id.empty()) add(R"(,"parentUseId":)"sv, call_.parent_use_id);
        text_ += call_.subject->fields;
        if (!call_.client.empty()) add(R"(,"client":)"sv, call_.client);
        common_size_ = text_.size() - common_;
    }

    // RFC 3339 in UTC, with microseconds, and the key that follows. The seconds' text is kept: it
    // is most of the work.
    void append_time() {
        static constexpr std::string_view kRest = R"(000000Z","toolUseId":)";
        thread_local time_t second = -1;
        thread_local char text[kSecondBytes + kRest.size() + 1];
        using namespace std::chrono;
        auto rest = duration_cast<microseconds>(now_.time_since_epoch()).count();
        const auto now = static_cast<time_t>(rest / 1'000'000);
        if (now != second) {
            second = now;
            tm parts{};
            ::gmtime_r(&second, &parts);
            ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);  // kSecondBytes
            kRest.copy(text + kSecondBytes, kRest.size());
        }
        rest %= 1'000'000;
        for (std::size_t i = kSecondBytes + 6; i-- > kSecondBytes; rest /= 10)
            text[i] = static_cast<char>('0' + rest % 10);
        text_.append(text, kSecondBytes + kRest.size());
    }

    std::string& text_;
    const CallIdentity& call_;
    const std::chrono::system_clock::time_point now_;
    std::size_t common_ = 0, common_size_ = 0;  // where those fields are in the text
};

std::string label(const CallIdentity& call) {
    const auto& called = *call.subject;
    return std::string(call.use_id) + ": " + called.tool +
           (called.version.empty() ? "" : ' ' + called.version);
}

}  // namespace

std::span<const std::string_view> event_names() {
    return kNames;
}

Subject::Subject(std::string called, std::string of_version, std::string under)
    : tool(std::move(called)), version(std::move(of_version)), profile(std::move(under)) {
    const std::pair<std::string_view, const std::string&> all[] = {
        {R"(,"tool":)", tool}, {R"(,"version":)", version}, {R"(,"profile":)", profile}};
    for (const auto& [key, value] : all) {
        fields += key;
        append_json_text(fields, value);
    }
}

std::string ran_fields(runtime::Isolation isolation, std::string_view sandbox) {
    std::string fields = isolation == runtime::Isolation::process
                             ? R"(,"isolation":"process","sandbox":)"
                             : R"(,"isolation":"in_process","sandbox":)";
    append_json_text(fields, sandbox);
    return fields;
}

Events::Events(std::shared_ptr<spdlog::logger> lines) : lines_(std::move(lines)) {}

void Events::tool_before(const CallIdentity& call, std::string_view input_json, bool judged) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} called, profile {}", label(call), call.subject->profile);
    if (!lines_) return;
    Lines lines(call);
    lines.begin(Event::tool_before);
    if (input_json.size() <= kMaxInput)
        lines.add_json(R"(,"input":)"sv), lines.add_json(input_json);
    else
        lines.add(R"(,"inputBytes":)"sv, static_cast<std::int64_t>(input_json.size()));
    if (judged) lines.begin(Event::policy_before);
    lines.write_to(*lines_);
}

void Events::policy_deny(const CallIdentity& call, std::string_view reason,
                         const Error& error) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} denied, {}: {}", label(call), reason, error.message);
    if (!lines_) return;
    Lines lines(call);
    lines.begin(Event::policy_deny);
    lines.add(R"(,"reason":)"sv, reason);
    lines.add(R"(,"code":)"sv, info(error.code).name);
    lines.add(R"(,"message":)"sv, error.message);
    lines.write_to(*lines_);
}

void Events::trusted_files_appeared(const CallIdentity& call,
                                    const std::vector<std::string>& paths) const {
    if (!lines_) return;
    Lines lines(call);
    lines.begin(Event::trusted_files);
    const std::vector<std::string> first(
        paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(
                                           std::min(paths.size(), loading::kMaxFilesTold)));
    lines.add_json(R"(,"paths":)"sv);
    lines.add_json(dump(Json(first)));
    lines.add(R"(,"count":)"sv, static_cast<std::int64_t>(paths.size()));
    lines.write_to(*lines_);
}

void Events::tool_after(const CallIdentity& call, const Error* error, std::int64_t duration_us,
                        std::size_t output_bytes, std::string_view ran_fields) const {
    if (spdlog::should_log(spdlog::level::info))
        spdlog::info("{} {} after {:.3f} ms", label(call),
                     error ? "ended with " + std::string(info(error->code).name) : "succeeded",
                     static_cast<double>(duration_us) / 1000);
    if (!lines_) return;
    Lines lines(call);
    lines.begin(Event::tool_after);
    if (error) {
        lines.add(R"(,"status":"error","code":)"sv, info(error->code).name);
        lines.add(R"(,"durationUs":)"sv, duration_us);
    } else {
        lines.add(R"(,"status":"ok","durationUs":)"sv, duration_us);
    }
    lines.add(R"(,"outputBytes":)"sv, static_cast<std::int64_t>(output_bytes));
    lines.add_json(ran_fields);
    lines.write_to(*lines_);
}

}  // namespace toolhost::call
