// The files that `toolhost new` copies, as they were when the binary was built.
#pragma once

#include <span>
#include <string_view>

namespace toolhost::cli {

struct TemplateFile {
    std::string_view language, path, content;
};

[[nodiscard]] std::span<const TemplateFile> template_files();

}  // namespace toolhost::cli
