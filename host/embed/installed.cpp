#include "host/embed/installed.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/filesystem/operations.hpp>

namespace toolhost::embed {

std::string installed_program() {
    boost::system::error_code fault;
    const auto library = boost::dll::this_line_location(fault);
    if (fault) return "";
    // The build defines the relative position of the two folders.
    const auto program =
        boost::filesystem::canonical(library.parent_path() / TOOLHOST_PROGRAM_FROM_LIBRARY, fault);
    return fault ? "" : program.string();
}

}  // namespace toolhost::embed
