#include "json/document.hpp"

#include <algorithm>
#include <optional>

#include "json/place.hpp"

namespace data_tools::json {
namespace {

// Builds the value as nlohmann's DOM parser does, and notes what that parser ignores silently:
// duplicate keys, and integers longer than 64 bits.
class Builder : public nlohmann::json_sax<Value> {
public:
    Document document;
    std::optional<std::size_t> error_byte;
    std::string error_text, error_token;

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }  // not used in text

    bool number_float(number_float_t value, const string_t& text) override {
        const bool whole = text.find_first_of(".eE") == std::string::npos;
        if (!add(value)) return false;
        if (whole)
            note("the integer " + text.substr(0, 60) + " at " + place() +
                 " does not fit into 64 bits and was rounded");
        return true;
    }

    bool start_object(std::size_t) override { return open(Value::object()); }
    bool start_array(std::size_t) override { return open(Value::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        key_ = std::move(name);
        if (open_.back()->contains(key_)) {
            note("duplicate key at " + place() + ": the last value is used");
        }
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& e) override {
        error_byte = position;
        error_token = token;
        error_text = e.what();
        return false;
    }

private:
    Value* put(Value value) {
        if (open_.empty()) {
            document.value = std::move(value);
            return &document.value;
        }
        Value& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        names_.back() = key_;
        return &(parent[key_] = std::move(value));
    }

    bool add(Value value) {
        put(std::move(value));
        return true;
    }

    bool open(Value empty) {
        Value* container = put(std::move(empty));
        open_.push_back(container);
        names_.emplace_back();
        return true;
    }

    bool close() {
        open_.pop_back();
        names_.pop_back();
        return true;
    }

    void note(std::string text) {
        if (document.notes.size() < max_notes)
            document.notes.push_back(std::move(text));
        else if (document.notes.size() == max_notes)
            document.notes.emplace_back("… and more");
    }

    // The JSON Pointer of the current value.
    std::string place() const {
        Value::json_pointer pointer;
        for (std::size_t k = 0; k < open_.size(); ++k) {
            if (open_[k]->is_array()) {
                pointer.push_back(std::to_string(open_[k]->empty() ? 0 : open_[k]->size() - 1));
            } else {
                pointer.push_back(k + 1 == open_.size() ? key_ : names_[k]);
            }
        }
        return pointer.empty() ? "the top" : pointer.to_string();
    }

    std::vector<Value*>
        open_;  // containers being filled; a parent does not move while its child is filled
    std::vector<std::string> names_;  // the key in each open object that leads to it
    std::string key_;
};

// The position at which the nesting becomes too deep. Considers only brackets outside of strings.
std::optional<std::size_t> too_deep_at(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (in_string) {
            if (c == '\\')
                ++k;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > max_depth) return k;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::nullopt;
}

// nlohmann: "[json.exception.parse_error.101] parse error at line 1, column 2: what".
std::string without_prefix(const std::string& text) {
    const std::size_t column = text.find(", column ");
    const std::size_t start =
        column == std::string::npos ? text.find("] ") : text.find(": ", column);
    std::string out = start == std::string::npos ? text : text.substr(start + 2);
    const std::size_t read = out.find("; last read: ");
    if (read != std::string::npos) {
        const std::size_t end = out.find("'; expected", read);
        out.erase(read, end == std::string::npos ? std::string::npos : end + 1 - read);
    }
    return out.substr(0, 300);
}

// nlohmann reports the end of the offending token. The position is the start of a token that is
// misplaced, and the error inside a token that is invalid.
std::size_t error_place(std::string_view text, const Builder& builder, const std::string& what) {
    const std::size_t read = builder.error_byte.value_or(0);
    if (read == 0) return 0;
    if (read > text.size() || what.find("unexpected end") != std::string::npos) return text.size();
    std::size_t at = read - 1;
    const auto says = [&](const char* words) { return what.find(words) != std::string::npos; };
    if (says("unexpected string") || says("unexpected number")) {
        at = read - std::min(read, builder.error_token.size());
    } else if (says("unexpected true") || says("unexpected false") || says("unexpected null")) {
        while (at > 0 && text[at - 1] >= 'a' && text[at - 1] <= 'z') --at;
    }
    return at;
}

}  // namespace

std::string SyntaxError::message() const {
    return "not valid JSON at line " + std::to_string(line) + ", column " + std::to_string(column) +
           " (byte " + std::to_string(byte) + "): " + what + "\n" + excerpt;
}

std::variant<Document, SyntaxError> parse_document(std::string_view text) {
    if (text.size() > max_text_bytes) {
        return error_at(text, max_text_bytes,
                        "longer than " + std::to_string(max_text_bytes) + " bytes");
    }
    if (const auto deep = too_deep_at(text)) {
        return error_at(text, *deep,
                        "nested more than " + std::to_string(max_depth) + " levels deep");
    }
    Builder builder;
    if (Value::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.document);

    const std::string what = without_prefix(builder.error_text);
    const std::size_t at = error_place(text, builder, what);
    const std::string hint = hint_at(text, at);
    return error_at(text, at, what + (hint.empty() ? "" : " (" + hint + ")"));
}

}  // namespace data_tools::json
