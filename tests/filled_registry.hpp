// A registry with the content of a plugin folder, as an embedding program creates it.
#pragma once

#include <stdexcept>
#include <string>

#include "host/discovery/scan.hpp"
#include "host/registry/registry.hpp"

namespace toolhost::test {

inline void fill(registry::Registry& registry, const std::string& folder) {
    discovery::ScanOptions options;
    options.folders = {folder};
    options.probe.program = TOOLHOST_BINARY;
    options.probe.deadline = std::chrono::minutes(1);
    auto report = discovery::scan(options);
    auto filled = registry.change([&](registry::Draft& draft) -> Result<void> {
        draft = discovery::take_tools(report, options);
        return {};
    });
    if (!filled) throw std::runtime_error(filled.error().message);
}

}  // namespace toolhost::test
