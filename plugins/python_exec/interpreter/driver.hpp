// The Python program that runs a user's code, in three parts: keeping.cpp, keeping_typing.cpp,
// driver.cpp.
#pragma once

namespace python_exec {

extern const char* const kKeeping;
extern const char* const kKeepingTyping;
extern const char* const kDriver;

// The descriptor on which the driver reports; the code's output does not go there.
inline constexpr int kReport = 3;

}  // namespace python_exec
