// A typed tool as in the documentation: two described fields, in at most 12 lines.
// [begin]
#include <toolhost/plugin.hpp>
struct Add {
    toolhost::Field<double, "first number"> a;
    toolhost::Field<double, "second number"> b;
};
double add(const Add& in) {
    return in.a + in.b;
}
TOOLHOST_PLUGIN(toolhost::tool<add>("add", "Adds two numbers."))
// [end]

// Not part of the example: a symbol that the C++ library would share between plugins if it were
// exported.
[[gnu::visibility("default")]] inline int& shared_by_accident() {
    static int one = 0;
    return one;
}
template <class T>
struct [[gnu::visibility("default")]] SharedByAccident {
    inline static T one{};
};
[[gnu::visibility("default"), gnu::used]] int leaks() {
    return shared_by_accident() + SharedByAccident<int>::one;
}
