#include "host/schema/dialect.hpp"

#include <algorithm>
#include <utility>

#include "host/schema/uri.hpp"

namespace toolhost::schema {
namespace {

constexpr std::pair<std::string_view, Dialect> kDrafts[] = {
    {"http://json-schema.org/draft-07/schema", Dialect::draft7},
    {"https://json-schema.org/draft-07/schema", Dialect::draft7},
    {"https://json-schema.org/draft/2019-09/schema", Dialect::draft2019_09},
    {"http://json-schema.org/draft/2019-09/schema", Dialect::draft2019_09},
    {"https://json-schema.org/draft/2020-12/schema", Dialect::draft2020_12},
    {"http://json-schema.org/draft/2020-12/schema", Dialect::draft2020_12},
};

struct VocabularyRow {
    std::string_view uri;
    std::uint8_t bits;
    bool asserts_formats_if_required, asserts_formats;
};

constexpr VocabularyRow kVocabularyTable[] = {
    {"https://json-schema.org/draft/2020-12/vocab/core", vocabulary_core, false, false},
    {"https://json-schema.org/draft/2020-12/vocab/applicator", vocabulary_applicator, false, false},
    {"https://json-schema.org/draft/2020-12/vocab/unevaluated", vocabulary_unevaluated, false,
     false},
    {"https://json-schema.org/draft/2020-12/vocab/validation", vocabulary_validation, false, false},
    {"https://json-schema.org/draft/2020-12/vocab/meta-data", vocabulary_metadata, false, false},
    {"https://json-schema.org/draft/2020-12/vocab/format-annotation", vocabulary_format, false,
     false},
    {"https://json-schema.org/draft/2020-12/vocab/format-assertion", vocabulary_format, true, true},
    {"https://json-schema.org/draft/2020-12/vocab/content", vocabulary_content, false, false},
    {"https://json-schema.org/draft/2019-09/vocab/core", vocabulary_core, false, false},
    {"https://json-schema.org/draft/2019-09/vocab/applicator",
     vocabulary_applicator | vocabulary_unevaluated, false, false},
    {"https://json-schema.org/draft/2019-09/vocab/validation", vocabulary_validation, false, false},
    {"https://json-schema.org/draft/2019-09/vocab/meta-data", vocabulary_metadata, false, false},
    {"https://json-schema.org/draft/2019-09/vocab/format", vocabulary_format, true, false},
    {"https://json-schema.org/draft/2019-09/vocab/content", vocabulary_content, false, false},
};

// Meta-schemas of the store may be described by other meta-schemas there; a longer chain is a loop.
constexpr int kMaxChain = 8;

const Dialect* find_draft(std::string_view uri) {
    const auto* row = std::find_if(std::begin(kDrafts), std::end(kDrafts),
                                   [&](const auto& one) { return one.first == uri; });
    return row == std::end(kDrafts) ? nullptr : &row->second;
}

ProfileResult apply_vocabularies(DialectProfile profile, const Json& vocabularies) {
    profile.vocabularies = vocabulary_core;
    for (const auto& [key, required] : vocabularies.items()) {
        const std::string& uri = key;  // clang 14 cannot capture a binding
        const auto* row = std::find_if(std::begin(kVocabularyTable), std::end(kVocabularyTable),
                                       [&](const VocabularyRow& one) { return one.uri == uri; });
        const bool must = required.is_boolean() && required.get<bool>();
        if (row == std::end(kVocabularyTable)) {
            if (must) return "requires the unknown vocabulary " + uri;
            continue;
        }
        profile.vocabularies = static_cast<std::uint8_t>(profile.vocabularies | row->bits);
        if (row->asserts_formats || (row->asserts_formats_if_required && must)) {
            profile.assert_formats = true;
        }
    }
    return profile;
}

ProfileResult find_in_store(std::string_view uri, const DocumentStore* store, int chain) {
    if (const Dialect* dialect = find_draft(uri)) return DialectProfile{*dialect};
    const Json* document = nullptr;
    if (store != nullptr) {
        const auto found = store->documents.find(std::string(uri));
        if (found != store->documents.end()) document = &found->second;
    }
    if (document == nullptr || chain == 0) {
        return "is " + std::string(uri) +
               ", but must be the URI of draft 2020-12, draft 2019-09 or draft 7";
    }
    DialectProfile profile;
    if (!document->is_object()) return profile;
    const auto own = document->find("$schema");
    if (own != document->end() && own->is_string()) {
        const auto& text = own->get_ref<const std::string&>();
        const ProfileResult base = find_in_store(split_fragment(text).uri, store, chain - 1);
        if (!base) return base;
        profile.dialect = base->dialect;
    }
    const auto vocabularies = document->find("$vocabulary");
    if (profile.dialect == Dialect::draft7 || vocabularies == document->end() ||
        !vocabularies->is_object()) {
        return profile;
    }
    return apply_vocabularies(profile, *vocabularies);
}

}  // namespace

ProfileResult find_profile(std::string_view uri, const DocumentStore* store) {
    return find_in_store(split_fragment(uri).uri, store, kMaxChain);
}

}  // namespace toolhost::schema
