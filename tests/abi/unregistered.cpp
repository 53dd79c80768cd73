// An author who forgot TOOLHOST_PLUGIN: the build must say so.
#include <toolhost/plugin.hpp>

[[maybe_unused]] static int add(int a, int b) {
    return a + b;
}
