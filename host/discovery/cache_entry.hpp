// One finding as the cache file has it.
#pragma once

#include "host/discovery/finding.hpp"
#include "host/worker/packed.hpp"

namespace toolhost::discovery {

using worker::Packer;
using worker::Unpacker;

void pack(Packer& packer, const Finding& finding);
// Throws if the bytes are not what pack() wrote.
[[nodiscard]] Finding unpack(Unpacker& unpacker);

}  // namespace toolhost::discovery
