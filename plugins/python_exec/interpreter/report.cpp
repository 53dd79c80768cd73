#include "interpreter/report.hpp"

namespace python_exec {

bool is_shallow(std::string_view json, std::size_t deepest) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '\\' && quoted)
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if ((c == '[' || c == '{') && ++depth > deepest)
            return false;
        else if ((c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return true;
}

}  // namespace python_exec
