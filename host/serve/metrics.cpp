#include "host/serve/metrics.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace toolhost::serve {
namespace {

// From the duration of an in-process call to the longest useful wait.
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

// A scraper keeps every name it ever saw, and names come from plugins. Of one profile so many tools
// have rows of their own; the others share one.
constexpr std::size_t kMaxTools = 1000;

struct Row {
    std::string labels;
    std::vector<std::shared_ptr<call::ToolState>> records;

    template <class Number, class Read>
    [[nodiscard]] Number sum(Read read) const {
        Number total{};
        for (const auto& record : records) total += read(record->stats);
        return total;
    }
    [[nodiscard]] std::map<std::string, std::uint64_t> denials() const {
        std::map<std::string, std::uint64_t> all;
        for (const auto& record : records)
            for (const auto& [reason, count] : record->stats.denials()) all[reason] += count;
        return all;
    }
};

std::vector<Row> rows_of(const Measured& measured) {
    std::vector<Row> rows;
    for (const auto* invoker : measured.invokers) {
        const auto profile = escaped(invoker->profile_name());
        const auto labels = [&](std::string_view tool, std::string_view version) {
            return fmt::format(R"(tool="{}",version="{}",profile="{}")", escaped(tool),
                               escaped(version), profile);
        };
        Row others{labels("other", ""), {}};
        std::size_t count = 0;
        // Families with tools of one name have one row: those follow each other.
        for (auto& [tool, record] : invoker->tool_states().all()) {
            auto own = labels(tool.name, tool.version);
            if (!rows.empty() && rows.back().labels == own)
                rows.back().records.push_back(record);
            else if (count++ < kMaxTools)
                rows.push_back({std::move(own), {record}});
            else
                others.records.push_back(record);
        }
        if (!others.records.empty()) rows.push_back(std::move(others));
    }
    return rows;
}

void add_latency(Page& page, const std::vector<Row>& rows) {
    page.family("toolhost_call_duration_seconds", "histogram", "Duration of calls.");
    using Stats = call::ToolStats;
    for (const auto& row : rows) {
        const auto& labels = row.labels;
        const auto at_most = [&](std::uint64_t bound) {
            return row.sum<std::uint64_t>(
                [&](const Stats& stats) { return stats.latency().at_most(bound); });
        };
        std::uint64_t most = 0;
        for (const auto bound : kBounds) {
            most = at_most(bound);
            page.sample(fmt::format(R"({},le="{}")", labels, static_cast<double>(bound) / 1e9),
                        static_cast<double>(most), "_bucket");
        }
        // Read last, and so never less than the buckets before it.
        const auto all = static_cast<double>(std::max(most, at_most(~std::uint64_t{0})));
        page.sample(labels + R"(,le="+Inf")", all, "_bucket");
        const auto sum = row.sum<double>([](const Stats& stats) { return stats.latency().sum(); });
        page.sample(labels, sum / 1e9, "_sum");
        page.sample(labels, all, "_count");
    }
}

}  // namespace

std::string metrics_text(const Measured& measured) {
    const auto rows = rows_of(measured);
    Page page;
    page.family("toolhost_calls_total", "counter", "Finished calls of tools.");
    using Stats = call::ToolStats;
    for (const auto& row : rows)
        page.sample(row.labels, row.sum<double>([](const Stats& stats) {
            return static_cast<double>(stats.calls());
        }));
    page.family("toolhost_call_errors_total", "counter",
                "Calls that ended with an error, by code.");
    for (const auto& row : rows)
        for (const auto& entry : error_table()) {
            const auto count = row.sum<std::uint64_t>(
                [&](const Stats& stats) { return stats.errors(entry.code); });
            if (count > 0)
                page.sample(fmt::format(R"({},code="{}")", row.labels, entry.name),
                            static_cast<double>(count));
        }
    page.family("toolhost_call_denials_total", "counter", "Calls that were denied, by reason.");
    for (const auto& row : rows)
        for (const auto& [reason, count] : row.denials())
            page.sample(fmt::format(R"({},reason="{}")", row.labels, escaped(reason)),
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
