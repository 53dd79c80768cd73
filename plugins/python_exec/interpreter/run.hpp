// Runs Python code in a separate process.
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
    std::string state;  // variables of earlier calls, as returned by an earlier run
    bool keep = false;  // return the variables
};

struct Bounds {
    std::chrono::milliseconds timeout{};
    std::size_t output = 0;  // maximum bytes of stdout, of stderr and of the value each
    std::size_t images = 0, image_bytes = 0, state_bytes = 0, memory_bytes = 0;
};

struct Place {
    std::string python;                    // path of the interpreter
    std::filesystem::path folder;          // working folder of the code
    std::filesystem::path scratch;         // a private folder for temporary files and caches
    std::vector<std::string> environment;  // NAME=VALUE
};

struct Watcher {
    std::function<bool()> cancelled;
    std::function<void(std::string_view)> output;  // called as output arrives, valid UTF-8
};

enum class Outcome { finished, died, timed_out, cancelled, not_started };

struct CodeEnd {
    Outcome outcome = Outcome::not_started;
    std::string out, err;
    std::string report;   // the driver's line of JSON; empty if it did not get that far
    std::string state;    // the variables to keep
    std::string problem;  // why it did not start, or how it ended
    std::vector<Image> images;
    std::vector<std::string> notes;
    bool whole_tree = true;  // false: processes of the code may be left
};

CodeEnd run(const Code& code, const Bounds& bounds, const Place& place, const Watcher& watcher);

}  // namespace python_exec
