// Reply: a result as content blocks. Other results are converted to one:
//
//   returned                     content                                      outputSchema
//   Reply                        its blocks                                   none
//   void                         {"text": "done"}                             none
//   std::string etc.             {"text": ...}                                none
//   nlohmann::json               {"json": ...}                                none
//   struct, map                  {"json": {...}}                              of the type
//   number, bool, enum, Literal  {"text": "5"}, {"json": {"result": 5}}       of {"result": ...}
//   others (vector, ...)         {"json": {"result": ...}}                    of {"result": ...}
//
// The value of a json block with a schema is always an object, because MCP requires it for
// structured content.
#ifndef TOOLHOST_REPLY_HPP
#define TOOLHOST_REPLY_HPP

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "toolhost/base64.hpp"
#include "toolhost/dump_json.hpp"
#include "toolhost/resource.hpp"
#include "toolhost/schema.hpp"
#include "toolhost/write_json.hpp"

namespace toolhost {

class Reply {
public:
    Reply() = default;

    Reply& text(const std::string& text) & {
        return block("{\"text\":", [&] { detail::dump_text(text, content_); });
    }
    Reply&& text(const std::string& text) && { return std::move(this->text(text)); }

    // Any type that write_json() accepts.
    template <class T>
    Reply& json(const T& value) & {
        return add("{\"json\":", write_json(value));
    }
    template <class T>
    Reply&& json(const T& value) && {
        return std::move(json(value));
    }

    // `format` as in "png"; `bytes` are the file's content.
    Reply& image(std::string format, std::string_view bytes) & {
        return add("{\"image\":", {{"format", std::move(format)}, {"source", source(bytes)}});
    }
    Reply&& image(std::string format, std::string_view bytes) && {
        return std::move(image(std::move(format), bytes));
    }

    Reply& document(std::string name, std::string format, std::string_view bytes) & {
        return add(
            "{\"document\":",
            {{"name", std::move(name)}, {"format", std::move(format)}, {"source", source(bytes)}});
    }
    Reply&& document(std::string name, std::string format, std::string_view bytes) && {
        return std::move(document(std::move(name), std::move(format), bytes));
    }

    // `format` as in "wav"; `bytes` are the file's content.
    Reply& audio(std::string format, std::string_view bytes) & {
        return add("{\"audio\":", {{"format", std::move(format)}, {"source", source(bytes)}});
    }
    Reply&& audio(std::string format, std::string_view bytes) && {
        return std::move(audio(std::move(format), bytes));
    }

    // What lies at a uri, whole: resource(Resource::text("file:///a", "...", "text/plain")).
    Reply& resource(const Resource& resource) & { return add("{\"resource\":", resource.json()); }
    Reply&& resource(const Resource& resource) && { return std::move(this->resource(resource)); }

    // Where to look for it instead.
    Reply& resource_link(const ResourceLink& link) & {
        return add("{\"resourceLink\":", link.json());
    }
    Reply&& resource_link(const ResourceLink& link) && { return std::move(resource_link(link)); }

    // A json block for a value that is not an object: {"result": value}.
    Reply& result(const nlohmann::json& value) & {
        return block("{\"json\":{\"result\":", [&] {
            detail::dump_value(value, content_);
            content_ += '}';
        });
    }
    Reply&& result(const nlohmann::json& value) && { return std::move(result(value)); }

    // The array of content blocks as JSON text.
    [[nodiscard]] const std::string& content() const noexcept { return content_; }

private:
    static nlohmann::json source(std::string_view bytes) { return {{"bytes", base64(bytes)}}; }

    Reply& add(std::string_view opening, const nlohmann::json& value) {
        return block(opening, [&] { detail::dump_value(value, content_); });
    }

    // `opening` is what stands before the value that `write` adds: {"text":
    template <class Write>
    Reply& block(std::string_view opening, Write write) {
        content_.reserve(detail::kFirstBytes);
        if (content_.size() > 2)
            content_.back() = ',';
        else
            content_ = '[';  // also if it was moved from, and begins anew
        content_ += opening;
        write();
        content_.append("}]", 2);
        return *this;
    }

    std::string content_ =
        "[]";  // written directly: an intermediate document would cost more than everything else
};

namespace detail {

template <class T>
concept TextResult = std::convertible_to<const T&, std::string_view> && !is_literal<T>;

template <class T>
concept ScalarResult = std::same_as<T, bool> || Integer<T> || std::floating_point<T> ||
    std::is_enum_v<T> || is_literal<T>;

template <class T>
concept ObjectResult = !ScalarResult<T> && !CustomType<T> && !is_array<T> && (Map<T> || Struct<T>);

// The schema of the json block, or nothing if it cannot be derived.
template <class T>
std::optional<nlohmann::json> output_schema() {
    if constexpr (std::is_void_v<T> || std::same_as<T, Reply> || TextResult<T> || AnyJson<T> ||
                  std::same_as<T, std::filesystem::path>) {
        return std::nullopt;
    } else if constexpr (ObjectResult<T>) {
        return schema_of<T>(Use::output);
    } else {
        nlohmann::json result = schema_of<T>(Use::output);
        nlohmann::json schema{{"type", "object"}, {"required", {"result"}}};
        // Definitions move to the root, from where they are referenced.
        if (result.is_object() && result.contains("$defs")) {
            schema["$defs"] = std::move(result["$defs"]);
            result.erase("$defs");
        }
        schema["properties"]["result"] = std::move(result);
        return schema;
    }
}

// A scalar in its common form: 5 instead of 5.0, text without quotes.
template <class T>
std::string scalar_text(const T& value, const nlohmann::json& written) {
    if constexpr (std::floating_point<T>) {
        char digits[64];
        const auto end = std::to_chars(digits, digits + sizeof digits, value);
        return std::string(digits, end.ptr);
    } else {
        return written.is_string() ? written.get<std::string>() : written.dump();
    }
}

template <class T>
Reply reply_of(T&& value) {
    using Value = std::remove_cvref_t<T>;
    if constexpr (std::same_as<Value, Reply>) {
        return std::forward<T>(value);
    } else if constexpr (std::same_as<Value, std::filesystem::path>) {
        return Reply().text(value.string());
    } else if constexpr (TextResult<Value>) {
        return Reply().text(std::string(std::string_view(value)));
    } else if constexpr (AnyJson<Value> || ObjectResult<Value>) {
        return Reply().json(value);
    } else {
        const nlohmann::json written = write_json(value);
        Reply reply;
        if constexpr (ScalarResult<Value>) reply.text(scalar_text(value, written));
        return std::move(reply).result(written);
    }
}

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_REPLY_HPP
