// What `$schema` decides: the draft, and which of its vocabularies are in force.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Vocabularies, as a bit set. Draft 7 has none by name and uses them all.
enum Vocabulary : std::uint8_t {
    vocabulary_core = 1,
    vocabulary_applicator = 2,
    vocabulary_unevaluated = 4,
    vocabulary_validation = 8,
    vocabulary_metadata = 16,
    vocabulary_format = 32,
    vocabulary_content = 64,
    vocabulary_all = 127,
};

struct DialectProfile {
    Dialect dialect = Dialect::draft2020_12;
    std::uint8_t vocabularies = vocabulary_all;
    bool assert_formats = false;  // the meta-schema asks for it
};

// An error is a text about the URI.
using ProfileResult = boost::system::result<DialectProfile, std::string>;

// `uri` is a draft's own meta-schema, or one in the store: then that one's `$vocabulary` counts.
[[nodiscard]] ProfileResult find_profile(std::string_view uri, const DocumentStore* store);

}  // namespace toolhost::schema
