// A key and a self-signed certificate, as files.
#pragma once

#include <doctest/doctest.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <memory>
#include <string>

namespace toolhost::test {

struct Certificate {
    std::string chain_file, key_file;
};

enum class KeyKind { ec, rsa };

// Creates NAME.crt and NAME.key for `name`.
inline Certificate make_certificate(const std::filesystem::path& folder, const std::string& name,
                                    KeyKind kind = KeyKind::ec) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        kind == KeyKind::ec ? EVP_EC_gen("P-256") : EVP_RSA_gen(2048), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
    REQUIRE(key);
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
    Certificate files{folder / (name + ".crt"), folder / (name + ".key")};
    const auto write = [](const std::string& file, auto put) {
        const std::unique_ptr<BIO, decltype(&BIO_free)> to(BIO_new_file(file.c_str(), "w"),
                                                           BIO_free);
        REQUIRE(to);
        REQUIRE(put(to.get()) == 1);
    };
    write(files.chain_file, [&](BIO* to) { return PEM_write_bio_X509(to, made.get()); });
    write(files.key_file, [&](BIO* to) {
        return PEM_write_bio_PrivateKey(to, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
    return files;
}

}  // namespace toolhost::test
