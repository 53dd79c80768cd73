#include "host/policy/embedded.hpp"

#include <stdexcept>
#include <string>

namespace toolhost::policy {

std::string_view schema_text(std::string_view name) {
    if (const auto* file = find_file(embedded_schemas(), name)) return file->content;
    throw std::logic_error(std::string(name) + " is not embedded");
}

}  // namespace toolhost::policy
