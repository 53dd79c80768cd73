// Waits until a process has ended.
#pragma once

#include <signal.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace toolhost::test {

inline bool is_gone(pid_t process) {
    for (int i = 0; i < 500; ++i) {
        if (::kill(process, 0) != 0 && errno == ESRCH) return true;
        // A dead process that was not reaped yet counts as ended.
        std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
        std::string text;
        std::getline(stat, text);
        if (text.find(") Z") != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

}  // namespace toolhost::test
