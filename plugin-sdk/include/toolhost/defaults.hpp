// Which members of a parameter struct need not be given. The rule:
//
//   Field        has a default if it has a member initializer (`= 3`, `= toolhost::empty`)
//   std::optional  is never required
//   bare member  has a default if its value in T{} differs from the value-initialized one:
//                `int days = 3` has one, `int days = 0` and `int days` have none
#ifndef TOOLHOST_DEFAULTS_HPP
#define TOOLHOST_DEFAULTS_HPP

#include "toolhost/types.hpp"
#include "toolhost/write_json.hpp"

namespace toolhost::detail {

// `member` is one of a T{} that nothing was read into yet.
template <class M>
bool has_default(const M& member) {
    if constexpr (MemberTraits<M>::is_field) {
        return member.has_default();
    } else {
        // By their JSON, since that is what the caller sees, and not every member has an ==.
        return write_json(member) != write_json(M{});
    }
}

template <class M>
bool may_be_absent(const M& member) {
    return Optional<typename MemberTraits<M>::Value> || has_default(member);
}

}  // namespace toolhost::detail

#endif  // TOOLHOST_DEFAULTS_HPP
