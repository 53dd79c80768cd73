// Which members of a parameter struct need not be given. The rule:
//
//   Field        has a default if it has a member initializer (`= 3`, `= toolhost::empty`)
//   std::optional  is never required
//   bare member  of a trivial type (a number, bool, enum, array or plain struct of them) has a
//                default if it has a member initializer: `int days = 0` has one, `int days` has
//                none
//   other bare member  (text, list, map, ...) has a default if its value in T{} is not the empty
//   one:
//                `std::string unit = "C"` has one; `std::string unit = ""` cannot be told from
//                `std::string unit` and has none. For an empty default use a Field.
#ifndef TOOLHOST_DEFAULTS_HPP
#define TOOLHOST_DEFAULTS_HPP

#include "toolhost/initializers.hpp"
#include "toolhost/types.hpp"
#include "toolhost/write_json.hpp"

namespace toolhost::detail {

// `object` is a T{}, and `member` one of its members that nothing was read into yet.
template <class T, class M>
bool has_default(const T& object, const M& member) {
    if constexpr (MemberTraits<M>::is_field) {
        return member.has_default();
    } else if constexpr (shows_initializer<M>) {
        return initialized_in(object, member);
    } else {
        // By their JSON, since that is what the caller sees, and not every member has an ==.
        return write_json(member) != write_json(M{});
    }
}

template <class T, class M>
bool may_be_absent(const T& object, const M& member) {
    return Optional<typename MemberTraits<M>::Value> || has_default(object, member);
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_DEFAULTS_HPP
