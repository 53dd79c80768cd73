#include <algorithm>
#include <array>

#include "json/query_tree.hpp"
#include "nearest.hpp"

namespace data_tools::json {
namespace {

using Arguments = std::vector<const Value*>;

struct Function {
    std::string_view name;
    std::size_t arguments;
    std::string_view takes;  // the required type of the first argument, for the error
    bool (*fits)(const Value&);
    Value (*run)(const Arguments&);
};

std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

bool any(const Value&) {
    return true;
}
bool is_object(const Value& v) {
    return v.is_object();
}
bool is_list(const Value& v) {
    return v.is_array();
}
bool has_length(const Value& v) {
    return v.is_structured() || v.is_string();
}
bool can_contain(const Value& v) {
    return v.is_array() || v.is_string();
}
bool is_text_list(const Value& v) {
    return v.is_array() &&
           std::all_of(v.begin(), v.end(), [](const Value& x) { return x.is_string(); });
}
bool is_number_list(const Value& v) {
    return v.is_array() &&
           std::all_of(v.begin(), v.end(), [](const Value& x) { return x.is_number(); });
}
bool is_ordered_list(const Value& v) {
    return is_number_list(v) || is_text_list(v);
}

Value length(const Arguments& a) {
    return a[0]->is_string() ? characters(a[0]->get_ref<const std::string&>()) : a[0]->size();
}
Value keys(const Arguments& a) {
    Value out = Value::array();
    for (const auto& [key, value] : a[0]->items()) out.push_back(key);
    return out;
}
Value values(const Arguments& a) {
    Value out = Value::array();
    for (const Value& value : *a[0]) out.push_back(value);
    return out;
}
Value type(const Arguments& a) {
    return a[0]->type_name();
}
Value sort(const Arguments& a) {
    Value out = *a[0];
    std::stable_sort(out.begin(), out.end());
    return out;
}
Value reverse(const Arguments& a) {
    Value out = *a[0];
    std::reverse(out.begin(), out.end());
    return out;
}
Value least(const Arguments& a) {
    return a[0]->empty() ? Value() : *std::min_element(a[0]->begin(), a[0]->end());
}
Value most(const Arguments& a) {
    return a[0]->empty() ? Value() : *std::max_element(a[0]->begin(), a[0]->end());
}
// The sum of integers stays an integer as long as it fits.
Value sum(const Arguments& a) {
    long long whole = 0;
    double total = 0;
    bool exact = true;
    for (const Value& v : *a[0]) {
        total += v.get<double>();
        exact = exact && v.is_number_integer() &&
                !__builtin_add_overflow(whole, v.get<long long>(), &whole);
    }
    return exact ? Value(whole) : Value(total);
}
Value average(const Arguments& a) {
    if (a[0]->empty()) return nullptr;
    return sum(a).get<double>() / static_cast<double>(a[0]->size());
}
Value contains(const Arguments& a) {
    if (a[0]->is_array()) return std::find(a[0]->begin(), a[0]->end(), *a[1]) != a[0]->end();
    if (!a[1]->is_string()) return false;
    return a[0]->get_ref<const std::string&>().find(a[1]->get_ref<const std::string&>()) !=
           std::string::npos;
}
Value to_string(const Arguments& a) {
    return a[0]->is_string() ? *a[0] : Value(a[0]->dump());
}
Value to_number(const Arguments& a) {
    if (a[0]->is_number()) return *a[0];
    if (!a[0]->is_string()) return nullptr;
    const Value number = Value::parse(a[0]->get_ref<const std::string&>(), nullptr, false);
    return number.is_number() ? number : Value();
}

constexpr auto functions = std::to_array<Function>({
    {"length", 1, "a string, array or object", has_length, length},
    {"keys", 1, "an object", is_object, keys},
    {"values", 1, "an object", is_object, values},
    {"type", 1, "anything", any, type},
    {"sort", 1, "an array of numbers or strings", is_ordered_list, sort},
    {"reverse", 1, "an array", is_list, reverse},
    {"min", 1, "an array of numbers or strings", is_ordered_list, least},
    {"max", 1, "an array of numbers or strings", is_ordered_list, most},
    {"sum", 1, "an array of numbers", is_number_list, sum},
    {"avg", 1, "an array of numbers", is_number_list, average},
    {"contains", 2, "an array or string", can_contain, contains},
    {"to_string", 1, "anything", any, to_string},
    {"to_number", 1, "anything", any, to_number},
});

const Function* find(std::string_view name) {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const Function& f) { return f.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

}  // namespace

void check_function(const std::string& name, std::size_t arguments, std::size_t position) {
    const Function* function = find(name);
    if (function == nullptr) {
        std::vector<std::string> names;
        for (const Function& f : functions) names.emplace_back(f.name);
        throw QueryError{
            position, "unknown function '" + name.substr(0, 80) + "'." + did_you_mean(name, names)};
    }
    if (function->arguments != arguments) {
        throw QueryError{position, name + " takes " + std::to_string(function->arguments) +
                                       " argument(s), not " + std::to_string(arguments)};
    }
}

Value call_function(const QueryNode& call, const Arguments& arguments) {
    const Function* function = find(call.text);
    if (!function->fits(*arguments[0])) {
        throw QueryError{call.position, call.text + " takes " + std::string(function->takes) +
                                            ", not " + arguments[0]->type_name()};
    }
    return function->run(arguments);
}

}  // namespace data_tools::json
