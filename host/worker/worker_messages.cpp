#include "host/worker/worker_messages.hpp"

#include "host/base/json_text.hpp"

namespace toolhost::worker {
namespace {

constexpr std::int64_t kMaxWords = 16, kMaxPaths = 1 << 20;

void pack_words(Packer& packer, const std::vector<std::string>& words) {
    packer.number(static_cast<std::int64_t>(words.size()));
    for (const auto& word : words) packer.text(word);
}

std::vector<std::string> unpack_words(Unpacker& unpacker, std::int64_t most) {
    const auto count = unpacker.number();
    if (count < 0 || count > most) throw std::runtime_error("a list is too long");
    std::vector<std::string> words;
    for (std::int64_t i = 0; i < count; ++i) words.push_back(unpacker.text());
    return words;
}

sandbox::Confinement unpack_confinement(std::string_view packed) {
    Unpacker unpacker(packed);
    const auto json = parse_json(unpacker.view());
    if (!json) throw std::runtime_error(json.error().message);
    auto confinement = sandbox::read_confinement(*json);
    if (!confinement) throw std::runtime_error(confinement.error().message);
    for (const auto list : sandbox::kConfinementLists)
        (*confinement).*list = unpack_words(unpacker, kMaxPaths);
    return *std::move(confinement);
}

void pack_text(Packer& packer, const std::optional<loading::Outcome::Text>& text) {
    packer.number(text ? 1 : 0);
    if (!text) return;
    packer.text(text->key);
    packer.text(text->message);
}

std::optional<loading::Outcome::Text> unpack_text(Unpacker& unpacker) {
    if (unpacker.number() == 0) return std::nullopt;
    loading::Outcome::Text text;
    text.key = unpacker.text();
    text.message = unpacker.text();
    return text;
}

// What comes after the last field was not written by us.
void expect_end(const Unpacker& unpacker) {
    if (!unpacker.done()) throw std::runtime_error("it is too long");
}

}  // namespace

std::string pack_confinement(const sandbox::Confinement& confinement) {
    Packer packer;
    packer.text(dump(sandbox::to_json(confinement)));
    for (const auto list : sandbox::kConfinementLists) pack_words(packer, confinement.*list);
    return packer.take();
}

std::string pack_setup(const WorkerSetup& setup) {
    Packer packer;
    packer.text(setup.name);
    packer.text(setup.load);
    packer.number(setup.concurrent ? 1 : 0);
    packer.text(pack_confinement(setup.confinement));
    return packer.packed();
}

WorkerSetup unpack_setup(std::string_view packed) {
    Unpacker unpacker(packed);
    WorkerSetup setup;
    setup.name = unpacker.text();
    setup.load = unpacker.text();
    setup.concurrent = unpacker.number() != 0;
    setup.confinement = unpack_confinement(unpacker.view());
    return setup;
}

std::string pack_call(const loading::Invocation& invocation, const os::Deadline& deadline,
                      std::string memory) {
    Packer packer(std::move(memory));
    packer.text(invocation.tool);
    packer.text(invocation.use_id);
    packer.text(invocation.input);
    packer.text(invocation.policy);
    packer.text(invocation.state);
    packer.text(invocation.version);
    packer.text(invocation.caller);
    packer.number(invocation.attempt);
    packer.number(os::milliseconds_left(deadline));
    return packer.take();
}

WorkerCall unpack_call(std::string_view packed) {
    Unpacker unpacker(packed);
    WorkerCall call;
    auto& texts = call.invocation;
    for (auto* text : {&texts.tool, &texts.use_id, &texts.input, &texts.policy, &texts.state,
                       &texts.version, &texts.caller})
        *text = unpacker.view();
    texts.attempt = static_cast<std::uint32_t>(unpacker.number());
    call.budget_ms = unpacker.number();
    return call;
}

std::string pack_outcome(const loading::Outcome& outcome, std::string memory) {
    Packer packer(std::move(memory));
    packer.number(outcome.status);
    packer.number(outcome.replies);
    packer.text(outcome.content);
    pack_text(packer, outcome.failure);
    pack_text(packer, outcome.denial);
    pack_words(packer, outcome.exhausted);
    return packer.take();
}

loading::Outcome unpack_outcome(std::string_view packed) {
    Unpacker unpacker(packed);
    loading::Outcome outcome;
    outcome.status = static_cast<tool_status>(unpacker.number());
    outcome.replies = static_cast<int>(unpacker.number());
    outcome.content = unpacker.text();
    outcome.failure = unpack_text(unpacker);
    outcome.denial = unpack_text(unpacker);
    outcome.exhausted = unpack_words(unpacker, kMaxWords);
    expect_end(unpacker);
    return outcome;
}

std::string pack_pair(std::string_view first, std::string_view second) {
    Packer packer;
    packer.text(first);
    packer.text(second);
    return packer.packed();
}

TextPair unpack_pair(std::string_view packed) {
    Unpacker unpacker(packed);
    TextPair pair;
    pair.first = unpacker.text();
    pair.second = unpacker.text();
    expect_end(unpacker);
    return pair;
}

std::string pack_numbered(std::int64_t number, std::string_view text) {
    Packer packer;
    packer.number(number);
    packer.text(text);
    return packer.packed();
}

NumberedText unpack_numbered(std::string_view packed) {
    Unpacker unpacker(packed);
    NumberedText made;
    made.number = unpacker.number();
    made.text = unpacker.text();
    expect_end(unpacker);
    return made;
}

std::string pack_refusal(const Error& error) {
    Packer packer;
    packer.number(error.code == ErrorCode::sandbox_unavailable ? 1 : 0);
    packer.text(error.message);
    packer.text(dump(error.details));
    return packer.packed();
}

Error unpack_refusal(std::string_view packed) {
    Unpacker unpacker(packed);
    Error error;
    error.code =
        unpacker.number() == 1 ? ErrorCode::sandbox_unavailable : ErrorCode::plugin_unavailable;
    error.message = unpacker.text();
    auto details = parse_json(unpacker.view());
    expect_end(unpacker);
    if (!details) throw std::runtime_error(details.error().message);
    error.details = *std::move(details);
    return error;
}

}  // namespace toolhost::worker
