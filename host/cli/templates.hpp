// The files that `toolhost new` copies, embedded at build time.
#pragma once

#include <span>

#include "host/base/embedded_file.hpp"

namespace toolhost::cli {

// Named LANGUAGE/PATH. Files without a folder are not templates.
[[nodiscard]] std::span<const EmbeddedFile> template_files();

}  // namespace toolhost::cli
