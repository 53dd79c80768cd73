#include "host/runtime/temp_folder.hpp"

#include <stdlib.h>

#include <boost/filesystem.hpp>

namespace toolhost::runtime {
namespace fs = boost::filesystem;

std::string temp_base() {
    boost::system::error_code fault;
    auto base = fs::temp_directory_path(fault).string();
    return fault ? "/tmp" : base;
}

std::string make_temp_folder() {
    std::string name = temp_base() + "/toolhost-XXXXXX";
    return ::mkdtemp(name.data()) ? name : "";
}

bool remove_temp_folder(const std::string& folder) {
    boost::system::error_code ignored;
    fs::remove_all(folder, ignored);
    if (!fs::exists(folder, ignored)) return true;
    // A plugin may have made folders that nobody can enter.
    for (fs::recursive_directory_iterator
             it(folder, fs::directory_options::skip_permission_denied, ignored),
         end;
         !ignored && it != end; it.increment(ignored))
        if (it->symlink_status(ignored).type() == fs::directory_file)
            fs::permissions(it->path(), fs::owner_all, ignored);
    fs::remove_all(folder, ignored);
    return !fs::exists(folder, ignored);
}

}  // namespace toolhost::runtime
