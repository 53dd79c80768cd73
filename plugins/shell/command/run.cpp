#include "command/run.hpp"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <toolhost/process.hpp>
#include <toolhost/process_text.hpp>

namespace shell {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostMatches = 4096;
constexpr int kTimedOut = 124;   // as timeout(1) says it
constexpr int kCannotRun = 126;  // as shells say it

std::string escaped(const std::string& path) {
    std::string out;
    for (char c : path) {
        if (std::string_view("*?[]\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// The files that a pattern means, as it is written; the pattern itself where there are none. Only
// within the workspace: what lies outside is nobody's business.
Refused expand(const Rules& rules, const fs::path& folder, const Word& word,
               std::vector<std::string>& out) {
    const bool absolute = word.pattern[0] == '/';
    const auto fixed = word.text.substr(0, word.text.find_first_of("*?["));
    if (auto refused = check_path(rules, folder, fixed)) return refused;
    if (word.text.find("..") != std::string::npos)
        return Refusal{"path_not_allowed", "'..' and wildcards do not go together: " + word.text};
    const auto prefix = absolute ? std::string() : escaped(folder.string()) + '/';
    glob_t found{};
    const int fault = ::glob((prefix + word.pattern).c_str(), 0, nullptr, &found);
    const auto skipped = absolute ? 0 : folder.string().size() + 1;
    for (std::size_t i = 0; fault == 0 && i < std::min(found.gl_pathc, kMostMatches); ++i)
        out.emplace_back(found.gl_pathv[i] + skipped);
    const bool many = fault == 0 && found.gl_pathc > kMostMatches;
    ::globfree(&found);
    if (many) return malformed(word.text + " matches too many files");
    if (fault != 0) out.push_back(word.text);
    return {};
}

struct Ready {
    std::vector<std::string> words;
    std::string file;  // empty: `cd`
};

Refused prepare(const Rules& rules, const fs::path& folder, const Command& command, Ready& out) {
    for (const auto& word : command.words) {
        if (word.pattern.empty()) {
            out.words.push_back(word.text);
        } else if (auto refused = expand(rules, folder, word, out.words)) {
            return refused;
        }
    }
    for (const auto& redirection : command.redirections)
        if (redirection.kind != Redirection::Kind::copy && redirection.file.text != "/dev/null")
            if (auto refused = check_path(rules, folder, redirection.file.text)) return refused;
    if (out.words[0] == "cd") return {};
    if (auto refused = find_allowed(rules, folder, out.words[0], out.file)) return refused;
    return check_words(rules, folder, out.words);
}

// Where `cd` leads. It always has to stay inside, since all that follows is looked at from there.
Refused change_folder(const Rules& rules, const Pipeline& pipeline, const Ready& ready,
                      fs::path& folder) {
    if (pipeline.commands.size() > 1 || ready.words.size() > 2 ||
        !pipeline.commands[0].redirections.empty())
        return malformed("cd takes one folder and stands alone");
    const auto target = ready.words.size() < 2 ? rules.workspace : resolved(folder, ready.words[1]);
    if (!is_within(rules.workspace, target))
        return Refusal{"path_not_allowed", "cd: '" + ready.words[1] + "' is outside the workspace"};
    folder = target;
    return {};
}

Refused prepare_all(const Rules& rules, const Pipeline& pipeline, fs::path& folder,
                    std::vector<Ready>& out) {
    for (const auto& command : pipeline.commands) {
        if (auto refused = prepare(rules, folder, command, out.emplace_back())) return refused;
        if (out.back().file.empty()) return change_folder(rules, pipeline, out.back(), folder);
    }
    return {};
}

struct Opened {
    std::vector<toolhost::OwnedDescriptor> files;
    std::string problem;
};

// Regular files only: a named pipe would wait for somebody.
void open_files(const fs::path& folder, const Command& command, toolhost::Program& program,
                Opened& opened) {
    using Kind = Redirection::Kind;
    for (const auto& one : command.redirections) {
        if (one.kind == Kind::copy) {
            program.redirects.push_back({one.fd, one.from});
            continue;
        }
        const int flags = one.kind == Kind::read     ? O_RDONLY
                          : one.kind == Kind::append ? O_WRONLY | O_CREAT | O_APPEND
                                                     : O_WRONLY | O_CREAT;
        const auto path = resolved(folder, one.file.text);
        auto file = toolhost::above_targets(toolhost::OwnedDescriptor(
            ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)));
        struct stat info {};
        const bool known = file && ::fstat(file.get(), &info) == 0;
        if (known && !S_ISREG(info.st_mode) && path != "/dev/null") errno = EINVAL;
        if (!known || (!S_ISREG(info.st_mode) && path != "/dev/null") ||
            (one.kind == Kind::write && S_ISREG(info.st_mode) && ::ftruncate(file.get(), 0) != 0)) {
            opened.problem = one.file.text + ": " + std::strerror(errno);
            return;
        }
        program.redirects.push_back({one.fd, file.get()});
        opened.files.push_back(std::move(file));
    }
}

// What one command prints and how long it may take, over all its pipelines.
class Runner {
public:
    Runner(const Settings& settings, Job& job)
        : settings_(settings), job_(job), out_(settings.max_output), err_(settings.max_output) {}

    JobEnd run() {
        if (settings_.allow_shell) {
            toolhost::Programs start;
            start.programs = {{{"/bin/sh", "-c", job_.command}}};
            end_.exit_code = run_programs(std::move(start));
        } else {
            CommandLine line;
            end_.refused = parse(job_.command, line);
            for (std::size_t i = 0; i < line.size() && goes_on(); ++i) run_pipeline(line[i]);
        }
        stream(1, text_[0].finish());
        stream(2, text_[1].finish());
        end_.output = out_.text();
        end_.error = err_.text();
        end_.cut = out_.is_cut() || err_.is_cut();
        end_.took = spent();
        return std::move(end_);
    }

private:
    [[nodiscard]] bool goes_on() const {
        return !end_.refused && !end_.timed_out && !end_.cancelled;
    }
    [[nodiscard]] std::chrono::milliseconds spent() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    }

    void run_pipeline(const Pipeline& pipeline) {
        using When = Pipeline::When;
        if (pipeline.when == When::after_success && end_.exit_code != 0) return;
        if (pipeline.when == When::after_failure && end_.exit_code == 0) return;
        // Looked at again: what ran before may have made links and folders.
        std::vector<Ready> ready;
        auto folder = job_.folder;
        end_.refused = prepare_all(settings_.rules, pipeline, folder, ready);
        if (end_.refused) return;
        if (ready[0].file.empty()) {
            end_.exit_code = enter(folder);
            return;
        }
        toolhost::Programs start;
        Opened opened;
        for (std::size_t i = 0; i < ready.size(); ++i) {
            auto& program = start.programs.emplace_back();
            program.arguments = std::move(ready[i].words);
            program.file = ready[i].file;
            open_files(job_.folder, pipeline.commands[i], program, opened);
        }
        end_.exit_code =
            opened.problem.empty() ? run_programs(std::move(start)) : complain(opened.problem, 1);
    }

    int enter(const fs::path& folder) {
        std::error_code fault;
        if (!fs::is_directory(folder, fault))
            return complain("cd: " + folder.string() + ": not a folder", 1);
        job_.folder = folder;
        return 0;
    }

    int complain(const std::string& problem, int code) {
        take(2, problem + '\n');
        return code;
    }

    int run_programs(toolhost::Programs start) {
        start.folder = job_.folder.string();
        start.environment = settings_.environment;
        start.timeout = std::max(std::chrono::milliseconds(1), job_.timeout - spent());
        start.cancelled = settings_.cancelled;
        start.output = [this](int fd, std::string_view bytes) { take(fd, bytes); };
        const auto end = toolhost::run_programs(start);
        end_.whole_tree = end_.whole_tree && end.whole_tree;
        end_.timed_out = end.ending == toolhost::Ending::timed_out;
        end_.cancelled = end.ending == toolhost::Ending::cancelled;
        if (end.ending == toolhost::Ending::not_started) return complain(end.problem, kCannotRun);
        return end_.timed_out ? kTimedOut : end.code();
    }

    void take(int fd, std::string_view bytes) {
        (fd == 1 ? out_ : err_).append(bytes);
        stream(fd, text_[fd - 1].next(bytes));
    }

    // No more than the result will hold.
    void stream(int fd, const std::string& text) {
        if (text.empty() || !settings_.output || streamed_ > settings_.max_output) return;
        streamed_ += text.size();
        settings_.output(fd, text);
    }

    const Settings& settings_;
    Job& job_;
    toolhost::BoundedText out_, err_;
    toolhost::Utf8Pieces text_[2];
    std::size_t streamed_ = 0;
    Clock::time_point begin_ = Clock::now();
    JobEnd end_;
};

}  // namespace

Refused check(const Settings& settings, const std::string& command, fs::path& folder) {
    if (settings.allow_shell) return {};
    CommandLine line;
    if (auto refused = parse(command, line)) return refused;
    for (const auto& pipeline : line) {
        std::vector<Ready> ready;
        if (auto refused = prepare_all(settings.rules, pipeline, folder, ready)) return refused;
    }
    return {};
}

JobEnd run(const Settings& settings, Job& job) {
    return Runner(settings, job).run();
}

}  // namespace shell
