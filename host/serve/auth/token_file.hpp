// The token file: bearer tokens and their profiles. A line is
//   NAME PROFILE sha256:HEX
// where PROFILE is `-` for the host's own, or `@metrics` for a client of /metrics and nothing
// else; blank lines and lines that begin with # are passed over.
//
// Tokens are 256 random bits, which cannot be guessed, however fast the hash: a plain
// SHA-256 is right here, and a slow one, made for passwords, would only cost every request its
// time. Because of the hash, the file or a copy of it cannot be used to authenticate.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/error.hpp"

namespace toolhost::serve {

struct TokenEntry {
    std::string name{};
    std::string profile{};  // empty: the host's own; a relative file is meant from the token file
    std::string sha256{};   // of the token, 64 hexadecimal digits
    int line = 0;
    int profile_column = 0;
    bool metrics = false;  // for /metrics alone; no profile then
};

// Checks whether a profile is usable, and if not, why; "" is the host's own.
using ProfileCheck = std::function<Result<void>(const std::string& profile)>;

class TokenFile {
public:
    // Refuses a file that others than its owner can read or write.
    [[nodiscard]] static Result<TokenFile> load(const std::string& file);
    // Text of that file; all of its faults at once, each with its line.
    [[nodiscard]] static Result<TokenFile> parse(std::string_view text, const std::string& file);

    // Every line whose profile cannot be used, so that it is found now and not by an agent. `file`
    // is where these lines were read from.
    [[nodiscard]] Result<void> check_profiles(const std::string& file,
                                              const ProfileCheck& usable) const;

    // Takes such lines out, so that the others can be used; what is wrong with them, as above.
    [[nodiscard]] Result<void> drop_unusable(const std::string& file, const ProfileCheck& usable);

    // The entry of a token; null: unknown. Takes the same time in every case.
    [[nodiscard]] const TokenEntry* find(std::string_view token) const;
    [[nodiscard]] const TokenEntry* find_name(std::string_view name) const;
    [[nodiscard]] const std::vector<TokenEntry>& entries() const { return entries_; }

private:
    std::vector<TokenEntry> entries_;
};

inline constexpr std::size_t kMaxTokenFileBytes = 1u << 20;

// What may be written in a line: empty, or why not.
[[nodiscard]] std::string token_name_fault(std::string_view name);
[[nodiscard]] std::string token_profile_fault(std::string_view profile);

[[nodiscard]] std::string make_token();
[[nodiscard]] std::string token_hash(std::string_view token);

// The text with that entry at the end, or in place of line `line`; without it if `entry` is null.
[[nodiscard]] std::string with_token_line(std::string_view text, int line, const TokenEntry* entry);

}  // namespace toolhost::serve
