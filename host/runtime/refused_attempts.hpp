// Remembers which of the policy's doors foreign code knocked at; see sandbox.hpp.
#pragma once

namespace toolhost::runtime {

// From now on a trapped system call is noted and answered with EACCES. False where this
// architecture has no way to answer.
[[nodiscard]] bool record_refused_attempts();

}  // namespace toolhost::runtime
