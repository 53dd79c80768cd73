// TOOLHOST_PLUGIN: registers a library; once per library, at global scope.
//
//   TOOLHOST_PLUGIN(toolhost::tool<add>("add", "Adds two numbers."))
//   TOOLHOST_PLUGIN(toolhost::family("math"), toolhost::concurrent,
//                   toolhost::tool<add>("add", "Adds."), toolhost::tool<sub>("sub", "Subtracts."),
//                   toolhost::on_open([] { ... }), toolhost::on_close([] { ... }))
#ifndef TOOLHOST_EXPORT_HPP
#define TOOLHOST_EXPORT_HPP

#include <cstdio>
#include <exception>

#include "toolhost/invoke.hpp"
#include "toolhost/library.hpp"

namespace toolhost::detail {

// Runs `step` and prints exceptions to stderr, the only output outside of a call.
template <class Step>
bool succeeds(const char* what, Step&& step) noexcept {
    try {
        step();
        return true;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", what, error.what());
    } catch (const Denied& denied) {
        std::fprintf(stderr, "%s: denied: %s\n", what, denied.message.c_str());
    } catch (...) {
        std::fprintf(stderr, "%s: threw an object that is not a std::exception\n", what);
    }
    return false;
}

}  // namespace toolhost::detail

// The library object is created at its first use, not at load time, because a constructor could not
// report exceptions then.
#define TOOLHOST_PLUGIN(...)                                                                   \
    namespace {                                                                                \
    const ::toolhost::Library& toolhost_library() {                                            \
        static const ::toolhost::Library library(__VA_ARGS__);                                 \
        return library;                                                                        \
    }                                                                                          \
    }                                                                                          \
    extern "C" TOOL_EXPORT const tool_spec_info* tool_spec(void) {                             \
        const tool_spec_info* spec = nullptr;                                                  \
        ::toolhost::detail::succeeds("tool_spec", [&] { spec = toolhost_library().spec(); });  \
        return spec;                                                                           \
    }                                                                                          \
    extern "C" TOOL_EXPORT tool_status tool_invoke(const tool_request* request,                \
                                                   const tool_host* host, tool_call* call) {   \
        const ::toolhost::Library* library = nullptr;                                          \
        ::toolhost::detail::succeeds("tool_invoke", [&] { library = &toolhost_library(); });   \
        if (!library) return TOOL_UNSUPPORTED;                                                 \
        return ::toolhost::detail::invoke_guarded(*library, request, host, call);              \
    }                                                                                          \
    extern "C" TOOL_EXPORT tool_status tool_open(const tool_host* host) {                      \
        const bool opened =                                                                    \
            ::toolhost::detail::succeeds("tool_open", [&] { toolhost_library().open(host); }); \
        return opened ? TOOL_OK : TOOL_FAILED;                                                 \
    }                                                                                          \
    extern "C" TOOL_EXPORT void tool_close(void) {                                             \
        ::toolhost::detail::succeeds("tool_close", [] { toolhost_library().close(); });        \
    }

#endif  // TOOLHOST_EXPORT_HPP
