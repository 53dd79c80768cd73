#include "host/serve/headers.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <charconv>

#include "host/base/json_text.hpp"

namespace toolhost::serve {
namespace {

constexpr std::string_view kPrefix = "=?base64?", kSuffix = "?=";

RpcError mismatch(std::string message) {
    return {rpc_code::kHeaderMismatch, "Header mismatch: " + std::move(message)};
}

std::optional<RpcError> check_name(const MirroredHeaders& headers, const Message& request,
                                   const char* named_by) {
    if (!named_by) return std::nullopt;
    const auto name = request.params.text(named_by);
    if (name.empty()) return std::nullopt;  // said later
    if (!headers.name) return mismatch("the Mcp-Name header is missing");
    const auto decoded = decode_header(*headers.name);
    if (!decoded) return mismatch("the Mcp-Name header is not a valid value");
    if (*decoded == name) return std::nullopt;
    return mismatch("the Mcp-Name header says '" + *decoded + "', the body says '" + name + "'");
}

bool equals(const std::string& header, const Json& value) {
    if (value.is_string()) return header == value.get_ref<const std::string&>();
    if (value.is_boolean()) return header == (value.get<bool>() ? "true" : "false");
    if (!value.is_number()) return false;
    double number = 0;
    const auto [end, fault] = std::from_chars(header.data(), header.data() + header.size(), number);
    return fault == std::errc() && end == header.data() + header.size() &&
           number == value.get<double>();
}

std::optional<RpcError> check_param(const MirroredHeaders& headers, const std::string& name,
                                    const Json* value) {
    const auto header = headers.params.find(lower_case(name));
    const bool there = header != headers.params.end();
    if (!value || value->is_null())
        return there ? std::optional(mismatch("the header Mcp-Param-" + name +
                                              " is present, but its argument is missing"))
                     : std::nullopt;
    if (!there) return mismatch("the header Mcp-Param-" + name + " is missing");
    const auto decoded = decode_header(header->second);
    if (!decoded || !equals(*decoded, *value))
        return mismatch("the header Mcp-Param-" + name + " differs from the argument");
    return std::nullopt;
}

}  // namespace

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return out;
}

std::optional<std::string> decode_header(const std::string& value) {
    if (!value.starts_with(kPrefix) || !value.ends_with(kSuffix) ||
        value.size() < kPrefix.size() + kSuffix.size()) {
        const bool plain = std::all_of(value.begin(), value.end(), [](unsigned char c) {
            return (c >= 0x20 && c < 0x7f) || c == '\t';
        });
        return plain ? std::optional(value) : std::nullopt;
    }
    const std::string inner =
        value.substr(kPrefix.size(), value.size() - kPrefix.size() - kSuffix.size());
    if (inner.empty() || inner.size() % 4 != 0) return std::nullopt;
    std::string raw(inner.size() / 4 * 3, '\0');
    const int written = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(raw.data()),
                                        reinterpret_cast<const unsigned char*>(inner.data()),
                                        static_cast<int>(inner.size()));
    if (written < 0) return std::nullopt;
    // It counts the padding as bytes.
    const auto padding = inner.ends_with("==") ? 2u : inner.ends_with("=") ? 1u : 0u;
    raw.resize(static_cast<std::size_t>(written) - padding);
    return raw;
}

std::optional<RpcError> check_headers(const MirroredHeaders& headers, const Message& request,
                                      const char* named_by) {
    if (!headers.method) return mismatch("the Mcp-Method header is missing");
    if (*headers.method != request.method)
        return mismatch("the Mcp-Method header says '" + *headers.method + "', the body says '" +
                        request.method + "'");
    return check_name(headers, request, named_by);
}

std::optional<RpcError> check_param_headers(const MirroredHeaders& headers,
                                            const Json& input_schema, const Json& arguments) {
    const auto properties = input_schema.find("properties");
    if (properties == input_schema.end() || !properties->is_object()) return std::nullopt;
    for (const auto& [name, schema] : properties->items()) {
        if (!schema.is_object()) continue;
        const auto argument = arguments.find(name);
        const Json* value = argument == arguments.end() ? nullptr : &*argument;
        if (const auto header = schema.find("x-mcp-header");
            header != schema.end() && header->is_string())
            if (auto fault = check_param(headers, header->get<std::string>(), value)) return fault;
        if (auto fault = check_param_headers(headers, schema,
                                             value && value->is_object() ? *value : Json::object()))
            return fault;
    }
    return std::nullopt;
}

}  // namespace toolhost::serve
