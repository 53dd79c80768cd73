// Extracts the dynamic loader's message from the text in which Boost.DLL wraps it.
#pragma once

#include <string>
#include <string_view>

namespace toolhost::loading {

[[nodiscard]] inline std::string loader_message(std::string_view what) {
    constexpr std::string_view kBefore = "dlerror system message: ", kAfter = "): ";
    const auto start = what.find(kBefore);
    if (start == std::string_view::npos) return std::string(what);
    what.remove_prefix(start + kBefore.size());
    return std::string(what.substr(0, what.rfind(kAfter)));
}

}  // namespace toolhost::loading
