// libcurl's errors as sentences: what happened, where, and what to do.
#include "net/exchange.hpp"

namespace http_tool {
namespace {

constexpr const char* kTls =
    "The server's identity could not be verified, so nothing was sent. Check the host name and the "
    "clock; for a private certificate authority, set the policy's ca_file to its certificate. "
    "verify_ssl=false requires a policy with allow_insecure";

struct Advice {
    CURLcode code;
    const char* what;
    const char* todo;
};
constexpr Advice kAdvice[] = {
    {CURLE_COULDNT_RESOLVE_HOST, "the host name was not found",
     "Check the spelling and whether name servers are reachable"},
    {CURLE_COULDNT_CONNECT, "no connection",
     "Check host and port, and whether the server is running"},
    {CURLE_OPERATION_TIMEDOUT, "timed out", "Set a larger timeout, or request less"},
    {CURLE_PEER_FAILED_VERIFICATION, "TLS: the certificate was refused", kTls},
    {CURLE_SSL_CONNECT_ERROR, "TLS: no secure connection",
     "Check that the server supports TLS 1.2 or later on this port, or use http://"},
    {CURLE_SSL_CACERT_BADFILE, "TLS: the CA file could not be read",
     "Check the policy's ca_file: a PEM file in the workspace or in the system's folders"},
    {CURLE_SSL_INVALIDCERTSTATUS, "TLS: the certificate was refused", kTls},
    {CURLE_PARTIAL_FILE, "the connection was cut before the end of the body",
     "Try again; the incomplete response is not shown"},
    {CURLE_RECV_ERROR, "the connection was cut", "Try again"},
    {CURLE_SEND_ERROR, "the connection was cut while sending", "Try again"},
    {CURLE_GOT_NOTHING, "the server closed the connection without a response", "Try again"},
    {CURLE_BAD_CONTENT_ENCODING, "the body does not match its Content-Encoding",
     "Send the header Accept-Encoding: identity"},
    {CURLE_WEIRD_SERVER_REPLY, "the response is not HTTP", "Check that host and port speak HTTP"},
    {CURLE_UNSUPPORTED_PROTOCOL, "the response is not HTTP/1.0 or later",
     "Check that host and port speak HTTP"},
    {CURLE_HTTP2, "HTTP/2 error", "Try again"},
    {CURLE_HTTP2_STREAM, "HTTP/2 error", "Try again"},
    {CURLE_WRITE_ERROR, "the head or body of the response could not be processed",
     "It is malformed or larger than memory allows"},
    {CURLE_OUT_OF_MEMORY, "out of memory", "Request less"},
};

}  // namespace

std::string explain(const Exchanged& failed, const Request& request) {
    const Advice* advice = nullptr;
    for (const auto& row : kAdvice)
        if (row.code == failed.code) advice = &row;
    std::string text = request.method + ' ' + request.url.text + ": ";
    if (advice) text += std::string(advice->what) + ": ";
    text += failed.error;
    if (advice) text += ". " + std::string(advice->todo);
    return text;
}

}  // namespace http_tool
