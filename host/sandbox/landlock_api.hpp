// Landlock's interface as of ABI 6, with our own names: a distribution's headers may be older than
// its kernel.
#pragma once

#include <cstdint>

namespace toolhost::sandbox::landlock {

// Files and folders.
inline constexpr std::uint64_t kExecute = 1u << 0;
inline constexpr std::uint64_t kWriteFile = 1u << 1;
inline constexpr std::uint64_t kReadFile = 1u << 2;
inline constexpr std::uint64_t kReadDir = 1u << 3;
inline constexpr std::uint64_t kRemoveDir = 1u << 4;
inline constexpr std::uint64_t kRemoveFile = 1u << 5;
inline constexpr std::uint64_t kMakeChar = 1u << 6;
inline constexpr std::uint64_t kMakeDir = 1u << 7;
inline constexpr std::uint64_t kMakeReg = 1u << 8;
inline constexpr std::uint64_t kMakeSock = 1u << 9;
inline constexpr std::uint64_t kMakeFifo = 1u << 10;
inline constexpr std::uint64_t kMakeBlock = 1u << 11;
inline constexpr std::uint64_t kMakeSym = 1u << 12;
inline constexpr std::uint64_t kRefer = 1u << 13;     // ABI 2
inline constexpr std::uint64_t kTruncate = 1u << 14;  // ABI 3
inline constexpr std::uint64_t kIoctlDev = 1u << 15;  // ABI 5
// TCP, since ABI 4.
inline constexpr std::uint64_t kBindTcp = 1u << 0;
inline constexpr std::uint64_t kConnectTcp = 1u << 1;
// Limited to the restricted processes, since ABI 6.
inline constexpr std::uint64_t kAbstractUnixSocket = 1u << 0;
inline constexpr std::uint64_t kSignal = 1u << 1;

struct Ruleset {
    std::uint64_t files = 0, net = 0, scoped = 0;
};

struct PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
} __attribute__((packed));

inline constexpr unsigned kAskVersion = 1;
inline constexpr int kPathRule = 1;

}  // namespace toolhost::sandbox::landlock
