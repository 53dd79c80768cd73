#include "host/call/consent_text.hpp"

#include <algorithm>

#include "host/base/json_text.hpp"
#include "host/base/utf8.hpp"
#include "host/base/visible_text.hpp"
#include "host/os/content_hash.hpp"
#include "toolhost/dump_json.hpp"

namespace toolhost::call {
namespace {

// Enough for a screen or two: a longer question is not read. Short fields leave room for long ones.
constexpr std::size_t kMaxText = 8000, kMaxShort = 5000;
constexpr std::size_t kShortValue = 200;  // of its JSON, in bytes
constexpr std::size_t kLongestName = 80, kLongestDescription = 200;
// Of a library, in hexadecimal digits: more than anyone can find another library for.
constexpr std::size_t kShownIdentity = 32;
// A long value of which less fits is not shown at all.
constexpr std::size_t kLeastShown = 120;
// Longer runs of blanks are counted instead of shown: they push what follows out of sight.
constexpr std::size_t kMaxBlanks = 64;

constexpr std::string_view kIndent = "    ";  // of a long value

// At most `bytes` of its end, in whole characters.
std::string_view tail(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    auto from = text.size() - bytes;
    while (from < text.size() && continues_character(text[from])) ++from;
    return text.substr(from);
}

std::string on_one_line(std::string_view text, std::size_t most) {
    const auto shown = visible_text(fitting_characters(text, most), false, true);
    return shown.size() <= most && text.size() <= most
               ? shown
               : std::string(fitting_characters(shown, most)) + "...";
}

std::string digest(std::string_view text) {
    os::ContentHash hash;
    hash.add(text);
    return hash.hex();
}

bool is_blank(std::string_view character) {
    if (character.size() == 1)
        return std::string_view(" \t\n\r\v\f").find(character[0]) != std::string_view::npos;
    for (std::string_view blank : {"\u00A0", "\u1680", "\u202F", "\u205F", "\u2800", "\u3000"})
        if (character == blank) return true;
    return character >= std::string_view("\u2000") && character <= std::string_view("\u200A");
}

std::string without_padding(std::string_view text) {
    std::string out;
    std::size_t blanks = 0, from = 0;  // of the run before i
    auto end_run = [&](std::size_t i) {
        if (blanks > kMaxBlanks)
            out += "<" + std::to_string(blanks) + " blanks>";
        else
            out += text.substr(from, i - from);
        blanks = 0;
    };
    for (std::size_t i = 0; i < text.size();) {
        const bool ascii = static_cast<unsigned char>(text[i]) < 0x80;
        const auto length =
            ascii ? 1 : std::max<std::size_t>(1, toolhost::detail::utf8_sequence(text.substr(i)));
        if (is_blank(text.substr(i, length))) {
            if (blanks++ == 0) from = i;
        } else {
            if (blanks > 0) end_run(i);
            out += text.substr(i, length);
        }
        i += length;
    }
    if (blanks > 0) end_run(text.size());
    return out;
}

// As lines that cannot be taken for the host's own.
std::string quoted_lines(std::string_view text, std::string_view indent) {
    std::string out;
    while (true) {
        const auto end = text.find('\n');
        out += std::string(indent) + "| " + std::string(text.substr(0, end)) + '\n';
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

// How many bytes from `at` on fit into `room` as quoted lines.
template <class Iterator>
std::size_t fitting(Iterator at, Iterator end, std::size_t room) {
    constexpr std::size_t kBefore = kIndent.size() + 2;  // each line
    std::size_t bytes = 0, used = kBefore + 1;
    for (; at != end; ++at, ++bytes) {
        used += *at == '\n' ? kBefore + 1 : 1;
        if (used > room) break;
    }
    return bytes;
}

std::string describe(const registry::Tool& tool) {
    const auto& path = tool.library->path;
    const auto& identity = tool.library->identity;
    std::string out = tool.spec.name + ' ' + on_one_line(tool.spec.version.text(), kLongestName) +
                      " (family " + tool.spec.family;
    if (tool.library->embedded)
        out += ", part of the embedding program";
    else if (!path.empty())
        out += ", library " + on_one_line(path.substr(path.rfind('/') + 1), kLongestName);
    if (!identity.empty()) out += ", identity " + identity.substr(0, kShownIdentity);
    return out + ')';
}

// Writes fields as long as there is room and counts the others.
class FieldWriter {
public:
    FieldWriter(std::string& out, const Json& input) : out_(out), input_(input) {}

    void write(const registry::FieldOrder& order) {
        std::vector<std::string> names, long_names;
        for (const auto& [name, value] : input_.items()) names.push_back(name);
        registry::sort_fields(names, order);
        for (const auto& name : names) {
            const auto text = dump(input_[name]);
            if (text.size() > kShortValue)
                long_names.push_back(name);
            else
                write_short(name, text);
        }
        for (std::size_t i = 0; i < long_names.size(); ++i)
            write_long(long_names[i], long_names.size() - i);
        if (hidden_fields_ + cut_fields_ == 0) return;
        out_ += "NOT ALL OF THE INPUT IS SHOWN: ";
        if (hidden_fields_ > 0)
            out_ += std::to_string(hidden_fields_) + " of " + std::to_string(names.size()) +
                    " fields are omitted" + (cut_fields_ > 0 ? ", " : "; ");
        if (cut_fields_ > 0)
            out_ += std::to_string(cut_fields_) +
                    (cut_fields_ == 1 ? " is truncated; " : " are truncated; ");
        out_ += std::to_string(hidden_characters_) + " characters are hidden.\n";
    }

private:
    void leave_out(std::string_view text) {
        ++hidden_fields_;
        hidden_characters_ += count_characters(text);
    }

    void write_short(const std::string& name, const std::string& text) {
        const auto line =
            "  " + on_one_line(name, kLongestName) + ": " + visible_text(text, false, true) + '\n';
        if (out_.size() + line.size() > kMaxShort) return leave_out(text);
        out_ += line;
    }

    // `left`: the fields that share the room, this one among them.
    void write_long(const std::string& name, std::size_t left) {
        const auto& value = input_[name];
        const auto text = value.is_string() ? value.get<std::string>() : dump(value);
        const auto title = "  " + on_one_line(name, kLongestName) + ": " +
                           std::to_string(count_characters(text)) + " characters, sha256 " +
                           digest(text) + '\n';
        const auto room = out_.size() < kMaxText ? (kMaxText - out_.size()) / left : 0;
        if (room < title.size() + kLeastShown) return leave_out(text);
        const auto shown = visible_text(without_padding(text), true, true);
        out_ += title;
        const auto half = (room - title.size()) / 2;
        const auto first = fitting_characters(shown, fitting(shown.begin(), shown.end(), half));
        const auto last = tail(std::string_view(shown).substr(first.size()),
                               fitting(shown.rbegin(), shown.rend(), half));
        if (first.size() + last.size() == shown.size()) {
            out_ += quoted_lines(shown, kIndent);
            return;
        }
        const auto hidden =
            count_characters(shown) - count_characters(first) - count_characters(last);
        out_ += quoted_lines(first, kIndent) + std::string(kIndent) + "... " +
                std::to_string(hidden) + " characters are not shown ...\n" +
                quoted_lines(last, kIndent);
        ++cut_fields_;
        hidden_characters_ += hidden;
    }

    std::string& out_;
    const Json& input_;
    std::size_t hidden_fields_ = 0, cut_fields_ = 0, hidden_characters_ = 0;
};

}  // namespace

std::string describe_call(const registry::Tool& tool, const std::vector<Caller>& callers) {
    std::string out = describe(tool);
    for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller)
        out += ", called by " + describe(*caller->tool);
    return out;
}

std::string question_text(std::string_view asked_by, std::string_view name,
                          std::string_view words) {
    const auto shown = visible_text(words, true, true);
    auto text = std::string(asked_by) + " asks (" + on_one_line(name, kLongestName) + "):";
    if (shown.find('\n') == shown.npos) return text + ' ' + shown;
    text += '\n' + quoted_lines(shown, "");
    text.pop_back();
    return text;
}

std::string consent_text(const registry::Tool& tool, const std::vector<Caller>& callers,
                         const Json& input) {
    std::string out = "Allow " + describe_call(tool, callers) + " to run?\n";
    out += "Its description: " +
           on_one_line(without_padding(tool.spec.description), kLongestDescription) + '\n';
    const auto whole = dump(input);
    out +=
        "Input: " + std::to_string(whole.size()) + " bytes of JSON, sha256 " + digest(whole) + '\n';
    if (input.is_object())
        FieldWriter(out, input).write(tool.spec.field_order);
    else
        FieldWriter(out, Json{{"value", input}}).write({});
    out.pop_back();
    return out;
}

}  // namespace toolhost::call
