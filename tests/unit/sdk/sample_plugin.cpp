// A library with one tool of each kind, registered as an author would.
#include "sample_plugin.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <toolhost/plugin.hpp>
#include <vector>

#include "fake_host.hpp"

using toolhost::Context;
using toolhost::Field;

namespace sample {

Counts& counts() {
    static Counts one;
    return one;
}

namespace {

struct Add {
    Field<double, "first number"> a;
    Field<double, "second number"> b;
};
double add(const Add& in) {
    return in.a + in.b;
}

struct Greet {
    Field<std::string, "whom"> name;
    Field<int, "how often"> times = 1;
};
std::string greet(Context& context, const Greet& in) {
    std::string text(context.use_id());
    for (int i = 0; i < in.times; ++i) text += " " + in.name;
    return text;
}
std::string greet_context_last(Greet in, Context& context) {
    return greet(context, in);
}

void nothing() {}

// Ways for a call to fail.
struct Wrong {
    toolhost::Literal<"std", "int", "error", "deny", "cancel", "bad_input", "bad_value"> how;
};
void go_wrong(const Wrong& in, Context& context) {
    if (in.how == "std") throw std::runtime_error("the disk is on fire");
    if (in.how == "int") throw 42;
    if (in.how == "error") context.fail("rate_limited", "slow down");
    if (in.how == "deny") context.deny("path_not_allowed", "/etc is outside the workspace");
    if (in.how == "bad_input") throw toolhost::BadInput("/how", "is never right");
    if (in.how == "bad_value") (void)toolhost::read_json<int>(nlohmann::json("x"));
    context.stop_if_cancelled();
}

// Its own handler must not be able to catch an interrupt.
std::string ask(Context& context) {
    try {
        return "answered " + context.interrupt("approve", {{"why", "it matters"}}).dump();
    } catch (const std::exception&) {
        return "went on without an answer";
    }
}

// Asks all questions before it waits.
std::string ask_twice(Context& context) {
    const auto first = context.try_interrupt("first", nullptr);
    const auto second = context.try_interrupt("second", nullptr);
    if (!first || !second) throw toolhost::Interrupted{};
    return first->dump() + second->dump();
}

struct Total {
    int total;
    std::optional<std::string> note;
};
struct Amount {
    int amount = 1;
};
class Counter {
public:
    Counter() { ++counts().objects_made; }
    ~Counter() { ++counts().objects_gone; }

    Total count(const Amount& in) { return {total_ += in.amount, {}}; }
    int total() const noexcept { return total_; }

private:
    int total_ = 0;
};

struct Broken {
    Broken() { throw std::runtime_error("cannot be made"); }
    int use() { return 0; }
};

struct Policy {
    Field<std::vector<std::string>, "hosts that may be asked"> hosts;
    int limit = 3;
};
int limit_of(Context& context) {
    return context.policy<Policy>().limit;
}

}  // namespace
}  // namespace sample

TOOLHOST_PLUGIN(
    toolhost::family("sample"), toolhost::concurrent,
    toolhost::tool<sample::add>("add", "Adds two numbers."),
    toolhost::tool<sample::greet>("greet", "Greets."),
    toolhost::tool<sample::greet_context_last>("greet_2", "Greets."),
    toolhost::tool<sample::nothing>("nothing", "Does nothing."),
    toolhost::tool<sample::go_wrong>("go_wrong", "Goes wrong."),
    toolhost::tool<sample::ask>("ask", "Asks."),
    toolhost::tool<sample::ask_twice>("ask_twice", "Asks twice."),
    toolhost::tool<&sample::Counter::count>("count", "Counts."),
    toolhost::tool<&sample::Counter::total>("total", "What was counted."),
    toolhost::tool<&sample::Broken::use>("broken", "Cannot be made."),
    toolhost::tool<sample::limit_of>("limit", "Says its policy.").policy<sample::Policy>(),
    toolhost::tool("twice", "A lambda.", [](const sample::Amount& in) { return in.amount * 2; }),
    toolhost::raw(R"({"name": "raw", "description": "d", "inputSchema": {"type": "object"}})",
                  [](Context&, const nlohmann::json& in) { return toolhost::Reply().json(in); }),
    toolhost::on_open([] {
        if (sample::counts().open_throws) throw std::runtime_error("on purpose");
        ++sample::counts().opened;
    }),
    toolhost::on_close([] { ++sample::counts().closed; }))
