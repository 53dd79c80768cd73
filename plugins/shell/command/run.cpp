#include "command/run.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <toolhost/process.hpp>
#include <toolhost/process_text.hpp>

#include "command/wildcards.hpp"

namespace shell {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Stop = std::function<bool()>;

constexpr int kTimedOut = 124;   // as in timeout(1)
constexpr int kCannotRun = 126;  // as in shells

struct Ready {
    std::vector<std::string> words;
    std::string file;  // empty for `cd`
};

Refused prepare(const Rules& rules, const fs::path& folder, const Command& command,
                const Stop& stop, Ready& out) {
    for (const auto& word : command.words) {
        if (word.pattern.empty()) {
            out.words.push_back(word.text);
        } else if (auto refused = expand(rules, folder, word, stop, out.words)) {
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

// The target of `cd`. It must always be inside, because later paths are checked relative to it.
Refused change_folder(const Rules& rules, const Pipeline& pipeline, const Ready& ready,
                      fs::path& folder) {
    if (pipeline.commands.size() > 1 || ready.words.size() > 2 ||
        !pipeline.commands[0].redirections.empty())
        return malformed("cd requires exactly one folder and must be a separate command");
    const auto target = ready.words.size() < 2 ? rules.workspace : resolved(folder, ready.words[1]);
    if (!is_within(rules.workspace, target))
        return Refusal{"path_not_allowed", "cd: '" + ready.words[1] + "' is outside the workspace"};
    folder = target;
    return {};
}

Refused prepare_all(const Rules& rules, const Pipeline& pipeline, const Stop& stop,
                    fs::path& folder, std::vector<Ready>& out) {
    for (const auto& command : pipeline.commands) {
        if (auto refused = prepare(rules, folder, command, stop, out.emplace_back()))
            return refused;
        if (out.back().file.empty()) return change_folder(rules, pipeline, out.back(), folder);
    }
    return {};
}

// A shell's own cd ends with the shell, so a separate cd command is done here and applies to the
// following commands.
bool is_plain_cd(const std::string& command) {
    CommandLine line;
    return !parse(command, line) && line.size() == 1 && line[0].commands.size() == 1 &&
           line[0].commands[0].words[0].text == "cd";
}

struct Opened {
    std::vector<toolhost::OwnedDescriptor> files;
    std::string problem;
};

// Regular files only, because a named pipe would block.
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

// The output and the time limit of one command across all its pipelines.
class Runner {
public:
    Runner(const Settings& settings, Job& job)
        : settings_(settings), job_(job), out_(settings.max_output), err_(settings.max_output) {}

    JobEnd run() {
        if (settings_.allow_shell && !is_plain_cd(job_.command)) {
            toolhost::Programs start;
            start.programs = {{{"/bin/sh", "-c", job_.command}}};
            end_.exit_code = run_programs(std::move(start));
        } else {
            CommandLine line;
            end_.refused = parse(job_.command, line);
            for (std::size_t i = 0; i < line.size() && may_continue(); ++i) run_pipeline(line[i]);
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
    [[nodiscard]] bool may_continue() const {
        return !end_.refused && !end_.timed_out && !end_.cancelled;
    }
    [[nodiscard]] std::chrono::milliseconds spent() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
    }

    // Searching for files takes time too.
    bool is_over() {
        end_.cancelled = end_.cancelled || (settings_.cancelled && settings_.cancelled());
        end_.timed_out = !end_.cancelled && (end_.timed_out || spent() >= job_.timeout);
        if (end_.timed_out) end_.exit_code = kTimedOut;
        return end_.cancelled || end_.timed_out;
    }

    void run_pipeline(const Pipeline& pipeline) {
        using When = Pipeline::When;
        if (pipeline.when == When::after_success && end_.exit_code != 0) return;
        if (pipeline.when == When::after_failure && end_.exit_code == 0) return;
        // Checked again, because an earlier program may have created links and folders.
        std::vector<Ready> ready;
        auto folder = job_.folder;
        end_.refused = prepare_all(
            settings_.rules, pipeline, [this] { return is_over(); }, folder, ready);
        if (is_over()) end_.refused.reset();  // it was stopped, not refused
        if (end_.refused || is_over()) return;
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
            opened.problem.empty() ? run_programs(std::move(start)) : fail_with(opened.problem, 1);
    }

    int enter(const fs::path& folder) {
        std::error_code fault;
        if (!fs::is_directory(folder, fault))
            return fail_with("cd: " + folder.string() + ": not a folder", 1);
        job_.folder = folder;
        return 0;
    }

    int fail_with(const std::string& problem, int code) {
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
        if (end.ending == toolhost::Ending::not_started) return fail_with(end.problem, kCannotRun);
        return end_.timed_out ? kTimedOut : end.code();
    }

    void take(int fd, std::string_view bytes) {
        (fd == 1 ? out_ : err_).append(bytes);
        stream(fd, text_[fd - 1].next(bytes));
    }

    // Limited to what the result can contain.
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
    if (settings.allow_shell && !is_plain_cd(command)) return {};
    CommandLine line;
    if (auto refused = parse(command, line)) return refused;
    for (const auto& pipeline : line) {
        std::vector<Ready> ready;
        if (auto refused = prepare_all(settings.rules, pipeline, settings.cancelled, folder, ready))
            return refused;
    }
    return {};
}

JobEnd run(const Settings& settings, Job& job) {
    return Runner(settings, job).run();
}

}  // namespace shell
