#include "write/atomic_write.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/file.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "text/encode.hpp"
#include "text/file_text.hpp"
#include "text/names.hpp"
#include "write/plan.hpp"

namespace file_operations {
namespace {

// Workers have a umask that keeps temporary files private, but files of the user get the usual
// permissions.
constexpr mode_t new_file_mode = 0644, new_folder_mode = 0755;
constexpr int attempts = 16;

std::string hex_of(const unsigned char* bytes, std::size_t size) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < size; ++i) {
        out += digits[bytes[i] >> 4];
        out += digits[bytes[i] & 15];
    }
    return out;
}

bool same_file(const struct stat& a, const struct stat& b) {
    return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// A temporary file beside the target, removed unless it was renamed to the target.
class TemporaryFile {
public:
    explicit TemporaryFile(int folder) : folder_(folder) {}
    ~TemporaryFile() {
        if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    bool create() {
        for (int i = 0; i < attempts; ++i) {
            std::array<unsigned char, 8> chance{};
            if (::getrandom(chance.data(), chance.size(), 0) < 0) return false;
            const std::string name = ".toolhost-" + hex_of(chance.data(), chance.size());
            file_ = Descriptor(::openat(
                folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
            if (file_) {
                name_ = name;
                return true;
            }
            if (errno != EEXIST) return false;
        }
        return false;
    }

    bool write(std::string_view content, const std::function<bool()>& cancelled) {
        constexpr std::size_t block = 1u << 20;
        while (!content.empty()) {
            if (cancelled && cancelled()) {
                errno = ECANCELED;
                return false;
            }
            const ssize_t done =
                ::write(file_.get(), content.data(), std::min(content.size(), block));
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) return false;
            content.remove_prefix(static_cast<std::size_t>(done));
        }
        return true;
    }

    // Writes content and mode to disk before the file gets its name.
    bool finish(const struct stat* old) {
        const mode_t mode = old ? old->st_mode & 07777 : new_file_mode;
        // The owner first, because changing it clears set-id bits. Only root can change owners;
        // otherwise the file becomes the user's own, as with any editor.
        if (old && ::fchown(file_.get(), old->st_uid, old->st_gid) != 0 && errno != EPERM) {
            return false;
        }
        return ::fchmod(file_.get(), mode) == 0 && ::fsync(file_.get()) == 0;
    }

    bool take_name(const std::string& name) {
        if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return false;
        name_.clear();
        return true;
    }

private:
    int folder_;
    Descriptor file_;
    std::string name_;
};

bool sync_folder(int folder) {
    const Descriptor open(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems cannot sync a folder, and a folder may be writable but not readable.
    if (!open) return errno == EACCES;
    return ::fsync(open.get()) == 0 || errno == EINVAL || errno == EROFS;
}

// The folder of the file, created if missing.
Outcome<Place> make_folders(const Access& access, const WriteOrder& order, Written& written,
                            Purpose purpose = Purpose::write) {
    auto place = access.find(order.path, purpose);
    if (place || place.failure().why != Refusal::Why::failed) return place;
    const auto slash = order.path.find_last_of('/');
    if (slash == std::string::npos || slash == 0) return place;
    if (!order.create_dirs) return failed(place.failure().message + "; create_dirs is false");
    // Checked before anything is created, so that a failed write leaves no folders behind.
    if (order.expected && !order.expected->empty()) {
        return failed(shown_name(order.path) +
                      ": no such file, so expected_content does not match; nothing was written");
    }
    WriteOrder above;
    above.path = order.path.substr(0, slash);
    auto folder = make_folders(access, above, written, Purpose::make_folder);
    if (!folder) return folder;
    if (!folder->exists) {
        if (::mkdirat(folder->folder.get(), folder->name.c_str(), new_folder_mode) != 0 &&
            errno != EEXIST) {
            return system_refusal("cannot create the folder " + access.shown(*folder), errno);
        }
        // The worker's umask removed the others' permissions.
        if (::fchmodat(folder->folder.get(), folder->name.c_str(), new_folder_mode, 0) != 0) {
            return system_refusal("cannot set the mode of " + access.shown(*folder), errno);
        }
        ++written.folders_created;
    }
    return access.find(order.path, purpose);
}

// Serializes writers in one folder, so that no concurrent append is lost. A lock that is held for
// long, or a folder that cannot be opened, does not prevent a write, which is checked anyway.
class Turn {
public:
    Turn(int folder, const std::function<bool()>& cancelled)
        : folder_(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
        const auto end = std::chrono::steady_clock::now() + longest;
        while (folder_ && ::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            if (std::chrono::steady_clock::now() > end || (cancelled && cancelled())) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

private:
    static constexpr std::chrono::seconds longest{5};
    Descriptor folder_;
};

bool names_folder(std::string_view path) {
    return path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
}

// The text of the file, as file_read shows it.
Outcome<std::string> text_of(std::string bytes, Encoding encoding, const Written& written) {
    if (encoding == Encoding::utf8) return bytes;
    bool replaced = false;
    std::string text;
    if (encoding != Encoding::binary) text = to_utf8(bytes, encoding, &replaced);
    if (encoding == Encoding::binary || (replaced && encoding != Encoding::utf8_bom)) {
        return failed(written.path + " is not text that can be edited (" +
                      std::string(name_of(encoding)) + "); nothing was written");
    }
    if (encoding == Encoding::utf8_bom) return bytes.substr(bom_size(encoding));
    return text;
}

Outcome<Written> put(const Access& access, const WriteOrder& order, const Place& place,
                     std::string_view content, Written written) {
    const auto problem = [&](const char* doing) {
        if (errno == ECANCELED) return was_cancelled();
        return system_refusal(std::string("cannot ") + doing + ' ' + access.shown(place), errno);
    };
    TemporaryFile temporary(place.folder.get());
    if (!temporary.create()) return problem("create a file beside");
    if (!temporary.write(content, order.cancelled)) return problem("write");
    if (!temporary.finish(place.exists ? &place.status : nullptr)) return problem("finish");
    struct stat now {};
    const bool exists =
        ::fstatat(place.folder.get(), place.name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists != place.exists || (exists && !same_file(now, place.status))) {
        return failed(written.path + " was changed concurrently; nothing was written");
    }
    if (!temporary.take_name(place.name)) return problem("rename to");
    if (!sync_folder(place.folder.get())) return problem("sync the folder of");
    return written;
}

}  // namespace

std::string sha256_of(std::string_view content) {
    std::array<unsigned char, 32> digest{};
    unsigned size = 0;
    if (EVP_Digest(content.data(), content.size(), digest.data(), &size, EVP_sha256(), nullptr) !=
        1) {
        return "";
    }
    return hex_of(digest.data(), size);
}

Outcome<Written> write_file(const Access& access, const WriteOrder& order) {
    Written written;
    const std::uint64_t most = access.rules().max_file_bytes;
    const auto too_large = [&](std::size_t size) {
        return denied("file_too_large",
                      shown_name(order.path) + " would have " + std::to_string(size) +
                          " bytes; the policy's max_file_bytes allows " + std::to_string(most));
    };
    if (order.content.size() > most) return too_large(order.content.size());
    if (names_folder(order.path)) {
        return bad_input("/path", "is a folder; use the name of a file");
    }
    auto place = make_folders(access, order, written);
    if (!place) return place.failure();
    const Turn turn(place->folder.get(), order.cancelled);
    place = access.find(order.path, Purpose::write);  // again, now that this writer has the lock
    if (!place) return place.failure();
    written.path = access.shown(*place);
    if (place->name == "." || (place->exists && !S_ISREG(place->status.st_mode))) {
        return failed(written.path + " is not a regular file and is not replaced");
    }
    std::string old;
    Encoding encoding = Encoding::utf8;
    if (place->exists) {
        written.bytes_before = static_cast<std::uint64_t>(place->status.st_size);
        written.had_other_names = place->status.st_nlink > 1;
        if (order.append || order.expected || order.replace) {
            auto file = access.open_file(*place);
            if (!file) return file.failure();
            auto content = read_whole(file->get(), written.path, most);
            if (!content) return content.failure();
            encoding = detect_encoding(*content, true);
            auto text = text_of(*std::move(content), encoding, written);
            if (!text) return text.failure();
            old = *std::move(text);
        }
    }
    auto plan = plan_content(order, place->exists, std::move(old), written);
    if (!plan) return plan.failure();
    std::string_view content = plan->joined.empty() ? plan->content : plan->joined;
    std::optional<std::string> encoded;
    if (encoding != Encoding::utf8) {
        encoded = from_utf8(content, encoding);
        if (!encoded) {
            return failed(
                written.path + " is in " + std::string(name_of(encoding)) +
                ", which cannot represent a character of the new text; nothing was written. To "
                "convert the file to UTF-8, write the whole file without expected_content");
        }
        content = *encoded;
    }
    if (content.size() > most) return too_large(content.size());
    written.bytes = content.size();
    written.sha256 = sha256_of(content);
    return put(access, order, *place, content, std::move(written));
}

}  // namespace file_operations
