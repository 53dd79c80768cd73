#include "host/policy/checked_yaml.hpp"

#include <algorithm>
#include <array>
#include <boost/filesystem/fstream.hpp>
#include <boost/filesystem/operations.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "host/base/suggest.hpp"
#include "host/policy/embedded.hpp"

namespace toolhost::policy {
namespace {

schema::Schema compile(std::string_view name) {
    auto compiled = schema::Schema::compile(Json::parse(schema_text(name)));
    if (compiled) return *compiled;
    throw std::logic_error(std::string(name) + ": " + compiled.error().message);
}

}  // namespace

Error unreadable(const std::string& file, const std::string& why) {
    auto error = to_error({{{file, 0, 0}, "cannot be read: " + why, ""}});
    error.code = ErrorCode::file_error;
    return error;
}

namespace {

Fault to_fault(const YamlDocument& document, const schema::Issue& issue) {
    if (auto key = unknown_key(issue); !key.empty()) {
        const auto pointer = issue.pointer + pointer_step(key);
        return {document.key_place(pointer),
                unknown_key_sentence(key, issue.pointer, allowed_keys(issue)), pointer};
    }
    auto sentence = issue.message;
    if (issue.pointer.empty() && sentence.starts_with("must ")) sentence.insert(0, "the document ");
    return {document.place(issue.pointer), std::move(sentence), issue.pointer};
}

}  // namespace

Result<std::string> read_text_file(const std::string& file) {
    errno = 0;
    boost::filesystem::ifstream stream(file, std::ios::binary);
    if (!stream) return unreadable(file, std::strerror(errno));
    std::string text;
    std::array<char, 8192> piece;  // most files fit
    while (text.size() <= kMaxYamlBytes &&
           (stream.read(piece.data(), piece.size()), stream.gcount() > 0))
        text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    // A folder can be opened but not read.
    if (stream.bad() || (text.empty() && boost::filesystem::is_directory(file)))
        return unreadable(file, std::strerror(errno == 0 ? EISDIR : errno));
    return text;
}

const schema::Schema& embedded_schema(std::string_view name) {
    // Compiled at first use, because compiling a schema takes longer than reading a small profile.
    if (name == "config.schema.json") {
        static const schema::Schema config = compile(name);
        return config;
    }
    if (name == "grants.schema.json") {
        static const schema::Schema grants = compile(name);
        return grants;
    }
    static const schema::Schema profile = compile("profile.schema.json");
    return profile;
}

std::string unknown_key(const schema::Issue& issue) {
    if (issue.keyword != "additionalProperties" && issue.keyword != "unevaluatedProperties")
        return "";
    return issue.details.value("property", "");
}

std::vector<std::string> allowed_keys(const schema::Issue& issue) {
    std::vector<std::string> out;
    for (const auto& name : issue.details.value("expected", Json::array()))
        if (name.is_string()) out.push_back(name.get<std::string>());
    return out;
}

std::string unknown_key_sentence(const std::string& key, const std::string& pointer,
                                 const std::vector<std::string>& allowed) {
    auto out = "unknown key " + in_quotes(key) + (pointer.empty() ? "" : " in " + pointer);
    if (auto near = did_you_mean(key, allowed); !near.empty())
        out += near + " allowed: ";
    else
        out += "; allowed: ";
    return out + (allowed.empty() ? "none" : joined(allowed));
}

std::vector<Fault> check_yaml(const YamlDocument& document, const schema::Schema& schema) {
    std::vector<Fault> faults;
    for (const auto& issue : schema.validate(document.value, kMaxFaults))
        faults.push_back(to_fault(document, issue));
    // In the order of the file, not of the validation.
    std::stable_sort(faults.begin(), faults.end(), [](const Fault& a, const Fault& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return faults;
}

}  // namespace toolhost::policy
