// One run of Python code in a process of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/images.hpp"

namespace python_exec {

struct Code {
    std::string code;
    std::string input;  // JSON
    std::string state;  // variables of earlier calls, as an earlier run gave them
    bool keep = false;  // whether variables are to be given back
};

struct Bounds {
    std::chrono::milliseconds timeout{};
    std::size_t output = 0;  // bytes of stdout, of stderr and of the value each
    std::size_t images = 0, image_bytes = 0, state_bytes = 0, memory_bytes = 0;
};

struct Place {
    std::string python;                    // the interpreter's file
    std::filesystem::path folder;          // where the code runs
    std::filesystem::path scratch;         // a private folder: temporary files, caches
    std::vector<std::string> environment;  // NAME=VALUE
};

struct Watcher {
    std::function<bool()> cancelled;
    std::function<void(std::string_view)> output;  // as it comes, valid UTF-8
};

enum class Outcome { finished, died, timed_out, cancelled, not_started };

struct CodeEnd {
    Outcome outcome = Outcome::not_started;
    std::string out, err;
    std::string report;   // the driver's line of JSON; empty if it did not come as far as that
    std::string state;    // the variables to keep
    std::string problem;  // why it was not started, or how it died
    std::vector<Image> images;
    std::vector<std::string> notes;
    bool whole_tree = true;  // false: what the code started may still be there
};

CodeEnd run(const Code& code, const Bounds& bounds, const Place& place, const Watcher& watcher);

}  // namespace python_exec
