// What a response begins with, as bytes.
#pragma once

#include <string>

#include "host/serve/http/message.hpp"

namespace toolhost::serve {

// How a client knows where a response ends.
enum class BodyLength { stated, chunked, until_close };

// `keep`: the connection is used again. There is room behind it for the body.
[[nodiscard]] std::string head_of(const HttpResponse& response, bool keep, BodyLength length);

// One piece of a response whose length is `chunked`.
[[nodiscard]] std::string chunk_of(std::string_view text);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace toolhost::serve
