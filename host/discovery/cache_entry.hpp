// The format of one finding in the cache file.
#pragma once

#include "host/discovery/finding.hpp"
#include "host/worker/packed.hpp"

namespace toolhost::discovery {

using worker::Packer;
using worker::Unpacker;

void pack(Packer& packer, const Finding& finding);
// Throws if the bytes were not written by pack().
[[nodiscard]] Finding unpack(Unpacker& unpacker);

}  // namespace toolhost::discovery
