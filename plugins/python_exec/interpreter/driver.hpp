// The Python program that runs a user's code, in two halves: keeping.cpp, then driver.cpp.
#pragma once

namespace python_exec {

extern const char* const kKeeping;
extern const char* const kDriver;

// The descriptor on which the driver reports; nothing that code prints gets there.
inline constexpr int kReport = 3;

}  // namespace python_exec
