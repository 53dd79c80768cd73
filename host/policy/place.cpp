#include "host/policy/place.hpp"

#include <algorithm>

#include "host/base/utf8.hpp"

namespace toolhost::policy {

std::string Place::text() const {
    if (line == 0) return file;
    return file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

namespace {

Json to_json(const Fault& fault) {
    Json out{{"file", fault.place.file}, {"pointer", fault.pointer}};
    if (fault.place.line > 0) {
        out["line"] = fault.place.line;
        out["column"] = fault.place.column;
    }
    return out;
}

}  // namespace

Error to_error(const std::vector<Fault>& faults) {
    Error error{ErrorCode::invalid_input, "", {}};
    const auto shown = std::min(faults.size(), kMaxFaults);
    for (std::size_t i = 0; i < shown; ++i)
        error.message += (i == 0 ? "" : "\n") + faults[i].place.text() + ": " + faults[i].sentence;
    if (!faults.empty()) error.details = to_json(faults.front());
    return error;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kMax = 80;
    const auto shown = fitting_characters(text, kMax);
    std::string out = "'";
    for (char c : shown) out += (c >= 0 && c < ' ') || c == '\x7f' ? '?' : c;
    return out + (shown.size() < text.size() ? "...'" : "'");
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

}  // namespace toolhost::policy
