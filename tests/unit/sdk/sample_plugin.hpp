// What the tests see of sample_plugin.cpp: counts of its hooks and objects.
#pragma once

namespace sample {

struct Counts {
    int opened = 0, closed = 0, objects_made = 0, objects_gone = 0;
    bool open_throws = false;
};
Counts& counts();

}  // namespace sample
