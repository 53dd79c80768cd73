// Names, times and lengths in git's usual formats.
#pragma once

#include <git2.h>

#include <string>
#include <string_view>
#include <vector>

#include "actions/request.hpp"

namespace git {

[[nodiscard]] std::string joined(const std::vector<std::string>& parts, std::string_view between);
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);
// The first line of a message.
[[nodiscard]] std::string first_line_of(std::string_view text);

// As with core.quotePath off: plain if possible, otherwise in quotes with escapes.
[[nodiscard]] std::string shown_path(std::string_view path);

[[nodiscard]] std::string shown_time(const git_time& time);  // Thu Jan 15 12:34:56 2026 +0100
[[nodiscard]] std::string iso_time(const git_time& time);    // 2026-01-15T12:34:56+01:00
[[nodiscard]] std::string blame_time(const git_time& time);  // 2026-01-15 12:34:56 +0100

// The longest prefix of the text that takes at most `room` characters in a JSON string.
[[nodiscard]] std::string_view json_prefix(std::string_view text, std::size_t room);

// Truncates the text and the lists of the details to about `max_chars` in total, and marks it.
void fit(Answer& answer, std::size_t max_chars);

}  // namespace git
