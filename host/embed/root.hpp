// The composition root, by a name that the public toolhost/host.hpp leaves free. Include this
// before that header: both have a toolhost::Host, and only here is it clear which is meant.
#pragma once

#include "host/host.hpp"

namespace toolhost::embed {

using Root = toolhost::Host;
using RootOptions = toolhost::HostOptions;

}  // namespace toolhost::embed
