#include "host/serve/http/tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <boost/asio/ssl/error.hpp>

namespace toolhost::serve {

Result<std::shared_ptr<boost::asio::ssl::context>> open_tls(const std::string& certificate,
                                                            const std::string& key) {
    using boost::asio::ssl::context;
    boost::system::error_code fault;
    auto tls = std::make_shared<context>(context::tls_server);
    auto refused = [&](const std::string& file, const char* what) {
        const bool readable = ::access(file.c_str(), R_OK) == 0;
        return Error{readable ? ErrorCode::invalid_input : ErrorCode::file_error,
                     file + " is not a usable " + what + ": " + fault.message(),
                     {{"file", file}}};
    };
    tls->set_options(context::default_workarounds | context::no_sslv2 | context::no_sslv3 |
                         context::no_tlsv1 | context::no_tlsv1_1,
                     fault);
    tls->use_certificate_chain_file(certificate, fault);
    if (fault) return refused(certificate, "certificate chain in PEM");
    tls->use_private_key_file(key, context::pem, fault);
    // Of another kind than the certificate's it is taken at first, and fails every handshake.
    if (!fault && ::SSL_CTX_check_private_key(tls->native_handle()) != 1)
        fault.assign(static_cast<int>(::ERR_get_error()), boost::asio::error::get_ssl_category());
    if (fault) return refused(key, "private key in PEM for this certificate");
    return tls;
}

}  // namespace toolhost::serve
