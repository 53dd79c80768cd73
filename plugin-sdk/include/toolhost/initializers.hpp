// Detects which members of a struct have an initializer: `int days = 0`, but not `int days`.
//
// The values of T{} do not show it, because a member without initializer is zero there.
// Default-initialization does not write such a member if its type is trivial (numbers, bool, enums,
// arrays and plain structs of them). So a T is created in storage full of zeros and in storage full
// of ones: bytes that differ afterwards were not written.
#ifndef TOOLHOST_INITIALIZERS_HPP
#define TOOLHOST_INITIALIZERS_HPP

#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace toolhost::detail {

// Whether initialized_in() works for members of type M. An empty type has no bytes.
template <class M>
inline constexpr bool shows_initializer = std::is_trivially_default_constructible_v<M> &&
                                          !std::is_empty_v<M> && !std::is_null_pointer_v<M>;

// The value of an unwritten member is indeterminate, which optimizers may exploit. This function is
// therefore never inlined or optimized, and its storage passes through compiler barriers.
template <class T>
#if defined(__clang__)
[[gnu::noinline, clang::optnone]]
#else
[[gnu::noinline, gnu::optimize("O0")]]
#endif
void default_initialize(void* storage) {
    asm volatile("" : : "r"(storage) : "memory");
    ::new (storage) T;
    asm volatile("" : : "r"(storage) : "memory");
}

// The bytes of a default-initialized T in storage filled with `pattern`.
template <class T>
std::array<unsigned char, sizeof(T)> bytes_over(int pattern) {
    alignas(T) unsigned char storage[sizeof(T)];
    std::memset(storage, pattern, sizeof(T));
    default_initialize<T>(storage);
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), storage, sizeof(T));
    std::launder(reinterpret_cast<T*>(storage))->~T();
    return bytes;
}

// For each byte of a T whether default-initialization writes it.
template <class T>
std::array<bool, sizeof(T)> written_bytes() {
    const auto over_zeros = bytes_over<T>(0x00);
    const auto over_ones = bytes_over<T>(0xFF);
    std::array<bool, sizeof(T)> written;
    for (std::size_t i = 0; i < sizeof(T); ++i) written[i] = over_zeros[i] == over_ones[i];
    return written;
}

// Whether the declaration of `member` of `object` has an initializer.
template <class T, class M>
bool initialized_in(const T& object, const M& member) {
    static_assert(shows_initializer<M>);
    if constexpr (std::is_trivially_default_constructible_v<T>) {
        return false;  // no member of T has one
    } else {
        static const std::array<bool, sizeof(T)> written = written_bytes<T>();
        const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                                     reinterpret_cast<const char*>(&object));
        // One written byte is enough: padding within an initialized member may stay unwritten.
        for (std::size_t i = 0; i < sizeof(M); ++i) {
            if (written[offset + i]) return true;
        }
        return false;
    }
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_INITIALIZERS_HPP
