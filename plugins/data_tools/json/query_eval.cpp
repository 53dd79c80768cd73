#include <algorithm>
#include <deque>

#include "json/query_tree.hpp"

namespace data_tools::json {
namespace {

const Value nothing = nullptr;

// JMESPath's false values: false, null, and empty values. Zero is true.
bool is_true(const Value& v) {
    if (v.is_boolean()) return v.get<bool>();
    if (v.is_string()) return !v.get_ref<const std::string&>().empty();
    return !v.is_null() && !(v.is_structured() && v.empty());
}

std::size_t weight(const Value& v) {
    std::size_t n = 1;
    if (v.is_structured()) {
        for (const Value& child : v) n += weight(child);
    } else if (v.is_string()) {
        n += v.get_ref<const std::string&>().size() / 64;
    }
    return n;
}

// Parts of the document are passed as pointers; only new values are stored.
class Evaluator {
public:
    const Value* run(const QueryNode& node, const Value* at) {
        switch (node.step) {
            case Step::current:
                return at;
            case Step::literal:
                return &node.value;
            case Step::field:
                return field(node.text, at);
            case Step::index:
                return index(node.index, at);
            case Step::slice:
                return slice(node, at);
            case Step::sub:
            case Step::pipe:
                return run(*node.parts[1], run(*node.parts[0], at));
            case Step::project:
                return project(node, run(*node.parts[0], at), false);
            case Step::project_values:
                return project(node, run(*node.parts[0], at), true);
            case Step::filter:
                return filter(node, run(*node.parts[0], at));
            case Step::flatten:
                return flatten(node, run(*node.parts[0], at));
            case Step::either: {
                const Value* left = run(*node.parts[0], at);
                return is_true(*left) ? left : run(*node.parts[1], at);
            }
            case Step::both: {
                const Value* left = run(*node.parts[0], at);
                return is_true(*left) ? run(*node.parts[1], at) : left;
            }
            case Step::negation:
                return keep(node, !is_true(*run(*node.parts[0], at)));
            case Step::compare:
                return compare(node, *run(*node.parts[0], at), *run(*node.parts[1], at));
            case Step::list:
                return list(node, at);
            case Step::hash:
                return hash(node, at);
            case Step::call: {
                std::vector<const Value*> arguments;
                for (const QueryPtr& part : node.parts) arguments.push_back(run(*part, at));
                for (const Value* v : arguments) charge(node, weight(*v));
                return keep(node, call_function(node, arguments));
            }
        }
        return &nothing;
    }

private:
    void charge(const QueryNode& node, std::size_t work) {
        work_ += work;
        if (work_ > max_query_work) {
            throw QueryError{node.position, "the query produces too many values; the limit is " +
                                                std::to_string(max_query_work)};
        }
    }

    const Value* keep(const QueryNode& node, Value value) {
        charge(node, 1);
        return &made_.emplace_back(std::move(value));
    }

    void add(const QueryNode& node, Value& items, const Value& item) {
        charge(node, weight(item));
        items.push_back(item);
    }

    static const Value* field(const std::string& name, const Value* at) {
        if (!at->is_object()) return &nothing;
        const auto found = at->find(name);
        return found == at->end() ? &nothing : &*found;
    }

    static const Value* index(long k, const Value* at) {
        if (!at->is_array()) return &nothing;
        const long size = static_cast<long>(at->size());
        if (k < 0) k += size;
        return k < 0 || k >= size ? &nothing : &(*at)[static_cast<std::size_t>(k)];
    }

    // As slices in Python.
    const Value* slice(const QueryNode& node, const Value* at) {
        if (!at->is_array()) return &nothing;
        const long size = static_cast<long>(at->size());
        const long step = node.slice[2].value_or(1);
        const auto bound = [&](std::optional<long> given, long otherwise) {
            if (!given) return otherwise;
            const long k = *given < 0 ? *given + size : *given;
            return step > 0 ? std::clamp(k, 0L, size) : std::clamp(k, -1L, size - 1);
        };
        const long start = bound(node.slice[0], step > 0 ? 0 : size - 1);
        const long stop = bound(node.slice[1], step > 0 ? size : -1);
        Value items = Value::array();
        for (long k = start; step > 0 ? k < stop : k > stop; k += step) {
            add(node, items, (*at)[static_cast<std::size_t>(k)]);
        }
        return keep(node, std::move(items));
    }

    const Value* project(const QueryNode& node, const Value* from, bool values) {
        if (values ? !from->is_object() : !from->is_array()) return &nothing;
        Value items = Value::array();
        for (const Value& item : *from) {
            const Value* result = run(*node.parts[1], &item);
            charge(node, 1);
            if (!result->is_null()) add(node, items, *result);
        }
        return keep(node, std::move(items));
    }

    const Value* filter(const QueryNode& node, const Value* from) {
        if (!from->is_array()) return &nothing;
        Value items = Value::array();
        for (const Value& item : *from) {
            charge(node, 1);
            if (!is_true(*run(*node.parts[2], &item))) continue;
            const Value* result = run(*node.parts[1], &item);
            if (!result->is_null()) add(node, items, *result);
        }
        return keep(node, std::move(items));
    }

    const Value* flatten(const QueryNode& node, const Value* from) {
        if (!from->is_array()) return &nothing;
        Value items = Value::array();
        for (const Value& item : *from) {
            if (item.is_array()) {
                for (const Value& inner : item) add(node, items, inner);
            } else {
                add(node, items, item);
            }
        }
        return keep(node, std::move(items));
    }

    const Value* compare(const QueryNode& node, const Value& a, const Value& b) {
        if (node.comparison == Sign::equal) return keep(node, a == b);
        if (node.comparison == Sign::unequal) return keep(node, a != b);
        if (!a.is_number() || !b.is_number()) return &nothing;  // only numbers are ordered
        switch (node.comparison) {
            case Sign::less:
                return keep(node, a < b);
            case Sign::less_equal:
                return keep(node, a <= b);
            case Sign::greater:
                return keep(node, a > b);
            default:
                return keep(node, a >= b);
        }
    }

    const Value* list(const QueryNode& node, const Value* at) {
        if (at->is_null()) return &nothing;
        Value items = Value::array();
        for (const QueryPtr& part : node.parts) add(node, items, *run(*part, at));
        return keep(node, std::move(items));
    }

    const Value* hash(const QueryNode& node, const Value* at) {
        if (at->is_null()) return &nothing;
        Value object = Value::object();
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
            const Value* part = run(*node.parts[k], at);
            charge(node, weight(*part));
            object[node.keys[k]] = *part;
        }
        return keep(node, std::move(object));
    }

    std::deque<Value> made_;  // a deque, because its elements do not move
    std::size_t work_ = 0;
};

}  // namespace

Outcome<Value> run_jmespath(std::string_view query, const Value& value) {
    try {
        const QueryPtr tree = parse_query(query);
        Evaluator evaluator;
        return *evaluator.run(*tree, &value);
    } catch (const QueryError& e) {
        return Failure{"query position " + std::to_string(e.position) + ": " + e.what};
    }
}

}  // namespace data_tools::json
