#include "host/loading/plugin_library.hpp"

#include <spdlog/spdlog.h>

namespace toolhost::loading {

PluginLibrary::~PluginLibrary() {
    // Abandoned calls may still use the library.
    if (opened_ && *overdue == 0) loaded_.close();
}

Result<void> PluginLibrary::open() {
    if (opened_) return {};
    MutexLock lock(opening_);
    if (opened_) return {};
    auto path = copies_->of(library_);
    if (!path) return path.error();
    if (auto ok = loaded_.open(*path, library_.name()); !ok) return ok;
    spdlog::debug("loaded {} from {}", library_.path, *path);
    opened_ = true;
    return {};
}

}  // namespace toolhost::loading
