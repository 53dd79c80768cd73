#include "search/search.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <system_error>
#include <thread>

#include "access/folder.hpp"
#include "search/file_hits.hpp"
#include "search/hit_store.hpp"
#include "search/ignore.hpp"
#include "text/encoding.hpp"
#include "text/file_text.hpp"
#include "text/names.hpp"

namespace file_operations {
namespace {

constexpr unsigned max_threads = 4;  // the bottleneck is listing files, not reading them
constexpr std::size_t files_a_task = 64;
constexpr std::size_t max_search_notes = 20;
constexpr std::size_t max_ignore_file_bytes = 1u << 20;
constexpr auto between_looks = std::chrono::milliseconds(20);

// A folder to list, or files of an open folder.
struct Task {
    std::string path;
    IgnoreRules::Shared rules;
    std::shared_ptr<Descriptor> folder;
    std::vector<std::string> files;
};

class Search {
public:
    explicit Search(const SearchQuestion& question)
        : question_(question),
          store_(question.mode, question.max_results),
          limits_{question.mode, question.context_lines, question.max_results + 1} {}

    Outcome<SearchAnswer> run();

private:
    void work();
    void list(const Task& task);
    void search_files(const Task& task, Matcher& matcher, std::string& buffer);
    void search_file(int folder, const std::string& name, const std::string& path, Matcher& matcher,
                     std::string& buffer);
    void search_content(std::string_view content, const std::string& path, Matcher& matcher);
    void push(std::vector<Task> tasks);
    void note(std::string text);
    void watch();
    [[nodiscard]] bool wanted(std::string_view path, bool is_folder) const;
    [[nodiscard]] IgnoreRules::Shared rules_of(IgnoreRules::Shared above, const std::string& path,
                                               int folder) const;
    [[nodiscard]] IgnoreRules::Shared rules_above() const;

    const SearchQuestion& question_;
    HitStore store_;
    HitLimits limits_;
    std::mutex mutex_;
    // The watcher has its own: woken by every task, it would slow the threads down.
    std::condition_variable changed_, finished_;
    std::vector<Task> tasks_;  // last in, first out: depth first keeps few folders open
    std::size_t unfinished_ = 0;
    std::vector<std::string> notes_;
    std::size_t notes_left_out_ = 0;
    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> searched_{0}, binary_{0}, large_{0};
};

std::string read_small_file(int folder, const char* name) {
    const Descriptor file(::openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (!file) return "";
    return read_at(file.get(), 0, max_ignore_file_bytes).value_or("");
}

void Search::note(std::string text) {
    const std::lock_guard lock(mutex_);
    if (notes_.size() < max_search_notes) {
        notes_.push_back(std::move(text));
    } else {
        ++notes_left_out_;
    }
}

void Search::push(std::vector<Task> tasks) {
    if (tasks.empty()) return;
    const std::lock_guard lock(mutex_);
    unfinished_ += tasks.size();
    tasks_.insert(tasks_.end(), std::make_move_iterator(tasks.rbegin()),
                  std::make_move_iterator(tasks.rend()));
    changed_.notify_all();
}

IgnoreRules::Shared Search::rules_of(IgnoreRules::Shared above, const std::string& path,
                                     int folder) const {
    if (!question_.honour_ignore_files) return above;
    std::string lines;
    for (const char* name : {".git/info/exclude", ".gitignore", ".ignore"}) {
        lines += read_small_file(folder, name) + '\n';  // the highest precedence is last
    }
    return IgnoreRules::below(std::move(above), path, parse_ignore_file(lines));
}

// The rules of the folders between the root and the start of the search.
IgnoreRules::Shared Search::rules_above() const {
    IgnoreRules::Shared rules;
    std::string path;
    for (const std::string& name : split_path(question_.path)) {
        if (auto folder = question_.access.open_folder(question_.root, path)) {
            rules = rules_of(std::move(rules), path, folder->get());
        }
        path = join_path(path, name);
    }
    return rules;
}

bool Search::wanted(std::string_view path, bool is_folder) const {
    // Globs are relative to the start of the search.
    path.remove_prefix(
        std::min(question_.path.empty() ? 0 : question_.path.size() + 1, path.size()));
    if (any_matches(question_.exclude, path)) return false;
    return is_folder || question_.include.empty() || any_matches(question_.include, path);
}

void Search::list(const Task& task) {
    if (store_.is_beyond(task.path)) return;
    auto opened = question_.access.open_folder(question_.root, task.path);
    if (!opened) return note(opened.failure().message);
    auto folder = std::make_shared<Descriptor>(*std::move(opened));
    const Listing listing = list_folder(folder->get());
    if (listing.error != 0) {
        note(question_.access.shown(question_.root, task.path) + ": " +
             std::strerror(listing.error));
    }
    IgnoreRules::Shared rules = task.rules;
    const bool has_rules =
        std::any_of(listing.entries.begin(), listing.entries.end(), [](const Entry& entry) {
            return entry.name == ".gitignore" || entry.name == ".ignore" || entry.name == ".git";
        });
    if (has_rules) rules = rules_of(rules, task.path, folder->get());

    std::vector<Task> files, folders;
    for (const Entry& entry : listing.entries) {
        const bool is_folder = entry.kind == Kind::folder;
        if (!is_folder && entry.kind != Kind::file) continue;
        if (entry.name[0] == '.' && !question_.hidden) continue;
        std::string path = join_path(task.path, entry.name);
        if (!question_.access.allows_name(path, entry.name, is_folder)) continue;
        if (question_.honour_ignore_files &&
            (entry.name == ".git" || IgnoreRules::ignores(rules, path, is_folder))) {
            continue;
        }
        if (!wanted(path, is_folder)) continue;
        if (is_folder) {
            folders.push_back({std::move(path), rules, nullptr, {}});
        } else {
            if (files.empty() || files.back().files.size() == files_a_task) {
                files.push_back({task.path, nullptr, folder, {}});
            }
            files.back().files.push_back(entry.name);
        }
    }
    files.insert(files.end(), std::make_move_iterator(folders.begin()),
                 std::make_move_iterator(folders.end()));
    push(std::move(files));
}

void Search::search_content(std::string_view content, const std::string& path, Matcher& matcher) {
    std::string converted;
    const std::string_view head = content.substr(0, head_bytes);
    const Encoding encoding = detect_encoding(head, head.size() < head_bytes);
    if (encoding == Encoding::binary) {
        ++binary_;
        return;
    }
    if (encoding == Encoding::utf8_bom) content.remove_prefix(bom_size(encoding));
    if (encoding != Encoding::utf8 && encoding != Encoding::utf8_bom) {
        converted = to_utf8(content, encoding, nullptr);
        content = converted;
    }
    FileHits hits;
    hits.path = path;
    const Scan scan = find_hits(content, question_.pattern, matcher, limits_, stop_, hits);
    if (scan == Scan::too_costly) {
        note(question_.access.shown(question_.root, path) +
             ": lines that are too long, or take too many steps with this pattern, were skipped");
    }
    if (hits.count > 0 && scan != Scan::stopped) store_.add(std::move(hits));
}

void Search::search_file(int folder, const std::string& name, const std::string& path,
                         Matcher& matcher, std::string& buffer) {
    const Descriptor file(
        ::openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
    if (!file) {
        const int error = errno;
        return note(question_.access.shown(question_.root, path) + ": " + std::strerror(error));
    }
    const std::uint64_t most = question_.access.rules().max_file_bytes;
    std::size_t filled = 0;
    for (;;) {
        if (filled == buffer.size()) {
            struct stat status {};
            if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
            const auto size = static_cast<std::uint64_t>(status.st_size);
            if (size > most || filled > most) {
                ++large_;
                return;
            }
            buffer.resize(std::max(static_cast<std::size_t>(size) + 1, filled * 2));
        }
        const ssize_t got = ::read(file.get(), buffer.data() + filled, buffer.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const int error = errno;
            return note(question_.access.shown(question_.root, path) + ": " + std::strerror(error));
        }
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    if (filled > most) {
        ++large_;
        return;
    }
    ++searched_;
    search_content(std::string_view(buffer).substr(0, filled), path, matcher);
}

void Search::search_files(const Task& task, Matcher& matcher, std::string& buffer) {
    for (const std::string& name : task.files) {
        if (stop_) return;
        const std::string path = join_path(task.path, name);
        if (store_.is_beyond(path)) return;  // names are sorted
        search_file(task.folder->get(), name, path, matcher, buffer);
    }
}

void Search::work() {
    constexpr std::size_t usual_file_bytes = 64u << 10, most_kept_bytes = 4u << 20;
    Matcher matcher(question_.pattern);
    std::string buffer(usual_file_bytes, '\0');
    std::unique_lock lock(mutex_);
    while (!stop_) {
        changed_.wait(lock, [this] { return stop_ || !tasks_.empty() || unfinished_ == 0; });
        if (stop_ || tasks_.empty()) break;
        Task task = std::move(tasks_.back());
        tasks_.pop_back();
        lock.unlock();
        if (task.folder) {
            search_files(task, matcher, buffer);
        } else {
            list(task);
        }
        if (buffer.size() > most_kept_bytes) std::string(usual_file_bytes, '\0').swap(buffer);
        task = {};
        lock.lock();
        if (--unfinished_ > 0) continue;
        changed_.notify_all();
        finished_.notify_all();
    }
}

// Until the others are done, reports progress and passes on cancellation.
void Search::watch() {
    std::uint64_t reported = 0;
    auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, between_looks, [this] { return unfinished_ == 0; })) {
        lock.unlock();
        if (question_.cancelled && question_.cancelled()) {
            lock.lock();
            stop_ = true;
            changed_.notify_all();
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        if (question_.progress && now >= next && searched_ != reported) {
            reported = searched_;
            next = now + std::chrono::milliseconds(200);
            question_.progress(reported);
        }
        lock.lock();
    }
}

Outcome<SearchAnswer> Search::run() {
    if (question_.cancelled && question_.cancelled()) return was_cancelled();
    if (question_.is_folder) {
        push({{question_.path, rules_above(), nullptr, {}}});
    } else {
        const auto slash = question_.path.rfind('/');
        const std::string above = slash == std::string::npos ? "" : question_.path.substr(0, slash);
        auto folder = question_.access.open_folder(question_.root, above);
        if (!folder) return folder.failure();
        push({{above,
               nullptr,
               std::make_shared<Descriptor>(*std::move(folder)),
               {std::string(last_name(question_.path))}}});
    }
    const unsigned wanted = std::clamp(std::thread::hardware_concurrency(), 1u, max_threads);
    std::vector<std::thread> threads;
    try {
        while (threads.size() < wanted) threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        if (threads.empty()) work();  // the profile's limit on processes allows no other thread
    }
    watch();
    for (std::thread& thread : threads) thread.join();
    if (stop_) return was_cancelled();
    SearchAnswer answer;
    store_.take(answer);
    answer.files_searched = searched_;
    answer.binary_files = binary_;
    answer.large_files = large_;
    std::sort(notes_.begin(), notes_.end());
    answer.notes = std::move(notes_);
    if (notes_left_out_ > 0) {
        answer.notes.push_back("and " + std::to_string(notes_left_out_) + " more such notes");
    }
    return answer;
}

}  // namespace

Outcome<SearchAnswer> search_tree(const SearchQuestion& question) {
    return Search(question).run();
}

}  // namespace file_operations
