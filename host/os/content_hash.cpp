#include "host/os/content_hash.hpp"

#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace toolhost::os {

struct ContentHash::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
    if (!state_->context || EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available");
}

ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view bytes) {
    if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1)
        throw std::runtime_error("SHA-256 failed");
}

std::string ContentHash::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(state_->context, digest, &size) != 1)
        throw std::runtime_error("SHA-256 failed");
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += "0123456789abcdef"[digest[i] >> 4];
        out += "0123456789abcdef"[digest[i] & 15];
    }
    return out;
}

std::string hash_file(int fd) {
    ContentHash hash;
    char buffer[65536];
    for (off_t at = 0;;) {
        ssize_t got = ::pread(fd, buffer, sizeof buffer, at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return "";
        if (got == 0) return hash.hex();
        hash.add({buffer, static_cast<std::size_t>(got)});
        at += got;
    }
}

}  // namespace toolhost::os
