// A typed tool as the documentation shows it: two described fields, in no more than 12 lines.
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

// Beyond the example: what the C++ library would share between plugins if it were let out.
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
