// How doctor prints what it found out.
#pragma once

#include "host/base/error.hpp"

namespace toolhost::cli {

void print_report(const Json& report);

}  // namespace toolhost::cli
