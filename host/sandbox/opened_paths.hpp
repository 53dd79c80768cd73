// What a closed process may read beside the workspace and its own library. docs/security.md lists
// the same rows; a test compares them, and looks for secrets in what they open.
#pragma once

#include <array>

namespace toolhost::sandbox {

enum class OpenedBy { every_worker, network };

// A file, or a folder with all in it. Not /proc, where other processes show their environment, and
// not /etc as a whole.
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
    OpenedPath{"/etc/alternatives", OpenedBy::every_worker, "which program a name means"},
    OpenedPath{"/etc/ld.so.cache", OpenedBy::every_worker, "where libraries are"},
    OpenedPath{"/etc/localtime", OpenedBy::every_worker, "the time zone"},
    OpenedPath{"/etc/timezone", OpenedBy::every_worker, "the time zone"},
    OpenedPath{"/etc/mime.types", OpenedBy::every_worker, "types of files"},
    OpenedPath{"/dev/null", OpenedBy::every_worker, "also written"},
    OpenedPath{"/dev/zero", OpenedBy::every_worker, "a device without effect"},
    OpenedPath{"/dev/full", OpenedBy::every_worker, "a device without effect"},
    OpenedPath{"/dev/random", OpenedBy::every_worker, "random numbers"},
    OpenedPath{"/dev/urandom", OpenedBy::every_worker, "random numbers"},
    OpenedPath{"/etc/resolv.conf", OpenedBy::network, "name servers"},
    OpenedPath{"/run/systemd/resolve", OpenedBy::network, "name servers"},
    OpenedPath{"/etc/hosts", OpenedBy::network, "names of machines"},
    OpenedPath{"/etc/nsswitch.conf", OpenedBy::network, "how names are looked up"},
    OpenedPath{"/etc/gai.conf", OpenedBy::network, "the order of addresses"},
    OpenedPath{"/etc/services", OpenedBy::network, "names of ports"},
    OpenedPath{"/etc/ssl/certs", OpenedBy::network, "certificates of authorities"},
    OpenedPath{"/etc/ssl/cert.pem", OpenedBy::network, "certificates of authorities"},
    OpenedPath{"/etc/ssl/openssl.cnf", OpenedBy::network, "settings of OpenSSL"},
    OpenedPath{"/etc/pki/tls/certs", OpenedBy::network, "certificates of authorities"},
    OpenedPath{"/etc/pki/tls/openssl.cnf", OpenedBy::network, "settings of OpenSSL"},
    OpenedPath{"/etc/pki/ca-trust/extracted", OpenedBy::network, "certificates of authorities"},
    OpenedPath{"/etc/crypto-policies", OpenedBy::network, "settings of OpenSSL"},
    OpenedPath{"/etc/ca-certificates/extracted", OpenedBy::network, "certificates of authorities"},
    OpenedPath{"/var/lib/ca-certificates", OpenedBy::network, "certificates of authorities"},
};
// clang-format on

}  // namespace toolhost::sandbox
