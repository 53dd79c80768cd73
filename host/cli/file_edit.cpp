#include "host/cli/file_edit.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/filesystem.hpp>
#include <cerrno>

#include "host/os/descriptor.hpp"

namespace toolhost::cli {
namespace fs = boost::filesystem;
namespace {

EditFault trouble(const std::string& what) {
    return {Exit::trouble, what + ": " + os::system_message(errno)};
}

// The real file: a link to it, as dotfile managers create them, is kept.
fs::path resolve_links(const std::string& file) {
    boost::system::error_code fault;
    auto real = fs::canonical(file, fault);
    return fault ? fs::absolute(file) : real;
}

bool make_folders(const fs::path& folder) {
    boost::system::error_code fault;
    if (folder.empty() || fs::is_directory(folder, fault)) return true;
    if (!make_folders(folder.parent_path())) return false;
    return ::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST;
}

// A temporary file beside the old one, removed unless it replaces it.
class Draft {
public:
    explicit Draft(const fs::path& target)
        : target_(target.string()),
          path_(target_ + ".XXXXXX"),
          file_(::mkostemp(path_.data(), O_CLOEXEC)) {}
    ~Draft() {
        if (file_ && !kept_) ::unlink(path_.c_str());
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool write(const std::string& text) {
        if (!file_) return false;
        struct stat old {};
        if (::stat(target_.c_str(), &old) == 0) {
            // Keeps the owner if root edits another user's file; others can only edit their own.
            if (::fchown(file_.get(), old.st_uid, old.st_gid) != 0 && old.st_uid != ::geteuid())
                return false;
            if (::fchmod(file_.get(), old.st_mode & 07777) != 0) return false;
        }
        return os::write_all(file_.get(), text) && ::fsync(file_.get()) == 0;
    }
    [[nodiscard]] bool take_place() {
        kept_ = ::rename(path_.c_str(), target_.c_str()) == 0;
        return kept_;
    }

private:
    std::string target_, path_;
    os::Descriptor file_;
    bool kept_ = false;
};

boost::system::result<std::string, EditFault> text_of(const fs::path& file, std::size_t limit) {
    std::string text;
    if (!os::read_file(file.string(), limit, text) && errno != ENOENT)
        return trouble(file.string() + ": cannot read the file");
    return text;
}

}  // namespace

boost::system::result<bool, EditFault> edit_file(const std::string& file, const FileEdit& edit) {
    const auto target = resolve_links(file);
    boost::system::error_code ignored;
    if (!fs::exists(target, ignored)) {
        auto made = edit.text("");
        if (!made) return EditFault{exit_of(made.error()), made.error().message};
        if (made->empty()) return false;  // the path has no folder
        if (!make_folders(target.parent_path()))
            return trouble("cannot create the folder " + target.parent_path().string());
    }
    const auto folder_name = target.parent_path().string();
    os::Descriptor folder(::open(folder_name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder || ::flock(folder.get(), LOCK_EX) != 0)
        return trouble("cannot lock the folder " + folder_name);
    auto text = text_of(target, edit.limit);
    if (!text) return text.error();
    auto edited = edit.text(*text);
    if (!edited) return EditFault{exit_of(edited.error()), edited.error().message};
    if (*edited == *text) return false;

    Draft draft(target);
    if (!draft.write(*edited)) return trouble(target.string() + ": cannot write the file");
    if (auto loads = edit.check(draft.path()); !loads)
        return EditFault{exit_of(loads.error()),
                         file + " was not changed, because the result would be invalid: " +
                             loads.error().message};
    if (!draft.take_place()) return trouble(target.string() + ": cannot replace the file");
    ::fsync(folder.get());
    return true;
}

}  // namespace toolhost::cli
