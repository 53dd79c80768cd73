// The most that a plugin can make the host keep, send or log in one call. Whatever passes from a
// plugin to a client, a model, a log or an event is held to one of these.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::call {

// A reply's text is bounded by loading::kMaxReplyBytes and kMaxJsonValues before it is parsed, then
// by the profile: maxOutputChars for what a model reads, maxOutputBytes for binary content. Blocks
// are counted, since an empty one has neither.
inline constexpr std::size_t kMaxBlocks = 1000;
// The names beside a file or a resource (uri, title, mimeType, ...) count as text from this length
// on.
inline constexpr std::size_t kFreeLabelChars = 1000;

// What a tool says of its failure or refusal is read by people and models.
inline constexpr std::size_t kMaxMessageChars = 4000, kMaxKeyBytes = 100;

// An error of any origin: its message, each text and each list in its details, and the details
// as a whole.
inline constexpr std::size_t kMaxErrorBytes = 32u << 10;
inline constexpr std::size_t kMaxDetailBytes = 2000, kMaxDetailItems = 100,
                             kMaxDetailsBytes = 64u << 10;
// Of an output that was refused, enough to see what is wrong with it.
inline constexpr std::size_t kMaxRefusedOutputBytes = 1000;

// A line of the log is cut; after so much in all, no more is written.
inline constexpr std::size_t kMaxLogLineBytes = 4096, kMaxLoggedBytes = 1u << 20;

// What is streamed is JSON and cannot be cut: a larger one is dropped, and all that comes after so
// much in all.
inline constexpr std::size_t kMaxEmitKindBytes = 64, kMaxEmitBytes = 256u << 10,
                             kMaxEmittedBytes = 16u << 20;
// Counted for each line and each emit besides its own bytes: a client gets a message for it.
inline constexpr std::size_t kEnvelopeBytes = 128;

// A question to a human is text to read; one to the client's model may carry an image. Larger ones,
// and more of them, are refused: TOOL_BAD_INPUT.
inline constexpr std::size_t kMaxQuestionNameBytes = 256, kMaxQuestionBytes = 64u << 10,
                             kMaxClientRequestBytes = 1u << 20, kMaxQuestions = 256;
// Questions that wait for the next round.
inline constexpr std::size_t kMaxPending = 64, kMaxPendingBytes = 2u << 20;

// What a tool may name another tool by.
inline constexpr std::size_t kMaxReferenceBytes = 512;

// The text; or its first bytes, never half a character, and how long it is, which together are no
// longer than that.
[[nodiscard]] std::string cut_text(std::string_view text, std::size_t most_bytes);

// Holds an error to the bounds above. Questions to the caller (`interrupted`, `consent_required`)
// have bounds of their own and must stay whole.
void bound_error(Error& error);

// How much a call may still say. [any-thread]
class Allowance {
public:
    enum class Answer { granted, used_up, used_up_before };

    explicit Allowance(std::size_t bytes) : left_(bytes) {}

    // used_up: the first time that something was refused.
    [[nodiscard]] Answer take(std::size_t bytes) {
        bytes += kEnvelopeBytes;
        auto left = left_.load(std::memory_order_relaxed);
        do {
            if (bytes > left)
                return told_.exchange(true) ? Answer::used_up_before : Answer::used_up;
        } while (!left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed));
        return Answer::granted;
    }

private:
    std::atomic<std::size_t> left_;
    std::atomic<bool> told_{false};
};

}  // namespace toolhost::call
