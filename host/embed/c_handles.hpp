// What the opaque handles of the C API are.
#pragma once

#include "toolhost/host.h"
#include "toolhost/host.hpp"

struct toolhost_host {
    toolhost::Host host;
};
