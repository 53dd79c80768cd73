#include "repo/raw_commit.hpp"

#include <charconv>

#include "repo/failure.hpp"

namespace git {
namespace {

// If the next line starts with `name`, returns the rest of it and advances; otherwise returns
// nothing.
std::string_view take_line(std::string_view& text, std::string_view name) {
    if (text.substr(0, name.size()) != name) return {};
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    return line.substr(name.size());
}

git_oid id_of(std::string_view hex) {
    git_oid id;
    if (hex.size() != GIT_OID_HEXSZ || git_oid_fromstrn(&id, hex.data(), hex.size()) != 0)
        fail("cannot read a commit: it is malformed");
    return id;
}

// "Name <address> 1768480496 +0100"; 0 if malformed, as in libgit2.
std::int64_t time_of(std::string_view person) {
    const auto end = person.rfind('>');
    std::int64_t time = 0;
    if (end == std::string_view::npos || end + 2 > person.size()) return time;
    std::from_chars(person.data() + end + 2, person.data() + person.size(), time);
    return time;
}

}  // namespace

CommitLinks links_of(std::string_view raw) {
    CommitLinks links;
    links.tree = id_of(take_line(raw, "tree "));
    for (std::string_view hex; !(hex = take_line(raw, "parent ")).empty();)
        links.parents.push_back(id_of(hex));
    take_line(raw, "author ");
    links.time = time_of(take_line(raw, "committer "));
    return links;
}

std::string_view author_of(std::string_view raw) {
    constexpr std::string_view kMark = "\nauthor ";
    const auto start = raw.find(kMark);
    if (start == std::string_view::npos || start > raw.find("\n\n")) return {};
    raw.remove_prefix(start + kMark.size());
    const auto line = raw.substr(0, raw.find('\n'));
    return line.substr(0, line.rfind('>') + 1);
}

std::string_view message_of(std::string_view raw) {
    const auto end = raw.find("\n\n");
    return end == std::string_view::npos ? std::string_view() : raw.substr(end + 2);
}

}  // namespace git
