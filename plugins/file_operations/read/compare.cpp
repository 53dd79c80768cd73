#include "read/compare.hpp"

#include <git2.h>

#include <algorithm>
#include <map>
#include <memory>

#include "access/folder.hpp"
#include "read/git_library.hpp"
#include "text/file_text.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

struct Content {
    std::string text;
    bool binary = false;
};

Outcome<Content> content_of(const Access& access, const Place& place) {
    const auto size = static_cast<std::uint64_t>(place.status.st_size);
    const std::uint64_t most = access.rules().max_diff_bytes;
    if (S_ISREG(place.status.st_mode) && size > most) {
        return denied("file_too_large", access.shown(place) + " has " + std::to_string(size) +
                                            " bytes; the policy's max_diff_bytes allows " +
                                            std::to_string(most) + " for mode diff");
    }
    auto file = access.open_file(place);
    if (!file) return file.failure();
    auto bytes = read_whole(file->get(), access.shown(place), access.rules().max_file_bytes);
    if (!bytes) return bytes.failure();
    const Encoding encoding = detect_encoding(std::string_view(*bytes).substr(0, head_bytes),
                                              bytes->size() <= head_bytes);
    if (encoding == Encoding::binary) return Content{*std::move(bytes), true};
    return Content{to_utf8(*bytes, encoding, nullptr), false};
}

Outcome<Difference> diff_files(const Access& access, const Place& a, const Place& b) {
    auto old = content_of(access, a);
    if (!old) return old.failure();
    auto now = content_of(access, b);
    if (!now) return now.failure();
    const std::string name_a = access.shown(a), name_b = access.shown(b);
    if (!old->binary && !now->binary) return diff_texts(old->text, name_a, now->text, name_b);
    Difference difference;
    if (old->text != now->text) {
        difference.files = 1;
        difference.text = "Binary files " + name_a + " and " + name_b + " differ\n";
    }
    return difference;
}

// The files below a folder, by their relative path.
Outcome<std::map<std::string, std::string>> files_below(const Access& access, const Place& folder,
                                                        const std::function<bool()>& cancelled) {
    std::map<std::string, std::string> files;
    Walk walk;
    walk.root = folder.root;
    walk.path = folder.path;
    walk.cancelled = cancelled;
    const std::size_t skip = folder.path.empty() ? 0 : folder.path.size() + 1;
    walk.visit = [&](const Found& found) {
        if (found.entry.kind == Kind::file) {
            files.emplace(found.path.substr(skip), access.absolute(folder.root, found.path));
        }
        return true;
    };
    if (!walk_tree(access, walk)) return was_cancelled();
    return files;
}

class FolderDiff {
public:
    FolderDiff(const Access& access, std::size_t max_text) : access_(access), most_(max_text) {}

    void only_in(const std::string& path, const std::string& folder) {
        ++all_.files;
        all_.text += "Only in " + folder + ": " + shown_name(path) + '\n';
    }
    std::optional<Refusal> compare(const std::string& a, const std::string& b) {
        auto one = access_.find(a);
        if (!one) return one.failure();
        auto other = access_.find(b);
        if (!other) return other.failure();
        auto difference = diff_files(access_, *one, *other);
        if (!difference) {
            // A file that cannot be read or is too large does not stop the comparison.
            all_.text += difference.failure().message + '\n';
            return std::nullopt;
        }
        all_.text += difference->text;
        all_.added += difference->added;
        all_.removed += difference->removed;
        all_.files += difference->files;
        return std::nullopt;
    }
    [[nodiscard]] bool full() {
        all_.truncated = all_.text.size() > most_;
        return all_.truncated;
    }
    Difference take() { return std::move(all_); }

private:
    const Access& access_;
    std::size_t most_;
    Difference all_;
};

Outcome<Difference> diff_folders(const Access& access, const Place& a, const Place& b,
                                 std::size_t max_text, const std::function<bool()>& cancelled) {
    auto old = files_below(access, a, cancelled);
    if (!old) return old.failure();
    auto now = files_below(access, b, cancelled);
    if (!now) return now.failure();
    FolderDiff diff(access, max_text);
    auto left = old->begin();
    auto right = now->begin();
    while ((left != old->end() || right != now->end()) && !diff.full()) {
        if (cancelled && cancelled()) return was_cancelled();
        const bool left_only =
            right == now->end() || (left != old->end() && left->first < right->first);
        const bool right_only =
            left == old->end() || (right != now->end() && right->first < left->first);
        if (left_only) {
            diff.only_in(left->first, access.shown(a));
        } else if (right_only) {
            diff.only_in(right->first, access.shown(b));
        } else if (auto refusal = diff.compare(left->second, right->second)) {
            return *refusal;
        }
        if (!right_only) ++left;
        if (!left_only) ++right;
    }
    return diff.take();
}

}  // namespace

Outcome<Difference> diff_texts(std::string_view a, const std::string& name_a, std::string_view b,
                               const std::string& name_b) {
    const GitLibrary library;
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.flags = GIT_DIFF_FORCE_TEXT;
    git_patch* raw = nullptr;
    if (git_patch_from_buffers(&raw, a.data(), a.size(), name_a.c_str(), b.data(), b.size(),
                               name_b.c_str(), &options) != 0) {
        return failed("cannot compare: " + GitLibrary::last_error());
    }
    const std::unique_ptr<git_patch, void (*)(git_patch*)> patch(raw, &git_patch_free);
    Difference difference;
    std::size_t added = 0, removed = 0;
    if (git_patch_line_stats(nullptr, &added, &removed, patch.get()) != 0) {
        return failed("cannot compare: " + GitLibrary::last_error());
    }
    if (added + removed == 0) return difference;
    git_buf text = GIT_BUF_INIT;
    if (git_patch_to_buf(&text, patch.get()) != 0) {
        return failed("cannot compare: " + GitLibrary::last_error());
    }
    difference.text.assign(text.ptr, text.size);
    git_buf_dispose(&text);
    // The header lines describe git blobs, which do not exist here.
    const auto names = difference.text.find("--- ");
    if (names != std::string::npos) difference.text.erase(0, names);
    difference.text = valid_utf8(difference.text);
    difference.added = added;
    difference.removed = removed;
    difference.files = 1;
    return difference;
}

Outcome<Difference> diff_paths(const Access& access, const std::string& a, const std::string& b,
                               std::size_t max_text, const std::function<bool()>& cancelled) {
    auto one = access.find(a);
    if (!one) return one.failure();
    auto other = access.find(b);
    if (!other) return other.failure();
    for (const Place* place : {&*one, &*other}) {
        if (!place->exists) return failed(access.shown(*place) + ": no such file");
    }
    const bool folder = S_ISDIR(one->status.st_mode);
    if (folder != S_ISDIR(other->status.st_mode)) {
        return bad_input("/comparison_path", "both paths must be files, or both folders");
    }
    auto difference = folder ? diff_folders(access, *one, *other, max_text, cancelled)
                             : diff_files(access, *one, *other);
    if (difference && difference->text.size() > max_text) {
        difference->text = first_bytes(difference->text, max_text);
        difference->truncated = true;
    }
    return difference;
}

}  // namespace file_operations
