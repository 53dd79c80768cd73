// An author forgot TOOLHOST_PLUGIN, which the build must report.
#include <toolhost/plugin.hpp>

[[maybe_unused]] static int add(int a, int b) {
    return a + b;
}
