// The files of a library: the library itself, or everything in its own folder (NAME/NAME.so). Their
// names and contents are its identity, and a private copy contains all of them.
#pragma once

#include <string>
#include <vector>

#include "host/base/error.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::loading {

class LibraryFiles {
public:
    struct File {
        std::string name;  // relative to the folder
        std::string sha256;
    };

    LibraryFiles(std::string path, bool own_folder);

    // Lists and hashes the files, within the limits of plugin_folder.hpp. A link that leaves the
    // folder, a pipe or a device is an error. Each file is opened beneath the folder anew, because
    // the meaning of a name can change at any time.
    [[nodiscard]] Result<void> read();
    // Valid after read(): 64 hexadecimal digits.
    [[nodiscard]] std::string identity() const;
    // Valid after read(). Copies the files to a folder; fails if one has changed since.
    [[nodiscard]] Result<void> copy_to(const std::string& folder) const;

private:
    [[nodiscard]] os::Descriptor open(const std::string& name) const;
    [[nodiscard]] Result<void> add(const std::string& name);

    const std::string path_;
    const std::string folder_;
    const std::string name_;  // of the file, for messages to models
    const bool own_folder_;
    os::Descriptor place_;  // the folder, if the library has one of its own
    std::vector<File> files_;
    std::uintmax_t total_ = 0;
};

// The identity of a library's current files.
[[nodiscard]] Result<std::string> library_identity(const std::string& path, bool own_folder);

// Whether the text has the form of an identity: 64 digits from 0-9 and a-f.
[[nodiscard]] bool is_identity(std::string_view text);

}  // namespace toolhost::loading
