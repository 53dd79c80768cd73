// A tool's reply, as bytes from an untrusted library.
#include "host/base/json_text.hpp"
#include "host/call/content.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace toolhost::fuzz {
namespace {

void check_content(std::string_view text, const call::Content& content) {
    const auto document = parse_json(text);
    must(document && *document == call::to_json(content), "content is what its text says");
    bool has_json = false;
    for (const auto& block : content) {
        must(call::content_info(block.kind).fits(block.value), "a block has the form of its kind");
        has_json = has_json || block.kind == call::ContentKind::json;
    }
    const Json* value = call::json_block(content);
    must((value != nullptr) == has_json, "the json block is found where there is one");
    std::string written;
    call::append_content(written, content);
    const auto again = call::parse_content(written);
    must(again.has_value() && *again == content, "content survives being written and read");
}

// People and models read refusals, so they must be short text.
void check_refusal(std::string_view text, const Error& error) {
    must(error.code == ErrorCode::invalid_reply, "a bad reply is invalid_reply");
    must(error.message.size() < 600, "a refusal is short");
    must(find_invalid_utf8(error.message) == std::string_view::npos, "a refusal is UTF-8");
    if (const auto value = parse_json(text); !value) {
        must(find_invalid_utf8(value.error().message) == std::string_view::npos,
             "a fault in JSON is told in UTF-8");
        must(value.error().byte <= text.size(), "a fault in JSON is in the text");
    }
}

}  // namespace
}  // namespace toolhost::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace toolhost;
    const auto text = fuzz::as_text(data, size);
    if (const auto content = call::parse_content(text))
        fuzz::check_content(text, *content);
    else
        fuzz::check_refusal(text, content.error());
    return 0;
}
