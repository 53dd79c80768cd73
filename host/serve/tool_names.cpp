#include "host/serve/tool_names.hpp"

namespace toolhost::serve {

std::vector<std::pair<std::string, const registry::Tool*>> named_tools(const call::View& view) {
    std::vector<std::pair<std::string, const registry::Tool*>> named;
    const auto& catalogue = view.catalogue();
    for (const auto& tool : catalogue.tools()) {
        if (!tool.usable() || !view.allowlist().allows(tool)) continue;
        const std::string full = tool.spec.family + '.' + tool.spec.name;
        // Of several versions the one that the name means.
        if (const auto meant = catalogue.resolve("native:" + full); !meant || *meant != &tool)
            continue;
        const auto plain = catalogue.resolve(tool.spec.name);
        named.emplace_back(plain && *plain == &tool ? tool.spec.name : full, &tool);
    }
    return named;
}

std::string reference_of(const std::string& name) {
    const bool bare = name.find(':') == name.npos && name.find('.') != name.npos &&
                      name.find('@') == name.npos && !name.starts_with("strands_tools.");
    return bare ? "native:" + name : name;
}

}  // namespace toolhost::serve
