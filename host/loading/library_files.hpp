// The files that a library consists of: itself, or all of its own folder (NAME/NAME.so). Their
// names and contents are its identity, and a private copy has all of them.
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

    // Lists and hashes them, bounded as in plugin_folder.hpp. A link that leaves the folder, a pipe
    // or a device is an error. Files are opened beneath the folder each time: what a name stood for
    // a moment ago proves nothing.
    [[nodiscard]] Result<void> read();
    // After read(): 64 hexadecimal digits.
    [[nodiscard]] std::string identity() const;
    // After read(): copies the files to a folder; an error if one is no longer what was read.
    [[nodiscard]] Result<void> copy_to(const std::string& folder) const;

private:
    [[nodiscard]] os::Descriptor open(const std::string& name) const;
    [[nodiscard]] Result<void> add(const std::string& name);

    const std::string path_;
    const std::string folder_;
    const std::string name_;  // of the file, for messages: models read them
    const bool own_folder_;
    os::Descriptor place_;  // the folder, where it is the library's own
    std::vector<File> files_;
    std::uintmax_t total_ = 0;
};

// The identity of a library as it is on disk now.
[[nodiscard]] Result<std::string> library_identity(const std::string& path, bool own_folder);

// Whether the text has the form of an identity: 64 digits from 0-9 and a-f.
[[nodiscard]] bool is_identity(std::string_view text);

}  // namespace toolhost::loading
