// The structs behind the opaque handles of the C API.
#pragma once

#include "toolhost/host.h"
#include "toolhost/host.hpp"

struct toolhost_host {
    toolhost::Host host;
};
