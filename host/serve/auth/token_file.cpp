#include "host/serve/auth/token_file.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "host/policy/place.hpp"
#include "host/policy/profile_files.hpp"
#include "host/serve/auth/base64url.hpp"

namespace toolhost::serve {
namespace {

constexpr std::string_view kHashMark = "sha256:", kOwnProfile = "-", kMetrics = "@metrics",
                           kBlanks = " \t";
constexpr std::size_t kHashDigits = 64, kMaxNameBytes = 64, kTokenBytes = 32;
// So that a token is known for one wherever it is found, by people and by scanners for secrets.
constexpr std::string_view kTokenMark = "toolhost_";
constexpr std::string_view kFirstLines =
    "# Tokens of HTTP clients, one per line: NAME PROFILE sha256:HEX. PROFILE - is the server's "
    "profile, @metrics is /metrics only.\n"
    "# Written by `toolhost token`. Contains only hashes of the tokens.\n";

bool has_only(std::string_view text, std::string_view letters) {
    return text.find_first_not_of(letters) == text.npos;
}

// Reserved words in the column of the profile.
bool is_reserved(std::string_view profile) {
    return profile == kOwnProfile || profile == kMetrics;
}

std::string profile_word(const TokenEntry& entry) {
    if (entry.metrics) return std::string(kMetrics);
    return entry.profile.empty() ? std::string(kOwnProfile) : entry.profile;
}

struct Word {
    std::string_view text;
    int column;
};

std::vector<Word> words_of(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != line.npos;) {
        const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
        words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = end;
    }
    return words;
}

std::string hash_fault(std::string_view word) {
    if (word.starts_with(kHashMark) && word.size() == kHashMark.size() + kHashDigits &&
        has_only(word.substr(kHashMark.size()), "0123456789abcdef"))
        return "";
    return "expected sha256: and 64 hex digits (0-9, a-f); create the line with `toolhost token`";
}

// One line to an entry, its faults to `faults`.
void read_line(std::string_view text, const std::string& file, int line,
               std::vector<TokenEntry>& entries, std::vector<policy::Fault>& faults) {
    const auto words = words_of(text);
    if (words.empty() || words[0].text.starts_with('#')) return;
    const auto fault = [&](int column, std::string sentence) {
        faults.push_back({{file, line, column}, std::move(sentence), ""});
    };
    if (words.size() != 3)
        return fault(1, "expected NAME PROFILE sha256:HEX, found " + std::to_string(words.size()) +
                            (words.size() == 1 ? " word" : " words"));
    const std::array<std::string, 3> sentences = {
        token_name_fault(words[0].text),
        is_reserved(words[1].text) ? std::string() : token_profile_fault(words[1].text),
        hash_fault(words[2].text)};
    for (std::size_t i = 0; i < sentences.size(); ++i)
        if (!sentences[i].empty()) return fault(words[i].column, sentences[i]);

    TokenEntry entry{std::string(words[0].text),
                     "",
                     std::string(words[2].text.substr(kHashMark.size())),
                     line,
                     words[1].column,
                     words[1].text == kMetrics};
    if (!is_reserved(words[1].text)) entry.profile = words[1].text;
    if (policy::is_file_name(entry.profile)) entry.profile = policy::beside(file, entry.profile);
    for (const auto& other : entries) {
        if (other.name != entry.name && other.sha256 != entry.sha256) continue;
        const auto where = " on line " + std::to_string(other.line) + " already";
        if (other.name == entry.name)
            return fault(words[0].column,
                         policy::in_quotes(entry.name) + " is" + where +
                             ": a name can have one token only; remove one of the two");
        return fault(words[2].column, "this token belongs to " + policy::in_quotes(other.name) +
                                          where + ": create one token per name");
    }
    entries.push_back(std::move(entry));
}

Error unusable(const std::string& file, std::string sentence) {
    return policy::to_error({{{file, 0, 0}, std::move(sentence), ""}});
}

Error unreadable(const std::string& file, int code) {
    auto error = unusable(
        file, "the token file cannot be read: " + os::system_message(code) +
                  (code == ENOENT ? "; create it with toolhost token NAME --file " + file : ""));
    error.code = ErrorCode::file_error;
    return error;
}

// By the open file, not by its name: it is the one that is read.
std::string trust_fault(const struct stat& status, const std::string& file) {
    if (!S_ISREG(status.st_mode)) return "the token file must be a regular file";
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return "the token file must belong to root or to the user who runs toolhost: chown it";
    if ((status.st_mode & 077) != 0)
        return "the token file must be readable and writable by its owner only: run chmod 600 " +
               file;
    return "";
}

}  // namespace

std::string token_name_fault(std::string_view name) {
    constexpr std::string_view kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (!name.empty() && name.size() <= kMaxNameBytes && has_only(name.substr(0, 1), kLetters) &&
        has_only(name, std::string(kLetters) + "._@-"))
        return "";
    return policy::in_quotes(name) +
           " is not a valid token name: use 1 to 64 letters, digits, ., _, @ or -, starting with a "
           "letter or a digit";
}

std::string token_profile_fault(std::string_view profile) {
    const bool plain = std::none_of(profile.begin(), profile.end(),
                                    [](char c) { return (c >= 0 && c <= ' ') || c == '\x7f'; });
    if (plain && !profile.empty() && !is_reserved(profile) && !profile.starts_with('#')) return "";
    return policy::in_quotes(profile) +
           " is not a valid profile in a token file: use a name, or a path without blanks";
}

std::string make_token() {
    std::string secret(kTokenBytes, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(secret.data()), kTokenBytes) != 1)
        throw std::runtime_error("OpenSSL has no random bytes");
    return std::string(kTokenMark) + to_base64url(secret);
}

std::string token_hash(std::string_view token) {
    os::ContentHash hash;
    hash.add(token);
    return hash.hex();
}

std::string with_token_line(std::string_view text, int line, const TokenEntry* entry) {
    std::string added;
    if (entry)
        added = entry->name + ' ' + profile_word(*entry) + ' ' + std::string(kHashMark) +
                entry->sha256 + '\n';
    if (line == 0) {
        std::string out(text.empty() ? kFirstLines : text);
        if (!out.ends_with('\n')) out += '\n';
        return out + added;
    }
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
    const auto end = text.find('\n', begin);
    std::string out(text);
    return out.replace(begin, end == text.npos ? end : end + 1 - begin, added);
}

Result<TokenFile> TokenFile::parse(std::string_view text, const std::string& file) {
    TokenFile tokens;
    std::vector<policy::Fault> faults;
    for (int line = 1; !text.empty(); ++line) {
        const auto end = std::min(text.find('\n'), text.size());
        read_line(text.substr(0, end), file, line, tokens.entries_, faults);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!faults.empty()) return policy::to_error(faults);
    return tokens;
}

Result<TokenFile> TokenFile::load(const std::string& file) {
    const auto descriptor = os::open_for_reading(file);
    struct stat status {};
    if (!descriptor || ::fstat(descriptor.get(), &status) != 0) return unreadable(file, errno);
    if (auto fault = trust_fault(status, file); !fault.empty())
        return unusable(file, std::move(fault));
    std::string text(kMaxTokenFileBytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const auto got = ::read(descriptor.get(), text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return unreadable(file, errno);
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    if (size > kMaxTokenFileBytes) return unusable(file, "the token file is larger than 1 MiB");
    text.resize(size);
    return parse(text, file);
}

Result<void> TokenFile::check_profiles(const std::string& file, const ProfileCheck& usable) const {
    std::vector<policy::Fault> faults;
    for (const auto& entry : entries_) {
        if (entry.metrics) continue;
        if (const auto ready = usable(entry.profile); !ready)
            faults.push_back({{file, entry.line, entry.profile_column},
                              "the profile of " + policy::in_quotes(entry.name) +
                                  " cannot be used: " + ready.error().message +
                                  "\n  Fix that profile, or use another one in this line.",
                              ""});
    }
    if (!faults.empty()) return policy::to_error(faults);
    return {};
}

Result<void> TokenFile::drop_unusable(const std::string& file, const ProfileCheck& usable) {
    auto faults = check_profiles(file, usable);
    if (!faults)
        std::erase_if(entries_,
                      [&](const auto& entry) { return !entry.metrics && !usable(entry.profile); });
    return faults;
}

const TokenEntry* TokenFile::find(std::string_view token) const {
    const auto hash = token_hash(token);
    const TokenEntry* found = nullptr;
    // All of them, each to its last digit: how long it takes says nothing of what is in the file.
    for (const auto& entry : entries_)
        if (CRYPTO_memcmp(entry.sha256.data(), hash.data(), kHashDigits) == 0) found = &entry;
    return found;
}

const TokenEntry* TokenFile::find_name(std::string_view name) const {
    const auto it = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const auto& entry) { return entry.name == name; });
    return it == entries_.end() ? nullptr : &*it;
}

}  // namespace toolhost::serve
