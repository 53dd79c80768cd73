#define PCRE2_CODE_UNIT_WIDTH 8
#include "search/pattern.hpp"

#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace file_operations {
namespace {

// At one position of a line; with the limits below no expression can occupy a thread for long.
constexpr std::uint32_t max_match_steps = 200000;
constexpr std::uint32_t max_heap_kib = 8192;
// In longer lines the step count is reset after this many start positions.
constexpr std::size_t long_line = 2048, beginnings_at_once = 256;
constexpr std::size_t max_matched_bytes = 64u << 10;
constexpr std::size_t max_line_rounds = 512;

PCRE2_SPTR bytes(std::string_view text) {
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string message_of(int error) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

// The end of a `[...]` that begins at the position; nothing if it is unclear.
std::size_t after_class(std::string_view text, std::size_t at) {
    std::size_t i = at + 1;
    if (i < text.size() && text[i] == '^') ++i;
    if (i < text.size() && text[i] == ']') ++i;
    while (i < text.size() && text[i] != ']') {
        const std::string_view two = text.substr(i, 2);
        if (two == "\\Q" || two == "\\E") return std::string_view::npos;
        const std::size_t close = two == "[:" ? text.find(']', i) : std::string_view::npos;
        // The bracket of `[:alpha:]` does not end the surrounding class.
        if (close != std::string_view::npos && close > i + 2 && text[close - 1] == ':') {
            i = close + 1;
        } else {
            i += text[i] == '\\' ? 2 : 1;
        }
    }
    return std::min(i + 1, text.size());
}

// The end of a `{2,3}` that begins at the position; nothing if the brace is an ordinary character.
std::size_t after_count(std::string_view text, std::size_t at) {
    const std::size_t end = text.find_first_not_of("0123456789, \t", at + 1);
    return end < text.size() && text[end] == '}' ? end + 1 : std::string_view::npos;
}

}  // namespace

struct Pattern::Code {
    pcre2_code* compiled = nullptr;
    bool just_in_time = false;
    ~Code() { pcre2_code_free(compiled); }
};

Pattern::Pattern() : code_(std::make_unique<Code>()) {}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

std::string required_text_of(std::string_view text) {
    // Parts of groups and alternatives are optional, so expressions with them are not analysed.
    if (text.find_first_of("|()") != std::string_view::npos) return "";
    std::string best, run;
    const auto end_run = [&] {
        if (run.size() > best.size()) best = run;
        run.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t count_end = c == '{' ? after_count(text, i) : std::string_view::npos;
        const bool counted = count_end != std::string_view::npos;
        if (c == '*' || c == '?' || counted) {  // the character before it is optional
            // Removes a whole character, which may have several bytes.
            while (!run.empty() && (static_cast<unsigned char>(run.back()) & 0xC0) == 0x80) {
                run.pop_back();
            }
            if (!run.empty()) run.pop_back();
            end_run();
            i = counted ? count_end : i + 1;
        } else if (c == '\\') {
            const char next = i + 1 < text.size() ? text[i + 1] : '\0';
            const auto byte = static_cast<unsigned char>(next);
            if (std::ispunct(byte) == 0) {
                // \Q, \x{..}, \p{..} etc. change the meaning of what follows.
                if (std::string_view("dDwWsSbBAzZ").find(next) == std::string_view::npos) return "";
                end_run();
            } else {
                run += next;
            }
            i += 2;
        } else if (c == '[') {
            end_run();
            i = after_class(text, i);
            if (i == std::string_view::npos) return "";
        } else if (c == '.' || c == '^' || c == '$' || c == '+') {
            end_run();
            ++i;
        } else {
            run += c;
            ++i;
        }
    }
    end_run();
    return best;
}

Outcome<Pattern> Pattern::compile(std::string_view text, PatternOptions options,
                                  const std::string& field) {
    Pattern pattern;
    const bool no_signs = text.find_first_of("\\^$.[]|()?*+{}") == std::string_view::npos;
    std::string written(text);
    if (options.literal) {
        // \Q...\E cannot contain \E, so every sign is escaped separately.
        written.clear();
        for (const char c : text) {
            if (std::ispunct(static_cast<unsigned char>(c)) != 0) written += '\\';
            written += c;
        }
    }
    if (!options.ignore_case) {
        pattern.required_ =
            options.literal ? std::string(text) : required_text_of(std::string_view(text));
        pattern.plain_ = (options.literal || no_signs) && !options.whole_words;
    }
    if (options.whole_words) written = "(?<!\\w)(?:" + written + ")(?!\\w)";
    std::uint32_t flags = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT |
                          PCRE2_NEVER_BACKSLASH_C;
    if (options.ignore_case) flags |= PCRE2_CASELESS;
    int error = 0;
    PCRE2_SIZE where = 0;
    pattern.code_->compiled =
        pcre2_compile(bytes(written), written.size(), flags, &error, &where, nullptr);
    if (!pattern.code_->compiled) {
        return bad_input(field, "is not a regular expression: error at character " +
                                    std::to_string(std::min(where, text.size())) + ": " +
                                    message_of(error));
    }
    // Optional: matching works without it, but slower.
    pattern.code_->just_in_time =
        pcre2_jit_compile(pattern.code_->compiled, PCRE2_JIT_COMPLETE) == 0;
    return pattern;
}

struct Matcher::Room {
    pcre2_match_data* data = nullptr;
    pcre2_match_context* context = nullptr;
    pcre2_jit_stack* stack = nullptr;
    ~Room() {
        pcre2_match_data_free(data);
        pcre2_match_context_free(context);
        pcre2_jit_stack_free(stack);
    }
};

Matcher::Matcher(const Pattern& pattern) : pattern_(pattern), room_(std::make_unique<Room>()) {
    room_->data = pcre2_match_data_create(1, nullptr);
    room_->context = pcre2_match_context_create(nullptr);
    room_->stack = pcre2_jit_stack_create(32u << 10, 512u << 10, nullptr);
    pcre2_set_match_limit(room_->context, max_match_steps);
    pcre2_set_depth_limit(room_->context, max_match_steps);
    pcre2_set_heap_limit(room_->context, max_heap_kib);
    pcre2_jit_stack_assign(room_->context, nullptr, room_->stack);
}

Matcher::~Matcher() = default;

Matcher::Found Matcher::find(std::string_view line, std::size_t& column) {
    if (pattern_.is_plain()) {
        column = line.find(pattern_.required_text());
        return column == std::string_view::npos ? Found::no : Found::yes;
    }
    const bool cut = line.size() > max_matched_bytes;
    line = line.substr(0, max_matched_bytes);
    // The end of the part is not the end of the line.
    const std::uint32_t flags = cut ? PCRE2_NOTEOL : 0;
    const auto* code = pattern_.code_->compiled;
    int result = PCRE2_ERROR_NOMATCH;
    if (line.size() <= long_line) {
        pcre2_set_offset_limit(room_->context, PCRE2_UNSET);
        result =
            pattern_.code_->just_in_time
                ? pcre2_jit_match(code, bytes(line), line.size(), 0, 0, room_->data, room_->context)
                : pcre2_match(code, bytes(line), line.size(), 0, 0, room_->data, room_->context);
    } else {
        std::size_t from = 0;
        for (std::size_t round = 0; round < max_line_rounds && from <= line.size(); ++round) {
            const std::size_t to = std::min(from + beginnings_at_once, line.size());
            pcre2_set_offset_limit(room_->context, to);
            result = pcre2_match(code, bytes(line), line.size(), from, flags, room_->data,
                                 room_->context);
            if (result != PCRE2_ERROR_NOMATCH) break;
            from = to + 1;
            // A match cannot begin inside a character.
            while (from < line.size() && (static_cast<unsigned char>(line[from]) & 0xC0) == 0x80) {
                ++from;
            }
        }
    }
    if (result >= 0) {
        column = pcre2_get_ovector_pointer(room_->data)[0];
        return Found::yes;
    }
    // The rest may contain a match.
    return result == PCRE2_ERROR_NOMATCH && !cut ? Found::no : Found::too_costly;
}

}  // namespace file_operations
