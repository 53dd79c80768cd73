// Messages about numbers, strings, types and single values.
#include <algorithm>

#include "host/schema/describe.hpp"
#include "host/schema/sentence_writers.hpp"

namespace toolhost::schema::sentence {
namespace {

Json number_json(const Number& number) {
    switch (number.kind) {
        case Number::Kind::integer:
            return number.integer;
        case Number::Kind::natural:
            return number.natural;
        case Number::Kind::real:
            break;
    }
    return number.real;
}

template <std::optional<Number> NumberRules::*limit>
Sentence bound(const Case& at, std::string_view phrase) {
    const Json number = number_json(*(at.node.number->*limit));
    return {"must be " + std::string(phrase) + " " + number.dump(), ", but is " + preview(at.value),
            number};
}

}  // namespace

Sentence false_schema(const Case& at) {
    return {"must be absent", but_is(at), "nothing"};
}

Sentence type(const Case& at) {
    const std::string phrase = type_phrase(at.node.types);
    return {"must be " + phrase, but_is(at), phrase};
}

Sentence constant(const Case& at) {
    const Json& constant = *at.node.values->constant;
    return {"must be " + preview(constant), but_is(at), short_json(constant)};
}

// A short list is shown completely. A long one starts with the values that resemble the given one.
Sentence enumeration(const Case& at) {
    constexpr std::size_t kMaxWhole = 40;
    const auto& values = at.node.values->allowed->values();
    Sentence out{"must be one of ", but_is(at), Json::array()};
    if (values.empty()) out.must = "cannot be valid: its enum is empty";
    std::vector<std::string_view> near;
    if (const auto* text = at.value.get_ptr<const std::string*>()) {
        std::vector<std::string_view> texts;
        for (const Json& value : values) {
            const auto* one = value.get_ptr<const std::string*>();
            if (one != nullptr && texts.size() < kMaxComparedNames) texts.emplace_back(*one);
        }
        near = closest_names(*text, texts);
        if (!near.empty()) out.but += "; did you mean " + quote(near.front()) + "?";
    }
    const bool whole = values.size() <= kMaxWhole;
    const std::size_t shown = whole ? values.size() : kListedValues;
    const auto list = [&](const Json& value) {
        if (!out.expected.empty()) out.must += ", ";
        out.must += preview(value);
        out.expected.push_back(short_json(value));
    };
    if (!whole) {
        for (const std::string_view one : near) list(std::string(one));
    }
    for (std::size_t i = 0; i < values.size() && out.expected.size() < shown; ++i) {
        const auto* one = values[i].get_ptr<const std::string*>();
        const bool listed = !whole && one != nullptr && std::ranges::count(near, *one) > 0;
        if (!listed) list(values[i]);
    }
    if (values.size() > shown)
        out.must += " and " + std::to_string(values.size() - shown) + " more";
    return out;
}

Sentence minimum(const Case& at) {
    return bound<&NumberRules::minimum>(at, "at least");
}
Sentence maximum(const Case& at) {
    return bound<&NumberRules::maximum>(at, "at most");
}
Sentence exclusive_minimum(const Case& at) {
    return bound<&NumberRules::exclusive_minimum>(at, "greater than");
}
Sentence exclusive_maximum(const Case& at) {
    return bound<&NumberRules::exclusive_maximum>(at, "less than");
}
Sentence multiple_of(const Case& at) {
    return bound<&NumberRules::multiple_of>(at, "a multiple of");
}

Sentence min_length(const Case& at) {
    return length("at least", at.node.string->min_length, at.facts.first, "character",
                  "characters");
}
Sentence max_length(const Case& at) {
    return length("at most", at.node.string->max_length, at.facts.first, "character", "characters");
}
Sentence pattern(const Case& at) {
    const std::string& source = at.node.string->pattern->source();
    return {"must match the pattern " + quote(source), but_is(at), source.substr(0, 1000)};
}

Sentence format(const Case& at) {
    const Format& one = *at.node.string->format;
    return {"must have the format " + std::string(one.name) + " (such as " +
                std::string(one.example) + ")",
            but_is(at), one.name};
}

}  // namespace toolhost::schema::sentence
