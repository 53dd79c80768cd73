// The dialect that `$schema` selects: the draft, and which of its vocabularies are active.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "host/schema/schema.hpp"

namespace toolhost::schema {

// Vocabularies, as a bit set. Draft 7 does not name any and uses all.
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
    bool assert_formats = false;  // set if the meta-schema requires it
};

// An error is a sentence part about the URI.
using ProfileResult = boost::system::result<DialectProfile, std::string>;

// `uri` is the meta-schema of a draft, or one in the store, whose `$vocabulary` then applies.
[[nodiscard]] ProfileResult find_profile(std::string_view uri, const DocumentStore* store);

}  // namespace toolhost::schema
