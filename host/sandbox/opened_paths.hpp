// What a sandboxed process may read besides the workspace and its own library. docs/security.md
// lists the same rows; a test compares them, and searches the opened paths for secrets.
#pragma once

#include <array>

namespace toolhost::sandbox {

enum class OpenedBy { every_worker, network };

// A file, or a folder with everything in it. Not /proc, where other processes show their
// environment, and not /etc as a whole.
struct OpenedPath {
    const char* path;
    OpenedBy by;
    const char* why;
};

// clang-format off
inline constexpr std::array kOpenedPaths = {
    OpenedPath{"/usr", OpenedBy::every_worker, "libraries, programs and their data"},
    OpenedPath{"/lib", OpenedBy::every_worker, "libraries"},
    OpenedPath{"/lib64", OpenedBy::every_worker, "libraries"},
    OpenedPath{"/lib32", OpenedBy::every_worker, "libraries"},
    OpenedPath{"/bin", OpenedBy::every_worker, "programs"},
    OpenedPath{"/sbin", OpenedBy::every_worker, "programs"},
    OpenedPath{"/etc/alternatives", OpenedBy::every_worker, "selected alternatives of programs"},
    OpenedPath{"/etc/ld.so.cache", OpenedBy::every_worker, "locations of libraries"},
    OpenedPath{"/etc/localtime", OpenedBy::every_worker, "time zone"},
    OpenedPath{"/etc/timezone", OpenedBy::every_worker, "time zone"},
    OpenedPath{"/etc/mime.types", OpenedBy::every_worker, "file types"},
    OpenedPath{"/dev/null", OpenedBy::every_worker, "also writable"},
    OpenedPath{"/dev/zero", OpenedBy::every_worker, "harmless device"},
    OpenedPath{"/dev/full", OpenedBy::every_worker, "harmless device"},
    OpenedPath{"/dev/random", OpenedBy::every_worker, "random numbers"},
    OpenedPath{"/dev/urandom", OpenedBy::every_worker, "random numbers"},
    OpenedPath{"/etc/resolv.conf", OpenedBy::network, "name servers"},
    OpenedPath{"/run/systemd/resolve", OpenedBy::network, "name servers"},
    OpenedPath{"/etc/hosts", OpenedBy::network, "host names"},
    OpenedPath{"/etc/nsswitch.conf", OpenedBy::network, "order of name services"},
    OpenedPath{"/etc/gai.conf", OpenedBy::network, "order of addresses"},
    OpenedPath{"/etc/services", OpenedBy::network, "port names"},
    OpenedPath{"/etc/ssl/certs", OpenedBy::network, "CA certificates"},
    OpenedPath{"/etc/ssl/cert.pem", OpenedBy::network, "CA certificates"},
    OpenedPath{"/etc/ssl/openssl.cnf", OpenedBy::network, "OpenSSL settings"},
    OpenedPath{"/etc/pki/tls/certs", OpenedBy::network, "CA certificates"},
    OpenedPath{"/etc/pki/tls/openssl.cnf", OpenedBy::network, "OpenSSL settings"},
    OpenedPath{"/etc/pki/ca-trust/extracted", OpenedBy::network, "CA certificates"},
    OpenedPath{"/etc/crypto-policies", OpenedBy::network, "OpenSSL settings"},
    OpenedPath{"/etc/ca-certificates/extracted", OpenedBy::network, "CA certificates"},
    OpenedPath{"/var/lib/ca-certificates", OpenedBy::network, "CA certificates"},
};
// clang-format on

}  // namespace toolhost::sandbox
