#include "host/policy/config_edit.hpp"

#include <algorithm>

#include "host/policy/checked_yaml.hpp"
#include "host/policy/config_text.hpp"

namespace toolhost::policy {
namespace {

constexpr auto kNowhere = std::string::npos;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What a document means: the order of grants says nothing, nor does an empty file.
Json meaning(Json value) {
    if (value.is_null()) value = Json::object();
    if (auto grants = value.find("grants"); grants != value.end() && grants->is_object())
        for (auto& [key, words] : grants->items()) std::sort(words.begin(), words.end());
    return value;
}

// The first that means what is wanted.
struct Candidates {
    const ConfigText& from;
    Json wanted;
    std::string found;

    bool take(std::string text) {
        auto parsed = parse_yaml(text, "");
        if (!parsed || meaning(parsed->value) != meaning(wanted)) return false;
        found = std::move(text);
        return true;
    }
};

// Into a list that is there: "[a]" or lines of "- a".
bool add_to_list(Candidates& to, const std::string& key, const std::vector<std::string>& words) {
    const auto& from = to.from;
    const auto pointer = "/grants" + pointer_step(key);
    const auto size = from.list(key)->size();
    const auto at = from.value_at(pointer);
    const auto last =
        size == 0 ? kNowhere : from.value_at(pointer + '/' + std::to_string(size - 1));
    if (from.has(at, '['))
        return last == kNowhere
                   ? to.take(from.inserted(at + 1, yaml_items(words)))
                   : to.take(from.inserted(from.scalar_end(last), ", " + yaml_items(words)));
    if (last == kNowhere) return false;
    std::string lines;
    for (const auto& word : words)
        lines += std::string(from.before(last)) + yaml_text(word) + from.line_end();
    return to.take(from.inserted(from.next_line(last), lines));
}

// As a new member of `grants`: in "{...}", or as the line after "grants:", where no comment of a
// neighbour is torn from it.
bool add_member(Candidates& to, const std::string& entry) {
    const auto& from = to.from;
    const auto& grants = from.value().at("grants");
    const auto at = from.value_at("/grants");
    if (from.has(at, '{'))
        return to.take(from.inserted(at + 1, entry + (grants.empty() ? "" : ", ")));
    const auto name = from.key_at("/grants");
    if (name == kNowhere || grants.empty()) return false;
    const auto neighbour = from.key_at("/grants" + pointer_step(grants.begin().key()));
    if (neighbour == kNowhere) return false;
    return to.take(from.inserted(from.next_line(name),
                                 std::string(from.before(neighbour)) + entry + from.line_end()));
}

// The whole of `grants`, at the end.
bool add_grants(Candidates& to, const std::string& entry) {
    const auto& from = to.from;
    if (from.has(from.value_at(""), '{'))
        return to.take(from.inserted(
            from.value_at("") + 1, "grants: {" + entry + '}' + (from.value().empty() ? "" : ", ")));
    std::string indent;
    if (from.value().is_object() && !from.value().empty()) indent = from.before(from.value_at(""));
    return to.take(from.inserted(from.text().size(), indent + "grants:" + from.line_end() + indent +
                                                         "  " + entry + from.line_end()));
}

// Whether lines from one byte to another hold a comment of their own, which is not ours to delete.
bool has_comment_lines(const std::string& text, std::size_t first, std::size_t last) {
    for (auto at = first; at < last;) {
        const auto end = std::min(text.find('\n', at), last);
        const auto word = text.find_first_not_of(" \t", at);
        if (word < end && text[word] == '#') return true;
        at = end + 1;
    }
    return false;
}

// The member of `owner` and all lines to the end of the list.
bool drop_lines(Candidates& to, const std::string& owner, std::size_t list_end) {
    const auto& from = to.from;
    const auto name = from.key_at(owner);
    if (name == kNowhere || from.before(name).find_first_not_of(' ') != kNowhere) return false;
    const auto first = from.line_start(name), last = from.next_line(list_end);
    if (has_comment_lines(from.text(), first, last)) return false;
    return to.take(from.erased(first, last));
}

// All words of a key, and so the key, and so perhaps `grants`.
bool drop_key(const ConfigText& from, const std::string& key, std::string& out) {
    const auto pointer = "/grants" + pointer_step(key);
    const auto size = from.list(key)->size();
    const auto first = from.value_at(pointer + "/0");
    const auto last = from.value_at(pointer + '/' + std::to_string(size - 1));
    if (first == kNowhere || last == kNowhere) return false;
    const bool in_brackets = from.has(from.value_at(pointer), '[');
    const auto items_end = from.scalar_end(last);
    const auto list_end = in_brackets ? from.text().find(']', items_end) : items_end;
    if (list_end == kNowhere) return false;

    Candidates to{from, from.value(), ""};
    to.wanted["grants"].erase(key);
    const bool alone = to.wanted["grants"].empty();
    if (alone) to.wanted.erase("grants");
    bool done = drop_lines(to, alone ? "/grants" : pointer, list_end);
    if (!done && in_brackets) {
        to.wanted = from.value();
        to.wanted["grants"][key] = Json::array();
        done = to.take(from.erased(first, items_end));
    }
    out = std::move(to.found);
    return done;
}

// One of several words.
bool drop_word(const ConfigText& from, const std::string& key, std::size_t index,
               std::string& out) {
    const auto pointer = "/grants" + pointer_step(key) + '/';
    const auto size = from.list(key)->size();
    const auto at = from.value_at(pointer + std::to_string(index));
    if (at == kNowhere) return false;
    Candidates to{from, from.value(), ""};
    to.wanted["grants"][key].erase(index);
    bool done = false;
    if (!from.has(from.value_at("/grants" + pointer_step(key)), '[')) {
        done = to.take(from.erased(from.line_start(at), from.next_line(at)));
    } else {
        // Up to the next one, or from the end of the one before: the comma goes along.
        const bool last = index + 1 == size;
        const auto first_byte =
            last ? from.scalar_end(from.value_at(pointer + std::to_string(index - 1))) : at;
        const auto last_byte =
            last ? from.scalar_end(at) : from.value_at(pointer + std::to_string(index + 1));
        done = first_byte < last_byte && last_byte != kNowhere &&
               !has_comment_lines(from.text(), from.next_line(first_byte), last_byte) &&
               to.take(from.erased(first_byte, last_byte));
    }
    out = std::move(to.found);
    return done;
}

Result<ConfigText> parsed(std::string_view text, const std::string& file) {
    auto document = parse_yaml(text, file);
    if (!document) return to_error({document.error()});
    if (!document->value.is_null())
        if (auto faults = check_yaml(*document, embedded_schema("config.schema.json"));
            !faults.empty())
            return to_error(faults);
    return ConfigText(std::string(text), *std::move(document));
}

Error by_hand(const ConfigText& from, const std::string& key, std::string sentence) {
    const auto pointer = "/grants" + pointer_step(key);
    return to_error(
        {{from.document().key_place(pointer),
          "cannot edit this file without changing other parts of it; " + std::move(sentence),
          pointer}});
}

std::string_view without_mark(std::string_view text) {
    return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

// The text with the mark it had.
std::string with_mark(std::string_view original, std::string text) {
    return (original.starts_with(kByteOrderMark) ? std::string(kByteOrderMark) : "") +
           std::move(text);
}

}  // namespace

Result<std::string> with_grants(std::string_view text, const std::string& file,
                                const std::string& key, const std::vector<std::string>& words) {
    auto from = parsed(without_mark(text), file);
    if (!from) return from.error();
    const auto* list = from->list(key);
    std::vector<std::string> missing;
    for (const auto& word : words)
        if ((!list || std::find(list->begin(), list->end(), word) == list->end()) &&
            std::find(missing.begin(), missing.end(), word) == missing.end())
            missing.push_back(word);
    if (missing.empty()) return std::string(text);

    Candidates to{*from, from->value().is_null() ? Json::object() : from->value(), ""};
    for (const auto& word : missing) to.wanted["grants"][key].push_back(word);
    const auto entry = yaml_text(key) + ": [" + yaml_items(missing) + ']';
    const bool done = list                               ? add_to_list(to, key, missing)
                      : from->value().contains("grants") ? add_member(to, entry)
                                                         : add_grants(to, entry);
    if (!done) return by_hand(*from, key, "add by hand, under grants: " + entry);
    return with_mark(text, std::move(to.found));
}

Result<std::string> without_grants(std::string_view text, const std::string& file,
                                   const std::string& key, const std::vector<std::string>& words) {
    std::string edited(without_mark(text));
    for (;;) {
        auto from = parsed(edited, file);
        if (!from) return from.error();
        const auto* list = from->list(key);
        if (!list) break;
        std::vector<std::size_t> doomed;
        for (std::size_t i = 0; i < list->size(); ++i)
            if (std::find(words.begin(), words.end(), (*list)[i].get<std::string>()) != words.end())
                doomed.push_back(i);
        if (doomed.empty()) break;
        const bool whole = doomed.size() == list->size();
        if (!(whole ? drop_key(*from, key, edited) : drop_word(*from, key, doomed.back(), edited)))
            return by_hand(*from, key, "remove " + joined(words) + " from the list by hand");
    }
    return with_mark(text, std::move(edited));
}

}  // namespace toolhost::policy
