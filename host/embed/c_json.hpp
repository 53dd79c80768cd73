// Arguments and results of the C API: reads checked texts and JSON, returns texts that the caller
// frees.
#pragma once

#include <cstring>
#include <new>
#include <string>

#include "toolhost/host.h"
#include "toolhost/host.hpp"

namespace toolhost::embed {

[[nodiscard]] HostError bad_argument(std::string message);
// {"code", "message", "details"?}
[[nodiscard]] nlohmann::json json_of(const HostError& error);

// Reads UTF-8 text that is not NULL; the error names the argument `name`.
[[nodiscard]] HostResult<std::string> read_text(const char* text, const char* name);
// Reads JSON text.
[[nodiscard]] HostResult<nlohmann::json> read_json(const char* text, const char* name);
[[nodiscard]] HostResult<HostOptions> read_options(const char* text);
[[nodiscard]] HostResult<CallRequest> read_request(const char* text);

// Stores a copy for toolhost_free() in *out unless `out` is NULL; NULL if memory is exhausted.
void give(const std::string& text, char** out);

// Copies the caller's struct, as far as this version knows its fields.
template <class T>
[[nodiscard]] HostResult<T> read_struct(const T* given, const char* name) {
    T out{};
    if (!given) return out;
    if (given->struct_size < sizeof(T))
        return bad_argument(std::string(name) + ".struct_size is too small");
    std::memcpy(&out, given, sizeof(T));
    return out;
}

// Runs `work`, which returns a HostResult<>, and stores its error. Never throws.
template <class Work>
toolhost_status guarded(char** error, Work work) noexcept {
    if (error) *error = nullptr;
    try {
        HostResult<> done;
        try {
            done = work();
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& e) {
            done = HostError{"internal", e.what()};
        }
        if (done) return TOOLHOST_OK;
        give(json_of(done.error()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
             error);
    } catch (...) {  // memory is exhausted: there is no error text
    }
    return TOOLHOST_FAILED;
}

}  // namespace toolhost::embed
