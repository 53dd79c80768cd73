// libcurl's trouble as a sentence that says what happened, where, and what to do.
#include "net/exchange.hpp"

namespace http_tool {
namespace {

constexpr const char* kTls =
    "The server did not prove who it is, so nothing was sent. Check the host's name and the clock; "
    "for a server with an authority of its own, the policy's ca_file names that authority's "
    "certificate. verify_ssl=false works only under a policy with allow_insecure";

struct Advice {
    CURLcode code;
    const char* what;
    const char* todo;
};
constexpr Advice kAdvice[] = {
    {CURLE_COULDNT_RESOLVE_HOST, "the host's name was not found",
     "Check its spelling and whether name servers can be reached"},
    {CURLE_COULDNT_CONNECT, "no connection", "Check host and port, and whether the server runs"},
    {CURLE_OPERATION_TIMEDOUT, "timed out", "Give a larger timeout, or ask for less"},
    {CURLE_PEER_FAILED_VERIFICATION, "TLS: the certificate was refused", kTls},
    {CURLE_SSL_CONNECT_ERROR, "TLS: no secure connection",
     "Check that the server speaks TLS 1.2 or later on this port, and whether http:// was meant"},
    {CURLE_SSL_CACERT_BADFILE, "TLS: the authorities' file could not be read",
     "Check the policy's ca_file: a PEM file in the workspace or in the system's folders"},
    {CURLE_SSL_INVALIDCERTSTATUS, "TLS: the certificate was refused", kTls},
    {CURLE_PARTIAL_FILE, "the connection was cut before the end of the body",
     "Try again; the answer is not complete and is not shown"},
    {CURLE_RECV_ERROR, "the connection was cut", "Try again"},
    {CURLE_SEND_ERROR, "the connection was cut while sending", "Try again"},
    {CURLE_GOT_NOTHING, "the server closed the connection without an answer", "Try again"},
    {CURLE_BAD_CONTENT_ENCODING, "the body is not packed as its Content-Encoding says",
     "Ask with the header Accept-Encoding: identity"},
    {CURLE_WEIRD_SERVER_REPLY, "the answer is not HTTP", "Check that host and port speak HTTP"},
    {CURLE_UNSUPPORTED_PROTOCOL, "the answer is not HTTP/1.0 or later",
     "Check that host and port speak HTTP"},
    {CURLE_HTTP2, "HTTP/2 trouble", "Try again"},
    {CURLE_HTTP2_STREAM, "HTTP/2 trouble", "Try again"},
    {CURLE_WRITE_ERROR, "the answer's head or body could not be taken",
     "It is malformed or larger than memory allows"},
    {CURLE_OUT_OF_MEMORY, "out of memory", "Ask for less"},
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
