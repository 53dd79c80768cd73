#include "interpreter/run.hpp"

#include <stdlib.h>

#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <toolhost/process.hpp>
#include <toolhost/process_text.hpp>

#include "interpreter/driver.hpp"
#include "interpreter/report.hpp"

namespace python_exec {
namespace {

namespace fs = std::filesystem;

// A temporary folder for this run.
class RunFolder {
public:
    explicit RunFolder(const fs::path& scratch) : path_((scratch / "run-XXXXXX").string()) {
        if (!::mkdtemp(path_.data())) path_.clear();
    }
    ~RunFolder() {
        std::error_code ignored;  // unreadable files are removed with the worker's folder
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

// Detects whether another run overlapped with the lifetime of this object.
class Overlap {
public:
    Overlap() {
        const std::lock_guard lock(runs().mutex);
        others_ = runs().running++ > 0;
        began_ = ++runs().begun;
    }
    ~Overlap() {
        const std::lock_guard lock(runs().mutex);
        --runs().running;
    }
    Overlap(const Overlap&) = delete;
    Overlap& operator=(const Overlap&) = delete;

    [[nodiscard]] bool seen() const {
        const std::lock_guard lock(runs().mutex);
        return others_ || runs().begun != began_;
    }

private:
    struct Runs {
        std::mutex mutex;
        int running = 0;
        std::uint64_t begun = 0;
    };
    static Runs& runs() {
        static Runs all;
        return all;
    }

    bool others_ = false;
    std::uint64_t began_ = 0;
};

std::string request(const Code& code, const Bounds& bounds) {
    const auto number = [](const char* name, std::size_t value) {
        return std::string(",\"") + name + "\":" + std::to_string(value);
    };
    return std::string("{\"keep\":") + (code.keep ? "true" : "false") +
           number("code", code.code.size()) + number("input", code.input.size()) +
           number("state", code.state.size()) + number("value", bounds.output) +
           number("most", bounds.state_bytes) + number("figures", bounds.images) +
           number("memory", bounds.memory_bytes) + "}\n" + code.code + code.input + code.state;
}

std::vector<std::string> environment_of(const Place& place, const std::string& temporary) {
    auto out = place.environment;
    // matplotlib takes seconds to build its font list, so it is kept for the next run.
    out.insert(out.end(), {"TMPDIR=" + temporary, "HOME=" + temporary, "MPLBACKEND=Agg",
                           "MPLCONFIGDIR=" + (place.scratch / "matplotlib").string()});
    return out;
}

// Describes an end without a report.
std::string end_without_report(int code) {
    if (code < 128) return "the interpreter ended with exit code " + std::to_string(code);
    const int signal = code - 128;
    return "the interpreter was killed by signal " + std::to_string(signal) + " (" +
           ::strsignal(signal) + ")";
}

std::set<std::string> written_by(const std::string& report) {
    std::set<std::string> names;
    if (!is_shallow(report, kDeepestReport)) return names;
    const auto json = nlohmann::json::parse(report, nullptr, false);
    if (!json.is_object() || !json.contains("wrote") || !json.at("wrote").is_array()) return names;
    for (const auto& name : json.at("wrote"))
        if (name.is_string()) names.insert(name.get<std::string>());
    return names;
}

// Adds images of the working folder and of the temporary folder.
void add_images(const fs::path& folder, const fs::path& temporary, Wanted wanted, CodeEnd& end) {
    end.images = new_images(folder, wanted, end.notes);
    auto more = new_images(temporary,
                           {.before = {},
                            .own = {},
                            .most = wanted.most - end.images.size(),
                            .most_bytes = wanted.most_bytes},
                           end.notes);
    for (auto& image : more) end.images.push_back(std::move(image));
}

class Collected {
public:
    Collected(const Bounds& bounds, const Watcher& watcher)
        : out_(bounds.output),
          err_(bounds.output),
          most_streamed_(bounds.output),
          most_report_(bounds.state_bytes + 8 * bounds.output + (std::size_t{1} << 20)),
          watcher_(watcher) {}

    void take(int fd, std::string_view bytes) {
        if (fd == kReport) {
            if (report_.size() < most_report_) report_ += bytes;
            return;
        }
        (fd == 1 ? out_ : err_).append(bytes);
        const auto text = (fd == 1 ? out_pieces_ : err_pieces_).next(bytes);
        if (text.empty() || !watcher_.output || streamed_ > most_streamed_) return;
        streamed_ += text.size();
        watcher_.output(text);
    }

    // Returns false if the report is incomplete.
    bool finish(CodeEnd& end) {
        end.out = out_.text();
        end.err = err_.text();
        const auto line = report_.find('\n');
        if (line == std::string::npos) return false;
        end.report = report_.substr(0, line);
        end.state = report_.substr(line + 1);
        return true;
    }

private:
    toolhost::BoundedText out_, err_;
    toolhost::Utf8Pieces out_pieces_, err_pieces_;
    std::string report_;
    std::size_t streamed_ = 0, most_streamed_, most_report_;
    const Watcher& watcher_;
};

}  // namespace

CodeEnd run(const Code& code, const Bounds& bounds, const Place& place, const Watcher& watcher) {
    CodeEnd end;
    const RunFolder temporary(place.scratch);
    if (temporary.path().empty()) {
        end.problem = std::string("cannot create a temporary folder: ") + std::strerror(errno);
        return end;
    }
    const Overlap overlap;
    Wanted wanted{pictures_in(place.folder), {}, bounds.images, bounds.image_bytes};
    Collected collected(bounds, watcher);
    toolhost::Programs start;
    // -I: variables and folders of the caller do not affect imports; -u: unbuffered output.
    start.programs = {{{place.python, "-I", "-B", "-u", "-X", "utf8", "-c",
                        std::string(kKeeping) + kKeepingTyping + kDriver}}};
    start.folder = place.folder.string();
    start.environment = environment_of(place, temporary.path());
    start.input = request(code, bounds);
    start.outputs = {1, 2, kReport};
    start.timeout = bounds.timeout;
    start.cancelled = watcher.cancelled;
    start.output = [&](int fd, std::string_view bytes) { collected.take(fd, bytes); };
    const auto ended = toolhost::run_programs(start);

    const bool reported = collected.finish(end);
    end.problem = ended.problem;
    end.whole_tree = ended.whole_tree;
    switch (ended.ending) {
        case toolhost::Ending::not_started:
            return end;
        case toolhost::Ending::timed_out:
            end.outcome = Outcome::timed_out;
            return end;
        case toolhost::Ending::cancelled:
            end.outcome = Outcome::cancelled;
            return end;
        case toolhost::Ending::finished:
            break;
    }
    end.outcome = reported ? Outcome::finished : Outcome::died;
    if (!reported) end.problem = end_without_report(ended.code());
    if (overlap.seen()) wanted.own = written_by(end.report);
    add_images(place.folder, temporary.path(), std::move(wanted), end);
    return end;
}

}  // namespace python_exec
