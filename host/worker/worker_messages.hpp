// What passes through a lane, as bytes. Reading throws where the bytes are not what writing made;
// on the host's side that means that the worker has been taken over or is broken.
#pragma once

#include <string>
#include <vector>

#include "host/loading/invocation.hpp"
#include "host/sandbox/confinement.hpp"
#include "host/worker/packed.hpp"

namespace toolhost::worker {

// As it travels to the worker. Different ones never have the same bytes.
[[nodiscard]] std::string pack_confinement(const sandbox::Confinement& confinement);

// Whom a worker is for.
struct WorkerSetup {
    std::string name;         // of the library's file
    std::string load;         // the private copy
    bool concurrent = false;  // its calls may run at the same time
    sandbox::Confinement confinement;
};
[[nodiscard]] std::string pack_setup(const WorkerSetup& setup);
[[nodiscard]] WorkerSetup unpack_setup(std::string_view packed);

struct WorkerCall {
    loading::Invocation invocation;  // its texts are those of the message
    std::int64_t budget_ms = -1;
};
// `memory` is what it may use.
[[nodiscard]] std::string pack_call(const loading::Invocation& invocation,
                                    const os::Deadline& deadline, std::string memory = {});
[[nodiscard]] WorkerCall unpack_call(std::string_view packed);

[[nodiscard]] std::string pack_outcome(const loading::Outcome& outcome, std::string memory = {});
[[nodiscard]] loading::Outcome unpack_outcome(std::string_view packed);

// Two texts: emit's kind and JSON, call_tool's reference and input, interrupt's name and reason,
// ask_client's kind and parameters.
struct TextPair {
    std::string first, second;
};
[[nodiscard]] std::string pack_pair(std::string_view first, std::string_view second);
[[nodiscard]] TextPair unpack_pair(std::string_view packed);

// A number and a text: log's level and message, an answer's status and result.
struct NumberedText {
    std::int64_t number = 0;
    std::string text;
};
[[nodiscard]] std::string pack_numbered(std::int64_t number, std::string_view text);
[[nodiscard]] NumberedText unpack_numbered(std::string_view packed);

// Why a worker takes no calls. Only plugin_unavailable and sandbox_unavailable keep their code.
[[nodiscard]] std::string pack_refusal(const Error& error);
[[nodiscard]] Error unpack_refusal(std::string_view packed);

}  // namespace toolhost::worker
