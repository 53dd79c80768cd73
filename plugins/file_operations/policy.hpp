// The policy of these tools in a profile, and the conversion of the logic's results for the host.
#pragma once

#include <toolhost/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/access.hpp"
#include "text/names.hpp"

namespace file_operations {

struct Policy {
    template <class T, toolhost::FixedString Doc, class... Rules>
    using Field = toolhost::Field<T, Doc, Rules...>;

    Field<std::vector<std::string>,
          "The folders that can be accessed; relative ones start at the workspace. A root outside "
          "the workspace also needs a grant, because the sandbox opens the workspace only.",
          toolhost::MinItems<1>>
        roots = std::vector<std::string>{"."};
    Field<std::string,
          "The folder that ~ stands for, inside one of the roots; empty: ~ is refused.">
        home = toolhost::empty;
    Field<bool, "Whether names that start with a dot can be read, listed, searched and written.">
        allow_hidden = false;
    Field<bool, "Deny all writes."> read_only = false;
    Field<std::vector<std::string>,
          "The allowed file extensions, such as .txt; empty: any, or none.">
        allowed_extensions = toolhost::empty;
    Field<std::vector<std::string>,
          "Files and folders that these tools cannot see: *.pem by name, secret/** by path from a "
          "root.">
        denied_globs = std::vector<std::string>{
            ".env",    ".env.*",      "*.pem", "*.key", "*.p12",  "*.pfx", "*.kdbx",
            "id_rsa*", "id_ed25519*", ".git",  ".ssh",  ".gnupg", ".netrc"};
    Field<std::uint64_t,
          "Larger files are not read whole (diff, document, search in a tree) and not written; the "
          "other modes read what they show.",
          toolhost::Min<1>>
        max_file_bytes = std::uint64_t{16777216};
    Field<std::uint64_t, "Larger files are not compared, because a comparison cannot be cancelled.",
          toolhost::Min<1>>
        max_diff_bytes = std::uint64_t{4194304};
    Field<std::uint64_t, "The maximum total size of the documents of one call, in bytes.",
          toolhost::Min<1>>
        max_document_bytes = std::uint64_t{33554432};
    Field<std::uint64_t, "The maximum number of files that one call of file_read shows.",
          toolhost::Min<1>>
        max_files = std::uint64_t{100};
    Field<std::uint64_t,
          "The maximum number of entries, files or matching lines that one call returns.",
          toolhost::Min<1>>
        max_results = std::uint64_t{1000};
    Field<std::uint64_t, "The maximum number of bytes of text that one call returns.",
          toolhost::Min<1024>>
        max_text_bytes = std::uint64_t{1048576};
};

// The denial reasons of one tool and their meanings. The first three apply to every path.
inline std::map<std::string, std::string> denial_reasons(std::initializer_list<Reason> more = {}) {
    std::vector<std::string> words{Reason("path_not_allowed"), Reason("hidden_not_allowed"),
                                   Reason("extension_not_allowed")};
    words.insert(words.end(), more.begin(), more.end());
    const auto all = toolhost::denial_reasons(reasons);
    std::map<std::string, std::string> out;
    for (const auto& word : words) out[word] = all.at(word);
    return out;
}

// For results that would include hidden files if the policy allowed it.
inline constexpr const char* hidden_note =
    "hidden entries were requested, but the policy's allow_hidden is false";

[[noreturn]] inline void raise(const toolhost::Context& context, const Refusal& refusal) {
    switch (refusal.why) {
        case Refusal::Why::cancelled:
            throw toolhost::Cancelled{};
        case Refusal::Why::denied:
            context.deny(refusal.word, refusal.message);
        case Refusal::Why::bad_input:
            throw toolhost::BadInput(refusal.word, refusal.message);
        case Refusal::Why::failed:
            break;
    }
    context.fail("tool_failed", refusal.message);
}

template <class T>
T take(const toolhost::Context& context, Outcome<T> outcome) {
    if (!outcome) raise(context, outcome.failure());
    return *std::move(outcome);
}

inline Access open_access(toolhost::Context& context, const Policy& policy,
                          Purpose purpose = Purpose::read) {
    Rules rules;
    rules.roots = policy.roots.get();
    rules.home = policy.home.get();
    rules.allow_hidden = policy.allow_hidden;
    rules.read_only = policy.read_only;
    rules.allowed_extensions = policy.allowed_extensions.get();
    rules.denied_globs = policy.denied_globs.get();
    if (purpose == Purpose::write) rules.protected_paths = context.protected_paths();
    rules.max_file_bytes = policy.max_file_bytes;
    rules.max_diff_bytes = policy.max_diff_bytes;
    return take(context, Access::open(context.workspace().string(), rules));
}

inline std::size_t output_chars(toolhost::Context& context) {
    constexpr std::size_t usual = 20000;
    return context.max_output_chars().value_or(usual);
}

// The number of bytes of text that the host does not cut (a character has at least one byte), minus
// room for the tool's own notes on truncation.
inline std::size_t text_room(toolhost::Context& context, const Policy& policy) {
    const std::size_t chars = output_chars(context);
    return std::min<std::size_t>(policy.max_text_bytes,
                                 chars - std::min<std::size_t>(500, chars / 4));
}

// A json block that is longer than the profile's maxOutputChars is an error, while text is only
// cut. So lists go into the json block as far as they fit, and completely into the text.
class JsonRoom {
public:
    // Three quarters for the list, some for the notes, and the rest for everything else.
    explicit JsonRoom(toolhost::Context& context)
        : left_(output_chars(context) / 4 * 3), room_for_notes_(output_chars(context) / 20 * 3) {}

    // Whether one more value, with its comma, fits.
    bool take(const nlohmann::json& value) {
        const std::size_t size = toolhost::detail::dump(value).size() + 1;
        if (full_ || size > left_) {
            full_ = true;
            return false;
        }
        left_ -= size;
        return true;
    }
    // The longest prefix of a text that fits as a member of an object; may be empty.
    std::string_view take_text(std::string_view text) {
        constexpr std::size_t beside = 40;  // the member's name, and the mark that it is cut
        const std::size_t most = left_ - std::min(left_, beside);
        std::size_t end = 0, size = 0;
        for (; end < text.size(); ++end) {
            const auto c = static_cast<unsigned char>(text[end]);
            const bool is_short = c == '"' || c == '\\' || (c >= '\b' && c <= '\r' && c != '\v');
            const std::size_t next = is_short ? 2 : c < 0x20 ? 6 : 1;
            if (size + next > most) break;
            size += next;
        }
        const auto part = first_bytes(text, end);
        if (!part.empty()) left_ -= size + beside;
        return part;
    }
    [[nodiscard]] bool full() const { return full_; }

    // The notes that fit; missing if there are none.
    std::optional<std::vector<std::string>> notes(const std::vector<std::string>& all) {
        std::vector<std::string> out;
        left_ += room_for_notes_;
        full_ = false;
        for (const std::string& note : all) {
            if (take(note)) out.push_back(note);
        }
        if (out.empty()) return std::nullopt;
        return out;
    }

private:
    std::size_t left_;
    std::size_t room_for_notes_;
    bool full_ = false;
};

}  // namespace file_operations
