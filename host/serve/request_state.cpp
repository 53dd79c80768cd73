#include "host/serve/request_state.hpp"

#include <openssl/evp.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>

#include "host/base/json_text.hpp"
#include "host/serve/auth/base64url.hpp"

namespace toolhost::serve {
namespace {

constexpr std::size_t kNonceBytes = 12, kTagBytes = 16;
// A client may send anything; what we sealed is far smaller than a request may be.
constexpr std::size_t kMaxBytes = 8u << 20;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

const unsigned char* bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}
int length(std::size_t size) {
    return static_cast<int>(size);
}

void must(int ok) {
    if (ok != 1) throw std::runtime_error("cannot seal the request state");
}

std::int64_t now() {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace

// From the kernel: OpenSSL's own generator takes milliseconds to wake up, and most servers never
// need it.
RequestState::RequestState() {
    must(::getentropy(key_.data(), key_.size()) == 0);
}

std::string RequestState::seal(const Json& state, std::string_view bound,
                               std::chrono::seconds lasts) const {
    const std::string plain = dump({{"until", now() + lasts.count()}, {"state", state}});
    std::string nonce(kNonceBytes, '\0'), sealed(plain.size(), '\0'), tag(kTagBytes, '\0');
    must(::getentropy(nonce.data(), nonce.size()) == 0);
    const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    int written = 0;
    must(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), bytes(nonce)));
    must(EVP_EncryptUpdate(cipher.get(), nullptr, &written, bytes(bound), length(bound.size())));
    must(EVP_EncryptUpdate(cipher.get(), bytes(sealed), &written, bytes(plain),
                           length(plain.size())));
    must(EVP_EncryptFinal_ex(cipher.get(), bytes(sealed) + written, &written));
    must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, length(tag.size()), tag.data()));
    return to_base64url(nonce + sealed + tag);
}

std::optional<Json> RequestState::open(std::string_view all, std::string_view bound) const {
    std::string tag(all.substr(all.size() - kTagBytes));
    const auto body = all.substr(kNonceBytes, all.size() - kNonceBytes - kTagBytes);
    std::string plain(body.size(), '\0');
    const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    int written = 0;
    must(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), bytes(all)));
    must(EVP_DecryptUpdate(cipher.get(), nullptr, &written, bytes(bound), length(bound.size())));
    must(EVP_DecryptUpdate(cipher.get(), bytes(plain), &written, bytes(body), length(body.size())));
    must(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, length(tag.size()), tag.data()));
    if (EVP_DecryptFinal_ex(cipher.get(), bytes(plain) + written, &written) != 1)
        return std::nullopt;
    auto json = parse_json(plain);
    if (!json) return std::nullopt;
    return *std::move(json);
}

boost::system::result<Json, RequestState::Refusal> RequestState::take(
    std::string_view sealed, std::string_view bound, const std::string& principal) {
    if (sealed.size() > kMaxBytes) return Refusal{Refusal::invalid};
    const auto raw = from_base64url(sealed);
    if (!raw || raw->size() < kNonceBytes + kTagBytes) return Refusal{Refusal::invalid};
    auto opened = open(*raw, bound);
    const auto time = now();
    const auto until = opened ? opened->value("until", std::int64_t{0}) : 0;
    if (until < time) return Refusal{Refusal::invalid};
    // The cipher's nonce is random and part of what is sealed: no two states have the same.
    switch (used_.take(raw->substr(0, kNonceBytes), principal, until, time)) {
        case UsedStates::Taken::before:
            return Refusal{Refusal::used};
        case UsedStates::Taken::no_room:
            return Refusal{Refusal::no_room};
        case UsedStates::Taken::now:
            break;
    }
    return std::move((*opened)["state"]);
}

}  // namespace toolhost::serve
