// A value that does not fit its type, and its position as a JSON Pointer, which is built only if
// needed.
#ifndef TOOLHOST_BAD_VALUE_HPP
#define TOOLHOST_BAD_VALUE_HPP

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace toolhost {

// what() is "/items/2: expected a string, got number"; for the whole value, only the part after ":
// ".
class BadValue : public std::runtime_error {
public:
    BadValue(std::string pointer, const std::string& problem)
        : std::runtime_error(pointer.empty() ? problem : pointer + ": " + problem),
          pointer_(std::move(pointer)) {}

    [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

private:
    std::string pointer_;
};

// The tool's input is invalid. A tool throws it for rules that a schema cannot express: the call
// then ends as invalid_input, so that a model repairs it, and not as a failure of the tool.
class BadInput : public BadValue {
public:
    using BadValue::BadValue;
    explicit BadInput(const BadValue& bad) : BadValue(bad) {}
};

namespace detail {

// One step into a value, linked to the previous step; lives on the stack of the reader.
class Path {
public:
    Path() = default;
    Path(const Path& parent, std::string_view key) : parent_(&parent), key_(key) {}
    Path(const Path& parent, std::size_t index)
        : parent_(&parent), index_(index), is_index_(true) {}

    [[nodiscard]] std::string pointer() const {
        if (!parent_) return {};
        std::string text = parent_->pointer() + "/";
        if (is_index_) return text + std::to_string(index_);
        for (char c : key_) {
            if (c == '~') {
                text += "~0";
            } else if (c == '/') {
                text += "~1";
            } else {
                text += c;
            }
        }
        return text;
    }

    // A short string, number or boolean is shown, because it is the caller's mistake.
    [[noreturn]] void refuse(const std::string& expected, const nlohmann::json& found) const {
        std::string problem = "expected " + expected + ", got " + found.type_name();
        if (found.is_primitive() && !found.is_null()) {
            const std::string shown =
                found.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            if (shown.size() <= 40) problem += " " + shown;
        }
        throw BadValue(pointer(), problem);
    }

private:
    const Path* parent_ = nullptr;
    std::string_view key_;
    std::size_t index_ = 0;
    bool is_index_ = false;
};

}  // namespace detail
}  // namespace toolhost

#endif  // TOOLHOST_BAD_VALUE_HPP
