// JSON Pointer (RFC 6901). Implemented here so that a failure can name the missing step.
#include <charconv>

#include "json/query.hpp"
#include "nearest.hpp"

namespace data_tools::json {
namespace {

std::string problem(std::size_t position, const std::string& what) {
    return "query position " + std::to_string(position) + ": " + what;
}

// ~1 is /, ~0 is ~.
Outcome<std::string> unescaped(std::string_view token, std::size_t position) {
    std::string out;
    for (std::size_t k = 0; k < token.size(); ++k) {
        if (token[k] != '~') {
            out += token[k];
        } else if (k + 1 < token.size() && (token[k + 1] == '0' || token[k + 1] == '1')) {
            out += token[++k] == '0' ? '~' : '/';
        } else {
            return Failure{problem(position + k, "'~' must be written ~0 (and '/' in a key ~1)")};
        }
    }
    return out;
}

Outcome<const Value*> step(const Value& from, const std::string& token, const std::string& so_far,
                           std::size_t position) {
    const std::string where = so_far.empty() ? "the top" : so_far;
    if (from.is_object()) {
        if (const auto found = from.find(token); found != from.end()) return &*found;
        std::vector<std::string> keys;
        for (const auto& [key, value] : from.items()) {
            if (keys.size() < 1000) keys.push_back(key);
        }
        return Failure{problem(position, "no key '" + token.substr(0, 80) + "' at " + where + "." +
                                             did_you_mean(token, keys))};
    }
    if (from.is_array()) {
        std::size_t index = 0;
        const char* end = token.data() + token.size();
        const auto [stop, error] = std::from_chars(token.data(), end, index);
        if (error != std::errc() || stop != end || (token.size() > 1 && token[0] == '0')) {
            return Failure{problem(position, "'" + token.substr(0, 80) + "' is not an index, and " +
                                                 where + " is an array")};
        }
        if (index < from.size()) return &from[index];
        return Failure{problem(position, "no index " + token + " at " + where + ": it has " +
                                             std::to_string(from.size()) + " items")};
    }
    return Failure{problem(position, where + " is " + from.type_name() + ", which has no members")};
}

}  // namespace

Outcome<Value> run_pointer(std::string_view query, const Value& value) {
    const Value* at = &value;
    std::size_t start = 1;
    while (start <= query.size()) {
        const std::size_t end = std::min(query.find('/', start), query.size());
        const auto token = unescaped(query.substr(start, end - start), start + 1);
        if (!token) return Failure{token.error()};
        const auto next = step(*at, *token, std::string(query.substr(0, start - 1)), start + 1);
        if (!next) return Failure{next.error()};
        at = *next;
        start = end + 1;
    }
    return *at;
}

Outcome<Value> run_query(std::string_view query, const Value& value) {
    if (query.size() > max_query_bytes) {
        return Failure{"the query is longer than " + std::to_string(max_query_bytes) + " bytes"};
    }
    if (query.empty()) return value;
    return query[0] == '/' ? run_pointer(query, value) : run_jmespath(query, value);
}

}  // namespace data_tools::json
