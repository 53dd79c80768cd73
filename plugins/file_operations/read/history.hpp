// A file's history: the commits that changed it, and their changes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "access/access.hpp"

namespace file_operations {

struct Revision {
    std::string commit;  // abbreviated
    std::string author, time, message;
    std::string changes;  // unified diff
};

struct History {
    std::string path;  // from the repository's folder
    std::vector<Revision> revisions;
    bool more = false;
    bool exists = true;  // in the working folder now
};

struct HistoryQuestion {
    std::string path;
    int num_revisions = 5;
    std::size_t max_text = 1u << 20;
    std::function<bool()> cancelled;
    std::function<void(std::uint64_t commits)> progress;
};

[[nodiscard]] Outcome<History> file_history(const Access& access, const HistoryQuestion& question);

}  // namespace file_operations
