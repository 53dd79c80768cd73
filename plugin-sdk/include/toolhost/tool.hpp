// Tool: a spec and its code. There are three ways to create one:
//
//   tool<function>("name", "description")          the schemas come from the function's types
//   tool<&Class::member>("name", "description")    the same; one object of Class serves all its
// tools
//   raw(R"({"name": ..., "inputSchema": ...})", handler)   the spec is written by hand
//
// tool("name", "description", lambda) takes a callable object like the first.
#ifndef TOOLHOST_TOOL_HPP
#define TOOLHOST_TOOL_HPP

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolhost/reply.hpp"
#include "toolhost/signature.hpp"
#include "toolhost/tool_spec.hpp"

namespace toolhost {

class Tool : public ToolSpec<Tool> {
public:
    using Run = std::function<Reply(Context&, const nlohmann::json& input)>;

    Tool(nlohmann::json spec, Run run, std::function<void()> close = {})
        : ToolSpec(std::move(spec)), run_(std::move(run)), close_(std::move(close)) {}

    [[nodiscard]] Reply run(Context& context, const nlohmann::json& input) const {
        return run_(context, input);
    }

    // Destroys state shared with other tools of the library; may be called repeatedly.
    void close() const {
        if (close_) close_();
    }

    // The order of the input's fields for display: that of the struct's members. JSON values do not
    // keep an order; the library's spec does.
    Tool& field_order(std::vector<std::string> names) {
        field_order_ = std::move(names);
        return *this;
    }
    [[nodiscard]] const std::vector<std::string>& field_order() const noexcept {
        return field_order_;
    }

private:
    Run run_;
    std::function<void()> close_;
    std::vector<std::string> field_order_;
};

namespace detail {

// The object of a class that serves tools: created at the first call, because inspecting a library
// must have no effects, and destroyed when the library is closed.
template <class C>
class Instance {
public:
    static C& get() {
        const std::lock_guard lock(mutex());
        if (!object()) object() = std::make_unique<C>();
        return *object();
    }
    static void close() {
        const std::lock_guard lock(mutex());
        object().reset();
    }

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static std::unique_ptr<C>& object() {
        static std::unique_ptr<C> one;
        return one;
    }
};

template <class Sig>
nlohmann::json inferred_spec(std::string name, std::string description) {
    using Input = typename InputOf<typename Sig::Arguments>::Type;
    nlohmann::json spec{{"name", std::move(name)}, {"description", std::move(description)}};
    if constexpr (AnyJson<Input>) {
        spec["inputSchema"] = {{"type", "object"}};
    } else {
        static_assert(Struct<Input> || Map<Input>,
                      "a tool's input is a struct (an aggregate), a map or nlohmann::json");
        spec["inputSchema"] = schema_of<Input>(Use::input);
    }
    auto output = output_schema<std::remove_cvref_t<typename Sig::Result>>();
    if (output) spec["outputSchema"] = std::move(*output);
    return spec;
}

template <class Sig>
Tool with_field_order(Tool tool) {
    using Input = typename InputOf<typename Sig::Arguments>::Type;
    if constexpr (Struct<Input>) {
        std::vector<std::string> names;
        const Input initial{};
        for_each_member(initial,
                        [&](std::string_view key, const auto&) { names.emplace_back(key); });
        tool.field_order(std::move(names));
    }
    return tool;
}

// A bad value is the caller's fault only here; elsewhere it is the tool's.
template <class Input>
Input read_input(const nlohmann::json& json) {
    try {
        return read_json<Input>(json);
    } catch (const BadValue& bad) {
        throw BadInput(bad);
    }
}

template <class Sig, class Function>
Reply run_typed(Function& function, Context& context, const nlohmann::json& json) {
    using Input = typename InputOf<typename Sig::Arguments>::Type;
    Input input = read_input<Input>(json);
    if constexpr (std::is_void_v<typename Sig::Result>) {
        call_in_order<typename Sig::Arguments>(function, context, input);
        return Reply().text("done");
    } else {
        return reply_of(call_in_order<typename Sig::Arguments>(function, context, input));
    }
}

}  // namespace detail

// A function or a member function as a template argument.
template <auto Function>
[[nodiscard]] Tool tool(std::string name, std::string description) {
    using Sig = detail::Signature<decltype(Function)>;
    using Class = typename Sig::Class;
    nlohmann::json spec = detail::inferred_spec<Sig>(std::move(name), std::move(description));
    if constexpr (std::same_as<Class, detail::NoClass>) {
        return detail::with_field_order<Sig>(
            Tool(std::move(spec), [](Context& context, const nlohmann::json& input) {
                auto function = Function;
                return detail::run_typed<Sig>(function, context, input);
            }));
    } else {
        auto run = [](Context& context, const nlohmann::json& input) {
            Class& object = detail::Instance<Class>::get();
            auto function = [&object](auto&&... arguments) -> decltype(auto) {
                return (object.*Function)(std::forward<decltype(arguments)>(arguments)...);
            };
            return detail::run_typed<Sig>(function, context, input);
        };
        return detail::with_field_order<Sig>(
            Tool(std::move(spec), run, &detail::Instance<Class>::close));
    }
}

// A callable object, such as a lambda.
template <class Function>
[[nodiscard]] Tool tool(std::string name, std::string description, Function function) {
    using Sig = detail::Signature<Function>;
    return detail::with_field_order<Sig>(Tool(
        detail::inferred_spec<Sig>(std::move(name), std::move(description)),
        [function = std::move(function)](Context& context, const nlohmann::json& input) mutable {
            return detail::run_typed<Sig>(function, context, input);
        }));
}

// A handwritten spec, and a handler that takes (Context&, const nlohmann::json&), in any order and
// each optional, and returns any result type of tools.
template <class Handler>
[[nodiscard]] Tool raw(nlohmann::json spec, Handler handler) {
    using Sig = detail::Signature<Handler>;
    using Input = typename detail::InputOf<typename Sig::Arguments>::Type;
    static_assert(std::same_as<Input, nlohmann::json> || std::same_as<Input, detail::NoInput>,
                  "the handler of a raw tool takes its input as nlohmann::json");
    return Tool(std::move(spec), [handler = std::move(handler)](
                                     Context& context, const nlohmann::json& input) mutable {
        if constexpr (std::same_as<Input, detail::NoInput>) {
            return detail::run_typed<Sig>(handler, context, nlohmann::json::object());
        } else {
            return detail::run_typed<Sig>(handler, context, input);
        }
    });
}
template <class Handler>
[[nodiscard]] Tool raw(const char* spec, Handler handler) {
    return raw(nlohmann::json::parse(spec), std::move(handler));
}

}  // namespace toolhost

#endif  // TOOLHOST_TOOL_HPP
