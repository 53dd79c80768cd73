#define PCRE2_CODE_UNIT_WIDTH 8
#include "host/schema/pattern.hpp"

#include <pcre2.h>

#include <array>
#include <cstdint>
#include <utility>

namespace toolhost::schema {
namespace {

// About 20 ms of backtracking. Real patterns on real arguments need a few hundred steps.
constexpr std::uint32_t kMatchLimit = 1'000'000;
constexpr std::uint32_t kHeapLimitKib = 32 * 1024;  // for the interpreter
constexpr std::size_t kJitStackStart = 32 * 1024;
constexpr std::size_t kJitStackLimit = 512 * 1024;

// The memory of a match. One per thread: creating it costs more than most matches.
class Workspace {
public:
    Workspace()
        : data_(pcre2_match_data_create(1, nullptr)),
          context_(pcre2_match_context_create(nullptr)),
          stack_(pcre2_jit_stack_create(kJitStackStart, kJitStackLimit, nullptr)) {
        pcre2_set_match_limit(context_, kMatchLimit);
        pcre2_set_heap_limit(context_, kHeapLimitKib);
        if (stack_ != nullptr) pcre2_jit_stack_assign(context_, nullptr, stack_);
        pcre2_set_callout(context_, go_on, this);
    }
    ~Workspace() {
        pcre2_jit_stack_free(stack_);
        pcre2_match_context_free(context_);
        pcre2_match_data_free(data_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    int match(const pcre2_code* code, std::string_view text, std::uint32_t options,
              Budget& budget) {
        budget_ = &budget;
        position_ = 0;
        return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, options,
                           data_, context_);
    }

private:
    // Called before each item of a pattern is tried. The match limit counts backtracking only, but
    // with `a*[bc]` every start of a match scans the rest of the text once more.
    static int go_on(pcre2_callout_block* at, void* self) {
        constexpr std::size_t kBytesPerItem = 4096;  // scanned in about the time of trying an item
        auto& workspace = *static_cast<Workspace*>(self);
        const std::size_t now = at->current_position;
        const std::size_t before = std::exchange(workspace.position_, now);
        const std::size_t passed = now > before ? now - before : before - now;
        const bool may = workspace.budget_->search_on(1 + passed / kBytesPerItem);
        return may ? 0 : PCRE2_ERROR_MATCHLIMIT;
    }

    Budget* budget_ = nullptr;  // of the current match
    std::size_t position_ = 0;  // at the previous call
    pcre2_match_data* data_;
    pcre2_match_context* context_;
    pcre2_jit_stack* stack_;
};

std::string error_text(int code) {
    std::array<PCRE2_UCHAR, 160> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    return reinterpret_cast<const char*>(buffer.data());
}

}  // namespace

Pattern::Pattern(std::string_view source, pcre2_real_code_8* code)
    : source_(source), code_(code, [](pcre2_code* one) { pcre2_code_free(one); }) {}

Pattern::Result Pattern::compile(std::string_view ecma) {
    const TranslatedPattern translated = translate_pattern(ecma);
    if (!translated) return translated.error();
    // MATCH_INVALID_UTF: a value built in memory may contain invalid UTF-8, which then does not
    // match. With NEVER_BACKSLASH_C and the translation nothing can split a character.
    constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY |
                                       PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C |
                                       PCRE2_AUTO_CALLOUT;
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()),
                                     translated->size(), kOptions, &error, &offset, nullptr);
    if (code == nullptr) return PatternError{0, "an unsupported construct: " + error_text(error)};
    Pattern pattern(ecma, code);
    // If JIT is unavailable (a hardened kernel refuses the pages), the interpreter is used.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    return pattern;
}

std::size_t Pattern::compiled_bytes() const noexcept {
    std::size_t code = 0, machine_code = 0;
    pcre2_pattern_info(code_.get(), PCRE2_INFO_SIZE, &code);
    pcre2_pattern_info(code_.get(), PCRE2_INFO_JITSIZE, &machine_code);
    return code + machine_code;
}

Match Pattern::search(std::string_view text, Budget& budget) const {
    constexpr std::uint64_t kWorkOfASearch = 4;
    if (!budget.take() || !budget.search_on(kWorkOfASearch)) return Match::too_expensive;
    thread_local Workspace workspace;
    int found = workspace.match(code_.get(), text, 0, budget);
    // The interpreter keeps its frames on the heap, so it can match longer subjects.
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
        found = workspace.match(code_.get(), text, PCRE2_NO_JIT, budget);
    }
    if (found >= 0) return Match::yes;
    return found == PCRE2_ERROR_NOMATCH ? Match::no : Match::too_expensive;
}

}  // namespace toolhost::schema
