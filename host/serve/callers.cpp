#include "host/serve/callers.hpp"

#include <unistd.h>

#include <stdexcept>

#include "host/os/content_hash.hpp"

namespace toolhost::serve {
namespace {

void fill_randomly(char* bytes, std::size_t size) {
    if (::getentropy(bytes, size) != 0)
        throw std::runtime_error("no random numbers from the kernel");
}

}  // namespace

Callers::Callers() {
    fill_randomly(key_.data(), key_.size());
}

std::string Callers::of(const Principal& principal) const {
    os::ContentHash hash;
    hash.add({key_.data(), key_.size()});
    for (const auto* part : {&principal.name, &principal.profile})
        hash.add(std::to_string(part->size()) + ':' + *part);
    return hash.hex().substr(0, 32);
}

std::string Callers::fresh() {
    constexpr char kDigits[] = "0123456789abcdef";
    std::array<char, 16> random{};
    fill_randomly(random.data(), random.size());
    std::string text;
    for (const char byte : random) {
        text += kDigits[(byte >> 4) & 15];
        text += kDigits[byte & 15];
    }
    return text;
}

}  // namespace toolhost::serve
