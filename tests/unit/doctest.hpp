// Configures how doctest prints a result: Boost's own operator<< matches every result, and then
// does not compile for values that cannot be printed.
#pragma once

#include <doctest/doctest.h>

#include <boost/system/result.hpp>

namespace doctest {
template <class T, class E>
struct StringMaker<boost::system::result<T, E>> {
    static String convert(const boost::system::result<T, E>& result) {
        return result.has_value() ? "a value" : "an error";
    }
};
}  // namespace doctest
