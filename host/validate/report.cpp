#include "host/validate/report.hpp"

#include <algorithm>
#include <cstdio>

namespace toolhost::validate {
namespace {

// XML 1.0 cannot represent most control characters: they become '?'.
std::string xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\n':
                out += "&#10;";
                break;
            case '\t':
                out += ' ';
                break;
            default:
                out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
        }
    }
    return out;
}

std::string seconds(std::chrono::milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", static_cast<double>(time.count()) / 1000);
    return text;
}

std::string messages(const CheckResult& check, Verdict verdict) {
    std::string out;
    for (const auto& problem : check.problems) {
        if (problem.verdict != verdict) continue;
        if (!out.empty()) out += '\n';
        if (!problem.tool.empty()) out += problem.tool + ": ";
        out += problem.message;
    }
    return out;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::pass:
            return "pass";
        case Verdict::skip:
            return "skip";
        case Verdict::warn:
            return "warn";
        case Verdict::fail:
            return "fail";
    }
    return "";
}

Verdict CheckResult::verdict() const {
    Verdict worst = judged > 0 ? Verdict::pass : Verdict::skip;
    for (const auto& problem : problems)
        if (problem.verdict != Verdict::skip) worst = std::max(worst, problem.verdict);
    return worst;
}

void CheckResult::fail(std::string tool, std::string message) {
    problems.push_back({Verdict::fail, std::move(tool), std::move(message)});
}

void CheckResult::warn(std::string tool, std::string message) {
    problems.push_back({Verdict::warn, std::move(tool), std::move(message)});
}

void CheckResult::skip(std::string tool, std::string reason) {
    problems.push_back({Verdict::skip, std::move(tool), std::move(reason)});
}

std::size_t Report::count(Verdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        checks, [&](const CheckResult& check) { return check.verdict() == verdict; }));
}

Json to_json(const Report& report) {
    Json checks = Json::array();
    for (const auto& check : report.checks) {
        Json problems = Json::array();
        for (const auto& problem : check.problems) {
            Json one{{"verdict", name_of(problem.verdict)}, {"message", problem.message}};
            if (!problem.tool.empty()) one["tool"] = problem.tool;
            problems.push_back(std::move(one));
        }
        checks.push_back({{"id", check.id},
                          {"what", check.what},
                          {"verdict", name_of(check.verdict())},
                          {"judged", check.judged},
                          {"ms", check.took.count()},
                          {"problems", std::move(problems)}});
    }
    return {{"plugin", report.plugin},
            {"checks", std::move(checks)},
            {"passed", report.count(Verdict::pass)},
            {"failed", report.count(Verdict::fail)},
            {"warned", report.count(Verdict::warn)},
            {"skipped", report.count(Verdict::skip)}};
}

std::string to_junit(const std::vector<Report>& reports) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const auto& report : reports) {
        std::chrono::milliseconds total{};
        for (const auto& check : report.checks) total += check.took;
        out += "  <testsuite name=\"" + xml(report.plugin) + "\" tests=\"" +
               std::to_string(report.checks.size()) + "\" failures=\"" +
               std::to_string(report.count(Verdict::fail)) + "\" errors=\"0\" skipped=\"" +
               std::to_string(report.count(Verdict::skip)) + "\" time=\"" + seconds(total) +
               "\">\n";
        for (const auto& check : report.checks) {
            out += "    <testcase classname=\"" + xml(report.plugin) + "\" name=\"" +
                   xml(check.id) + "\" time=\"" + seconds(check.took) + "\">";
            if (check.verdict() == Verdict::fail)
                out += "<failure message=\"" + xml(messages(check, Verdict::fail)) + "\"/>";
            if (check.verdict() == Verdict::skip)
                out += "<skipped message=\"" + xml(messages(check, Verdict::skip)) + "\"/>";
            if (const auto warned = messages(check, Verdict::warn); !warned.empty())
                out += "<system-out>" + xml(warned) + "</system-out>";
            out += "</testcase>\n";
        }
        out += "  </testsuite>\n";
    }
    return out + "</testsuites>\n";
}

}  // namespace toolhost::validate
