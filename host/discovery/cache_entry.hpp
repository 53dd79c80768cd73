// One finding as the cache file has it.
#pragma once

#include "host/discovery/finding.hpp"
#include "host/runtime/packed.hpp"

namespace toolhost::discovery {

using runtime::Packer;
using runtime::Unpacker;

void pack(Packer& packer, const Finding& finding);
// Throws if the bytes are not what pack() wrote.
[[nodiscard]] Finding unpack(Unpacker& unpacker);

}  // namespace toolhost::discovery
