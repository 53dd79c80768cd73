// Derives JSON Schemas (2020-12) from types.
#ifndef TOOLHOST_SCHEMA_HPP
#define TOOLHOST_SCHEMA_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolhost/defaults.hpp"
#include "toolhost/enum_names.hpp"
#include "toolhost/types.hpp"

namespace toolhost {

// The purpose of a schema. An input refuses unknown fields and requires those without a default. An
// output requires all except empty optionals. A policy requires none, because the value in T{} is
// the default.
enum class Use { input, output, policy };

namespace detail {

// One object per schema, because a recursive struct needs a place to refer to.
class SchemaWriter {
public:
    explicit SchemaWriter(Use use) : use_(use) {}

    template <class T>
    nlohmann::json root() {
        nlohmann::json schema = of<T>();
        if (!definitions_.empty()) schema["$defs"] = std::move(definitions_);
        return schema;
    }

private:
    using Json = nlohmann::json;

    // A struct being written, by its identity; `referred` is set once something inside refers to
    // it.
    struct Open {
        const void* type;
        std::string name;
        bool referred;
    };

    template <class T>
    static constexpr char identity = 0;

    template <class T>
    Json of() {
        if constexpr (MemberTraits<T>::is_field) {
            return member<T>();
        } else if constexpr (CustomType<T>) {
            return Custom<T>::schema();
        } else if constexpr (AnyJson<T>) {
            return Json::object();
        } else if constexpr (Null<T>) {
            return Json{{"type", "null"}};
        } else if constexpr (std::same_as<T, bool>) {
            return Json{{"type", "boolean"}};
        } else if constexpr (Integer<T>) {
            return integer<T>();
        } else if constexpr (std::floating_point<T>) {
            return Json{{"type", "number"}};
        } else if constexpr (Text<T>) {
            return Json{{"type", "string"}};
        } else if constexpr (is_literal<T>) {
            return one_of_texts(T::names, [](std::string_view name) { return name; });
        } else if constexpr (std::is_enum_v<T>) {
            return one_of_texts(enum_names<T>, [](const auto& entry) { return entry.second; });
        } else if constexpr (Optional<T>) {
            return any_of(of<typename T::value_type>(), Json{{"type", "null"}});
        } else if constexpr (Variant<T> || TupleLike<T>) {
            return parts(static_cast<T*>(nullptr));
        } else if constexpr (Map<T>) {
            return Json{{"type", "object"},
                        {"additionalProperties", of<typename T::mapped_type>()}};
        } else if constexpr (is_array<T>) {
            return Json{{"type", "array"},
                        {"items", of<typename T::value_type>()},
                        {"minItems", std::tuple_size_v<T>},
                        {"maxItems", std::tuple_size_v<T>}};
        } else if constexpr (Set<T>) {
            return Json{
                {"type", "array"}, {"items", of<typename T::value_type>()}, {"uniqueItems", true}};
        } else if constexpr (Sequence<T>) {
            return Json{{"type", "array"}, {"items", of<typename T::value_type>()}};
        } else if constexpr (Struct<T>) {
            return structure<T>();
        } else {
            static_assert(always_false<T>, "this type has no JSON Schema; see toolhost::Custom");
        }
    }

    // Limits that a double cannot represent are omitted: model providers refuse them, and reading
    // the value checks its range anyway.
    template <class T>
    static Json integer() {
        Json schema{{"type", "integer"}};
        if constexpr (sizeof(T) < sizeof(std::int64_t)) {
            schema["minimum"] = std::numeric_limits<T>::min();
            schema["maximum"] = std::numeric_limits<T>::max();
        } else if constexpr (std::is_unsigned_v<T>) {
            schema["minimum"] = 0;
        }
        return schema;
    }

    // Lists all types, for providers that require a type for every field.
    static void name_every_type(Json& schema) {
        for (const char* key : {"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"})
            if (schema.contains(key)) return;
        Json& list = schema["anyOf"] = Json::array();
        for (const char* type : {"object", "array", "string", "number", "boolean", "null"})
            list.push_back(Json{{"type", type}});
        list[1]["items"] = Json::object();
    }

    template <class List, class NameOf>
    static Json one_of_texts(const List& list, NameOf name_of_entry) {
        Json texts = Json::array();
        for (const auto& entry : list) texts.push_back(std::string(name_of_entry(entry)));
        return Json{{"type", "string"}, {"enum", std::move(texts)}};
    }

    template <class... Parts>
    static Json any_of(Parts... part) {
        Json list = Json::array();
        (list.push_back(std::move(part)), ...);
        Json schema = Json::object();
        schema["anyOf"] = std::move(list);
        return schema;
    }

    template <class... Ts>
    Json parts(std::variant<Ts...>*) {
        return any_of(of<Ts>()...);
    }
    template <class... Ts>
    Json parts(std::tuple<Ts...>*) {
        Json list = Json::array();
        (list.push_back(of<Ts>()), ...);
        return Json{{"type", "array"},
                    {"prefixItems", std::move(list)},
                    {"minItems", sizeof...(Ts)},
                    {"maxItems", sizeof...(Ts)}};
    }
    template <class A, class B>
    Json parts(std::pair<A, B>*) {
        return parts(static_cast<std::tuple<A, B>*>(nullptr));
    }

    // A member's schema: its type's schema with the Field's rules and description. An optional has
    // the schema of its value, because it is empty if omitted.
    template <class M>
    Json member() {
        using Value = typename MemberTraits<M>::Value;
        Json schema;
        if constexpr (Optional<Value>) {
            schema = of<typename Value::value_type>();
        } else {
            schema = of<Value>();
        }
        if (use_ == Use::input) name_every_type(schema);
        MemberTraits<M>::apply_rules(schema);
        if (!MemberTraits<M>::doc.empty())
            schema["description"] = std::string(MemberTraits<M>::doc);
        return schema;
    }

    template <class T>
    Json structure() {
        const void* const type = &identity<T>;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (open_[i].type != type) continue;
            open_[i].referred = true;
            return Json{{"$ref", i == 0 ? "#" : "#/$defs/" + open_[i].name}};
        }
        for (const Open& done : defined_) {
            if (done.type == type) return Json{{"$ref", "#/$defs/" + done.name}};
        }
        open_.push_back({type, "struct" + std::to_string(opened_++), false});
        Json schema = members_of<T>();
        Open closed = std::move(open_.back());
        open_.pop_back();
        // The outermost struct is referred to as "#"; others become definitions.
        if (!closed.referred || open_.empty()) return schema;
        definitions_[closed.name] = std::move(schema);
        defined_.push_back(std::move(closed));
        return Json{{"$ref", "#/$defs/" + defined_.back().name}};
    }

    template <class T>
    Json members_of() {
        Json properties = Json::object();
        Json required = Json::array();
        const T initial{};
        for_each_member(initial, [&](std::string_view key_view, const auto& one) {
            using M = std::remove_cvref_t<decltype(one)>;
            const std::string key(key_view);
            Json& schema = properties[key] = member<M>();
            if (use_ == Use::policy || (use_ == Use::input && has_default(initial, one))) {
                const Json value = write_json(one);
                if (!value.is_null()) schema["default"] = value;
            }
            const bool may_lack = use_ == Use::output ? Optional<typename MemberTraits<M>::Value>
                                                      : may_be_absent(initial, one);
            if (use_ != Use::policy && !may_lack) required.push_back(key);
        });
        Json schema{{"type", "object"}, {"properties", std::move(properties)}};
        if (!required.empty()) schema["required"] = std::move(required);
        if (use_ != Use::output) schema["additionalProperties"] = false;
        return schema;
    }

    Use use_;
    std::vector<Open> open_;
    std::vector<Open> defined_;
    std::size_t opened_ = 0;
    Json definitions_ = Json::object();
};

}  // namespace detail

template <class T>
[[nodiscard]] nlohmann::json schema_of(Use use = Use::input) {
    return detail::SchemaWriter(use).root<T>();
}

}  // namespace toolhost

#endif  // TOOLHOST_SCHEMA_HPP
