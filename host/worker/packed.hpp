// Numbers and texts one after the other, as the cache file and the messages to workers have them:
// read faster than JSON.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace toolhost::worker {

class Packer {
public:
    Packer() = default;
    // With memory that was used before.
    explicit Packer(std::string memory) : packed_(std::move(memory)) { packed_.clear(); }
    void number(std::int64_t value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        packed_.append(bytes, sizeof value);
    }
    void text(std::string_view text) {
        number(static_cast<std::int64_t>(text.size()));
        packed_ += text;
    }
    [[nodiscard]] const std::string& packed() const { return packed_; }
    [[nodiscard]] std::string take() { return std::move(packed_); }

private:
    std::string packed_;
};

// Throws where the bytes end too early.
class Unpacker {
public:
    explicit Unpacker(std::string_view packed) : rest_(packed) {}

    std::int64_t number() {
        std::int64_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(view()); }
    // The same where it is.
    std::string_view view() {
        auto size = number();
        if (size < 0) throw std::runtime_error("a length is negative");
        return take(static_cast<std::size_t>(size));
    }
    [[nodiscard]] bool done() const { return rest_.empty(); }

private:
    std::string_view take(std::size_t size) {
        if (size > rest_.size()) throw std::runtime_error("it ends too early");
        auto taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    std::string_view rest_;
};

}  // namespace toolhost::worker
