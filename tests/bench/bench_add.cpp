// The tool of every server in the benchmark.
#include <toolhost/plugin.hpp>

struct Add {
    toolhost::Field<double, "first number"> a;
    toolhost::Field<double, "second number"> b;
};
double add(const Add& in) {
    return in.a + in.b;
}
TOOLHOST_PLUGIN(toolhost::tool<add>("add", "Adds two numbers."))
