// What `toolhost serve` takes.
#pragma once

#include <string>

#include "host/cli/app.hpp"
#include "host/serve/http/server.hpp"

namespace toolhost::cli {

struct ServeOptions {
    bool stdio = false;
    std::string events;
    double grace_seconds = 10;
    std::size_t calls = 256;
    serve::HttpOptions http;
    std::string token_file;
    serve::OAuth oauth;
};

// `options` must live as long as `app`.
void add_serve_options(CLI::App& app, ServeOptions& options);

// Reads who may come in; nothing is asked of stdio, whose client started us.
[[nodiscard]] Result<void> open_doors(ServeOptions& options);

}  // namespace toolhost::cli
