// What sanitizers and coverage need that a closed process would otherwise not get.
#pragma once

namespace toolhost::os {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// The build tree, where coverage counters are written at the end; nullptr: not a coverage build.
#ifdef TOOLHOST_COVERAGE
inline constexpr const char* kCoverageFolder = TOOLHOST_COVERAGE_FOLDER;
#else
inline constexpr const char* kCoverageFolder = nullptr;
#endif

}  // namespace toolhost::os
