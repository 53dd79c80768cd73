// Accesses the members of an aggregate as a tuple of references. C++20 has no structured bindings
// of unknown size, so each size is written out; only reflect.hpp uses it.
#ifndef TOOLHOST_BIND_HPP
#define TOOLHOST_BIND_HPP

#include <cstddef>
#include <tuple>

namespace toolhost::detail {

inline constexpr std::size_t max_members = 32;

// clang-format off
template <std::size_t N, class T>
constexpr auto tie_members(T& object) {
    static_assert(N <= max_members, "a parameter struct has at most 32 members");
    if constexpr (N == 0) {
        return std::tuple<>();
    } else if constexpr (N == 1) {
        auto& [m1] = object;
        return std::tie(m1);
    } else if constexpr (N == 2) {
        auto& [m1, m2] = object;
        return std::tie(m1, m2);
    } else if constexpr (N == 3) {
        auto& [m1, m2, m3] = object;
        return std::tie(m1, m2, m3);
    } else if constexpr (N == 4) {
        auto& [m1, m2, m3, m4] = object;
        return std::tie(m1, m2, m3, m4);
    } else if constexpr (N == 5) {
        auto& [m1, m2, m3, m4, m5] = object;
        return std::tie(m1, m2, m3, m4, m5);
    } else if constexpr (N == 6) {
        auto& [m1, m2, m3, m4, m5, m6] = object;
        return std::tie(m1, m2, m3, m4, m5, m6);
    } else if constexpr (N == 7) {
        auto& [m1, m2, m3, m4, m5, m6, m7] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7);
    } else if constexpr (N == 8) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8);
    } else if constexpr (N == 9) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9);
    } else if constexpr (N == 10) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10);
    } else if constexpr (N == 11) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11);
    } else if constexpr (N == 12) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12);
    } else if constexpr (N == 13) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13);
    } else if constexpr (N == 14) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14);
    } else if constexpr (N == 15) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15);
    } else if constexpr (N == 16) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16);
    } else if constexpr (N == 17) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17);
    } else if constexpr (N == 18) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17,
            m18] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18);
    } else if constexpr (N == 19) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19);
    } else if constexpr (N == 20) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20);
    } else if constexpr (N == 21) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21);
    } else if constexpr (N == 22) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22);
    } else if constexpr (N == 23) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23);
    } else if constexpr (N == 24) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24);
    } else if constexpr (N == 25) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25);
    } else if constexpr (N == 26) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26);
    } else if constexpr (N == 27) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27);
    } else if constexpr (N == 28) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27, m28] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28);
    } else if constexpr (N == 29) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29);
    } else if constexpr (N == 30) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30);
    } else if constexpr (N == 31) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31);
    } else if constexpr (N == 32) {
        auto& [m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
            m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32] = object;
        return std::tie(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16,
            m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32);
    }
}
// clang-format on

}  // namespace toolhost::detail

#endif  // TOOLHOST_BIND_HPP
