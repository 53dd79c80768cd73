// Resolves URI references as in RFC 3986, as far as `$id` and `$ref` need. A URI is only a name
// here; it is never opened.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::schema {

// Resolves `reference` against `base`, without dot segments, with the fragment. A relative base (a
// document without an `$id`) stays relative.
[[nodiscard]] std::string resolve_uri(std::string_view base, std::string_view reference);

struct SplitUri {
    std::string_view uri;       // before the '#'
    std::string_view fragment;  // after the '#', still percent-encoded
};

[[nodiscard]] SplitUri split_fragment(std::string_view uri);

// %25 -> %; a single '%' is kept.
[[nodiscard]] std::string percent_decode(std::string_view text);

}  // namespace toolhost::schema
