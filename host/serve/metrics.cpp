#include "host/serve/metrics.hpp"

#include <fmt/format.h>

#include <array>

namespace toolhost::serve {
namespace {

// From what an in-process tool takes to what hardly anybody waits for.
constexpr std::array<std::uint64_t, 16> kBounds = {
    10'000,        25'000,         100'000,        250'000,       1'000'000,     2'500'000,
    10'000'000,    25'000'000,     100'000'000,    250'000'000,   1'000'000'000, 2'500'000'000,
    5'000'000'000, 10'000'000'000, 30'000'000'000, 60'000'000'000};

std::string escaped(std::string_view value) {
    std::string out;
    for (const char c : value) {
        if (c == '\\' || c == '"') out += '\\';
        out += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return out;
}

class Page {
public:
    void family(const char* name, const char* type, const char* help) {
        name_ = name;
        text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    }
    void sample(std::string_view labels, double value, std::string_view suffix = {}) {
        text_ += name_;
        text_ += suffix;
        if (!labels.empty()) text_ += fmt::format("{{{}}}", labels);
        text_ += fmt::format(" {}\n", value);
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    std::string name_, text_;
};

struct Row {
    std::string labels;
    std::shared_ptr<call::Record> record;
};

std::vector<Row> rows_of(const Measured& measured) {
    std::vector<Row> rows;
    for (const auto* invoker : measured.invokers)
        for (auto& [tool, record] : invoker->records().all()) {
            const auto at = tool.rfind('@');
            rows.push_back(
                {fmt::format(R"(tool="{}",version="{}",profile="{}")", escaped(tool.substr(0, at)),
                             escaped(tool.substr(at + 1)), escaped(invoker->profile_name())),
                 std::move(record)});
        }
    return rows;
}

void add_latency(Page& page, const std::vector<Row>& rows) {
    page.family("toolhost_call_duration_seconds", "histogram", "How long calls took.");
    for (const auto& [labels, record] : rows) {
        const auto& latency = record->stats.latency();
        std::uint64_t most = 0;
        for (const auto bound : kBounds) {
            most = latency.at_most(bound);
            page.sample(fmt::format(R"({},le="{}")", labels, static_cast<double>(bound) / 1e9),
                        static_cast<double>(most), "_bucket");
        }
        // Read last, and so never less than the buckets before it.
        const auto all = static_cast<double>(std::max(most, latency.at_most(~std::uint64_t{0})));
        page.sample(labels + R"(,le="+Inf")", all, "_bucket");
        page.sample(labels, latency.sum() / 1e9, "_sum");
        page.sample(labels, all, "_count");
    }
}

}  // namespace

std::string metrics_text(const Measured& measured) {
    const auto rows = rows_of(measured);
    Page page;
    page.family("toolhost_calls_total", "counter", "Calls of tools that have ended.");
    for (const auto& [labels, record] : rows)
        page.sample(labels, static_cast<double>(record->stats.calls()));
    page.family("toolhost_call_errors_total", "counter",
                "Calls that ended with an error, by code.");
    for (const auto& [labels, record] : rows)
        for (const auto& entry : error_table())
            if (const auto count = record->stats.errors(entry.code))
                page.sample(fmt::format(R"({},code="{}")", labels, entry.name),
                            static_cast<double>(count));
    page.family("toolhost_call_denials_total", "counter", "Calls that were denied, by reason.");
    for (const auto& [labels, record] : rows)
        for (const auto& [reason, count] : record->stats.denials())
            page.sample(fmt::format(R"({},reason="{}")", labels, escaped(reason)),
                        static_cast<double>(count));
    add_latency(page, rows);
    for (const auto& gauge : measured.gauges) {
        const bool counts = std::string_view(gauge.name).ends_with("_total");
        page.family(gauge.name, counts ? "counter" : "gauge", gauge.help);
        page.sample({}, gauge.value);
    }
    return page.take();
}

}  // namespace toolhost::serve
