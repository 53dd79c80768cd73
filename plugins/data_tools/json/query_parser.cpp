// A Pratt parser with the binding powers of the JMESPath specification. Everything right of a
// projection ([*], [], [?...], slices, *) is applied to each of its items, up to the next pipe.
#include <algorithm>

#include "json/query_tree.hpp"

namespace data_tools::json {
namespace {

constexpr int projection_stop = 10;

int power(Sign sign) {
    switch (sign) {
        case Sign::pipe:
            return 1;
        case Sign::either:
            return 2;
        case Sign::both:
            return 3;
        case Sign::equal:
        case Sign::unequal:
        case Sign::less:
        case Sign::less_equal:
        case Sign::greater:
        case Sign::greater_equal:
            return 5;
        case Sign::flatten:
            return 9;
        case Sign::star:
            return 20;
        case Sign::open_filter:
            return 21;
        case Sign::dot:
            return 40;
        case Sign::negation:
            return 45;
        case Sign::open_brace:
            return 50;
        case Sign::open_bracket:
            return 55;
        case Sign::open:
            return 60;
        default:
            return 0;
    }
}

template <class... Parts>
QueryPtr make(Step step, std::size_t position, Parts... parts) {
    auto node = std::make_unique<QueryNode>(QueryNode{.step = step, .position = position});
    (node->parts.push_back(std::move(parts)), ...);
    return node;
}

class Parser {
public:
    explicit Parser(std::vector<QueryToken> tokens) : tokens_(std::move(tokens)) {}

    QueryPtr run() {
        QueryPtr root = expression(0);
        if (now().sign != Sign::end) unexpected(now());
        return root;
    }

private:
    struct Level {
        explicit Level(Parser& p) : parser(p) {
            if (++parser.level_ > max_query_nesting) {
                throw QueryError{parser.now().position, "nested too deep"};
            }
        }
        ~Level() { --parser.level_; }
        Parser& parser;
    };

    const QueryToken& now() const { return tokens_[at_]; }
    const QueryToken& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    bool at(Sign sign) const { return now().sign == sign; }
    bool accept(Sign sign) {
        if (!at(sign)) return false;
        ++at_;
        return true;
    }
    void expect(Sign sign, const char* what) {
        if (!accept(sign)) {
            throw QueryError{now().position,
                             std::string("expected ") + what + ", found " + now().text};
        }
    }
    [[noreturn]] static void unexpected(const QueryToken& token) {
        throw QueryError{token.position, "unexpected " + token.text};
    }
    static QueryPtr current() { return make(Step::current, 0); }

    QueryPtr expression(int right_power) {
        const Level level(*this);
        QueryPtr left = prefix();
        while (right_power < power(now().sign)) left = infix(std::move(left));
        return left;
    }

    QueryPtr prefix() {
        const QueryToken token = now();
        if (!at(Sign::end)) ++at_;
        switch (token.sign) {
            case Sign::name:
                if (at(Sign::open)) return call(token);
                [[fallthrough]];
            case Sign::quoted_name: {
                QueryPtr node = make(Step::field, token.position);
                node->text = token.text;
                return node;
            }
            case Sign::literal: {
                QueryPtr node = make(Step::literal, token.position);
                node->value = token.value;
                return node;
            }
            case Sign::current:
                return current();
            case Sign::negation:
                return make(Step::negation, token.position, expression(45));
            case Sign::open: {
                QueryPtr inner = expression(0);
                expect(Sign::close, ")");
                return inner;
            }
            case Sign::star:
                return make(Step::project_values, token.position, current(), each(Sign::star));
            case Sign::open_filter:
                return filter(current(), token.position);
            case Sign::flatten:
                return flatten(current(), token.position);
            case Sign::open_brace:
                return hash(token.position);
            case Sign::open_bracket:
                if (at(Sign::number) || at(Sign::colon) ||
                    (at(Sign::star) && ahead().sign == Sign::close_bracket)) {
                    return bracket(current(), token.position);
                }
                return list(token.position);
            default:
                unexpected(token);
        }
    }

    QueryPtr infix(QueryPtr left) {
        const QueryToken token = now();
        ++at_;
        const int own = power(token.sign);
        switch (token.sign) {
            case Sign::dot:
                if (accept(Sign::star)) {
                    return make(Step::project_values, token.position, std::move(left),
                                each(Sign::star));
                }
                return make(Step::sub, token.position, std::move(left), after_dot(own));
            case Sign::pipe:
                return make(Step::pipe, token.position, std::move(left), expression(own));
            case Sign::either:
                return make(Step::either, token.position, std::move(left), expression(own));
            case Sign::both:
                return make(Step::both, token.position, std::move(left), expression(own));
            case Sign::open_filter:
                return filter(std::move(left), token.position);
            case Sign::flatten:
                return flatten(std::move(left), token.position);
            case Sign::open_bracket:
                return bracket(std::move(left), token.position);
            case Sign::equal:
            case Sign::unequal:
            case Sign::less:
            case Sign::less_equal:
            case Sign::greater:
            case Sign::greater_equal: {
                QueryPtr node =
                    make(Step::compare, token.position, std::move(left), expression(own));
                node->comparison = token.sign;
                return node;
            }
            default:
                unexpected(token);
        }
    }

    // The expression that a projection applies to each item.
    QueryPtr each(Sign projection) {
        if (power(now().sign) < projection_stop) return current();
        if (at(Sign::open_bracket) || at(Sign::open_filter)) return expression(power(projection));
        if (accept(Sign::dot)) return after_dot(power(projection));
        unexpected(now());
    }

    QueryPtr after_dot(int right_power) {
        if (at(Sign::name) || at(Sign::quoted_name) || at(Sign::star)) {
            return expression(right_power);
        }
        const std::size_t position = now().position;
        if (accept(Sign::open_bracket)) return list(position);
        if (accept(Sign::open_brace)) return hash(position);
        throw QueryError{position, "expected a key after '.', found " + now().text +
                                       (at(Sign::number) ? " (write [0] for an index)" : "")};
    }

    QueryPtr filter(QueryPtr left, std::size_t position) {
        QueryPtr condition = expression(0);
        expect(Sign::close_bracket, "]");
        QueryPtr right = at(Sign::flatten) ? current() : each(Sign::open_filter);
        return make(Step::filter, position, std::move(left), std::move(right),
                    std::move(condition));
    }

    QueryPtr flatten(QueryPtr left, std::size_t position) {
        QueryPtr flat = make(Step::flatten, position, std::move(left));
        return make(Step::project, position, std::move(flat), each(Sign::flatten));
    }

    // After '[': an index, a slice, or *.
    QueryPtr bracket(QueryPtr left, std::size_t position) {
        if (accept(Sign::star)) {
            expect(Sign::close_bracket, "]");
            return make(Step::project, position, std::move(left), each(Sign::star));
        }
        auto part =
            std::make_unique<QueryNode>(QueryNode{.step = Step::index, .position = position});
        std::size_t colons = 0;
        while (!at(Sign::close_bracket)) {
            if (at(Sign::number)) {
                if (part->slice[colons]) unexpected(now());
                part->slice[colons] = now().value.get<long>();
                ++at_;
            } else {
                expect(Sign::colon, "an index, ':' or ']'");
                if (++colons > 2) throw QueryError{position, "a slice must be [start:stop:step]"};
            }
        }
        expect(Sign::close_bracket, "]");
        if (colons == 0) {
            part->index = part->slice[0].value_or(0);
            return make(Step::sub, position, std::move(left), std::move(part));
        }
        if (part->slice[2] == 0) throw QueryError{position, "a slice's step cannot be 0"};
        part->step = Step::slice;
        QueryPtr sliced = make(Step::sub, position, std::move(left), std::move(part));
        return make(Step::project, position, std::move(sliced), each(Sign::star));
    }

    QueryPtr list(std::size_t position) {
        QueryPtr node = make(Step::list, position);
        do node->parts.push_back(expression(0));
        while (accept(Sign::comma));
        expect(Sign::close_bracket, "']' or ','");
        return node;
    }

    QueryPtr hash(std::size_t position) {
        QueryPtr node = make(Step::hash, position);
        do {
            if (!at(Sign::name) && !at(Sign::quoted_name)) {
                throw QueryError{now().position, "expected a key, found " + now().text};
            }
            node->keys.push_back(now().text);
            ++at_;
            expect(Sign::colon, "':'");
            node->parts.push_back(expression(0));
        } while (accept(Sign::comma));
        expect(Sign::close_brace, "'}' or ','");
        return node;
    }

    QueryPtr call(const QueryToken& name) {
        expect(Sign::open, "(");
        QueryPtr node = make(Step::call, name.position);
        node->text = name.text;
        if (!at(Sign::close)) {
            do node->parts.push_back(expression(0));
            while (accept(Sign::comma));
        }
        expect(Sign::close, "')' or ','");
        check_function(node->text, node->parts.size(), name.position);
        return node;
    }

    std::vector<QueryToken> tokens_;
    std::size_t at_ = 0;
    int level_ = 0;
};

}  // namespace

QueryPtr parse_query(std::string_view query) {
    return Parser(query_tokens(query)).run();
}

}  // namespace data_tools::json
