// Counters of sample_plugin.cpp's hooks and objects, for tests.
#pragma once

namespace sample {

struct Counts {
    int opened = 0, closed = 0, objects_made = 0, objects_gone = 0;
    bool open_throws = false;
};
Counts& counts();

}  // namespace sample
