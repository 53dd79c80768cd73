// URI references as RFC 3986 resolves them, no more than `$id` and `$ref` need. Nothing here
// opens anything: a URI is only ever a name.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::schema {

// `reference` seen from `base`, dot segments removed, the fragment kept. A relative base (a
// document without an `$id`) stays relative.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

struct SplitUri {
    std::string_view uri;       // all before the '#'
    std::string_view fragment;  // all after it, still percent-encoded; empty if missing
};

[[nodiscard]] SplitUri split_fragment(std::string_view uri);

// %25 -> %; a stray '%' stays as it is.
[[nodiscard]] std::string percent_decode(std::string_view text);

}  // namespace toolhost::schema
