// Media types as headers name them: with parameters, in any case, and with stars.
#pragma once

#include <string_view>

namespace toolhost::serve {

// Whether a Content-Type is this one, whatever its parameters.
[[nodiscard]] bool is_type(std::string_view header, std::string_view type);

// Whether an Accept header takes this type.
[[nodiscard]] bool accepts(std::string_view header, std::string_view type);

}  // namespace toolhost::serve
