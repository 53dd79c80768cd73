// The id of a request that cannot be read, so that its sender does not wait for an answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/base/error.hpp"

namespace toolhost::serve {

// Looks at the members of the outermost object alone, piece by piece as they come, and tolerates
// whatever stands elsewhere: bad Unicode, too many values, too deep ones.
class RequestIdFinder {
public:
    void take(std::string_view text);
    // A string or an integer; null: missing, duplicate, or not a request.
    [[nodiscard]] Json id() const;

private:
    void step(char c);
    void keep(char c);
    void end_member();

    std::int64_t depth_ = 0;
    bool failed_ = false;  // not an object
    bool in_string_ = false, escaped_ = false;
    bool is_scalar_ = true;  // the member at hand, and not too long to be an id
    bool has_method_ = false;
    int ids_ = 0;
    std::string key_, value_, id_;  // as they are written
};

[[nodiscard]] Json find_request_id(std::string_view text);

}  // namespace toolhost::serve
