// TLS for those who listen: a certificate, its key, and nothing older than 1.2.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "host/base/error.hpp"

namespace toolhost::serve {

// Files in PEM; `certificate` may hold the chain.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> open_tls(
    const std::string& certificate, const std::string& key);

}  // namespace toolhost::serve
