// A certificate that vouches for itself.
#pragma once

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <functional>
#include <map>
#include <string>

#include "tests/unit/serve/signing.hpp"
#include "tests/unit/temp_folder.hpp"

namespace toolhost::test {

struct Certificate {
    std::string chain_file, key_file;
};

// A certificate for `name`; its files are named after it.
inline Certificate make_certificate(const TempFolder& folder, const std::string& name) {
    const auto key = SigningKey::p256();
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
    REQUIRE(X509_set_version(made.get(), 2) == 1);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("a test"), -1, -1, 0);
    X509_set_issuer_name(made.get(), X509_get_subject_name(made.get()));
    X509_set_pubkey(made.get(), key.get());
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + name).c_str());
    REQUIRE(names);
    X509_add_ext(made.get(), names, -1);
    X509_EXTENSION_free(names);
    REQUIRE(X509_sign(made.get(), key.get(), EVP_sha256()) > 0);
    const Certificate files{folder / (name + ".crt"), folder / (name + ".key")};
    for (const auto& [file, write] : std::map<std::string, std::function<int(FILE*)>>{
             {files.chain_file, [&](FILE* to) { return PEM_write_X509(to, made.get()); }},
             {files.key_file, [&](FILE* to) {
                  return PEM_write_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
              }}}) {
        FILE* to = ::fopen(file.c_str(), "w");
        REQUIRE(to);
        CHECK(write(to) == 1);
        ::fclose(to);
    }
    return files;
}

}  // namespace toolhost::test
