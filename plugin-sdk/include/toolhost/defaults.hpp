// Which members of a parameter struct are optional:
//
//   Field              if it has a member initializer (`= 3`, `= toolhost::empty`)
//   std::optional      always
//   other member       of a trivial type (a number, bool, enum, array or plain struct of them): if
// it
//                      has a member initializer: `int days = 0`, but not `int days`
//   other member       of another type (text, list, map, ...): if its value in T{} is not empty:
//                      `std::string unit = "C"`; `std::string unit = ""` is indistinguishable from
//                      `std::string unit` and required. Use a Field for an empty default.
#ifndef TOOLHOST_DEFAULTS_HPP
#define TOOLHOST_DEFAULTS_HPP

#include "toolhost/initializers.hpp"
#include "toolhost/types.hpp"
#include "toolhost/write_json.hpp"

namespace toolhost::detail {

// `object` is a T{}, and `member` one of its members before it was read.
template <class T, class M>
bool has_default(const T& object, const M& member) {
    if constexpr (MemberTraits<M>::is_field) {
        return member.has_default();
    } else if constexpr (shows_initializer<M>) {
        return initialized_in(object, member);
    } else {
        // Compared as JSON, because that is what callers see, and not every type has an ==.
        return write_json(member) != write_json(M{});
    }
}

template <class T, class M>
bool may_be_absent(const T& object, const M& member) {
    return Optional<typename MemberTraits<M>::Value> || has_default(object, member);
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_DEFAULTS_HPP
