#include "write/plan.hpp"

#include <algorithm>

namespace file_operations {
namespace {

// Whether every line ends with \r\n.
bool has_windows_lines(std::string_view text) {
    std::size_t lines = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
        if (at == 0 || text[at - 1] != '\r') return false;
        ++lines;
    }
    return lines > 0;
}

std::string with_windows_lines(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') out += '\r';
        out += c;
    }
    return out;
}

std::string difference(std::string_view expected, std::string_view actual) {
    const auto end = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
    const auto same = static_cast<std::size_t>(end.second - actual.begin());
    const auto line =
        1 + std::count(actual.begin(), actual.begin() + static_cast<long>(same), '\n');
    return "first difference at byte " + std::to_string(same) + ", line " + std::to_string(line) +
           "; expected " + std::to_string(expected.size()) + " bytes, found " +
           std::to_string(actual.size());
}

Outcome<Plan> edit(std::string_view part, std::string_view content, const std::string& old,
                   Written& written) {
    const std::size_t at = old.find(part);
    if (at == std::string::npos) {
        return failed(written.path +
                      ": expected_content is not in the file; nothing was written. Read the file "
                      "again and pass the exact text, including blanks and line ends");
    }
    if (old.find(part, at + 1) != std::string::npos) {
        return failed(written.path +
                      ": expected_content occurs more than once in the file; nothing was written. "
                      "Include more of the surrounding text");
    }
    written.action = "edited";
    written.line = 1 + static_cast<std::uint64_t>(
                           std::count(old.begin(), old.begin() + static_cast<long>(at), '\n'));
    Plan plan;
    plan.joined = old.substr(0, at);
    plan.joined += content;
    plan.joined += old.substr(at + part.size());
    return plan;
}

}  // namespace

Outcome<Plan> plan_content(const WriteOrder& order, bool exists, std::string old,
                           Written& written) {
    const auto plain = [](std::string_view text) { return text.find('\r') == text.npos; };
    // Callers that were shown a file with such line ends write plain ones, but mean the file's.
    const bool convert =
        order.expected && has_windows_lines(old) && plain(*order.expected) && plain(order.content);
    std::string expected, content;
    if (convert) {
        expected = with_windows_lines(*order.expected);
        content = with_windows_lines(order.content);
        written.windows_lines = content.size() > order.content.size();
    }
    const std::string_view wanted = convert ? expected : order.expected.value_or("");
    const std::string_view given = convert ? content : order.content;
    if (order.replace) return edit(wanted, given, old, written);
    if (order.expected && wanted != old) {
        return failed(written.path + ": the file does not match expected_content (" +
                      difference(wanted, old) +
                      "); nothing was written. Read it again before writing");
    }
    Plan plan;
    if (order.append && exists) {
        written.action = "appended";
        old += given;
        plan.joined = std::move(old);
        return plan;
    }
    written.action = exists ? "replaced" : "created";
    plan.content = order.content;
    if (convert) plan.joined = std::move(content);
    return plan;
}

}  // namespace file_operations
