// The parameters and result of a tool's code: a function, a member function or a lambda.
#ifndef TOOLHOST_SIGNATURE_HPP
#define TOOLHOST_SIGNATURE_HPP

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "toolhost/context.hpp"

namespace toolhost::detail {

struct NoClass {};

template <class C, class R, class... A>
struct Parts {
    using Class = C;
    using Result = R;
    using Arguments = std::tuple<std::remove_cvref_t<A>...>;
    static constexpr std::size_t inputs =
        (std::size_t{0} + ... + (std::same_as<std::remove_cvref_t<A>, Context> ? 0U : 1U));
    static_assert(inputs <= 1,
                  "a tool takes at most one parameter struct, and optionally a Context&");
};

template <class F>
struct Signature : Signature<decltype(&F::operator())> {
    using Class = NoClass;
};
template <class R, class... A>
struct Signature<R (*)(A...)> : Parts<NoClass, R, A...> {};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Parts<NoClass, R, A...> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Parts<C, R, A...> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Parts<C, R, A...> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) noexcept> : Parts<C, R, A...> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const noexcept> : Parts<C, R, A...> {};

// The parameter struct of the arguments; an empty struct if there is none.
struct NoInput {};

template <class Arguments>
struct InputOf;
template <>
struct InputOf<std::tuple<>> {
    using Type = NoInput;
};
template <class First, class... Rest>
struct InputOf<std::tuple<First, Rest...>> {
    using Type = std::conditional_t<std::same_as<First, Context>,
                                    typename InputOf<std::tuple<Rest...>>::Type, First>;
};

// Calls `function` with the context and the input, in its order.
template <class Arguments, class Function, class Input>
decltype(auto) call_in_order(Function& function, Context& context, Input& input) {
    auto argument = [&]<class A>(std::type_identity<A>) -> decltype(auto) {
        if constexpr (std::same_as<A, Context>) {
            return static_cast<Context&>(context);
        } else {
            return static_cast<Input&&>(input);
        }
    };
    return [&]<class... A>(std::type_identity<std::tuple<A...>>) -> decltype(auto) {
        return function(argument(std::type_identity<A>())...);
    }(std::type_identity<Arguments>());
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_SIGNATURE_HPP
