#include "host/cli/asking.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "host/base/json_text.hpp"
#include "host/base/mutex.hpp"
#include "host/call/consent_text.hpp"
#include "host/cli/ctrl_c.hpp"
#include "host/cli/question_form.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

constexpr std::size_t kLongestLine = 64u << 10;

// stdin may contain the tool's input, so the terminal is opened by name.
os::Descriptor open_terminal() {
    return os::Descriptor(::open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

// Several calls may ask at once; a human answers one at a time.
Mutex one_question;

std::optional<std::string> read_line(const CtrlC& ctrl_c) REQUIRES(one_question) {
    auto terminal = open_terminal();
    std::string line;
    pollfd watched[] = {{terminal.get(), POLLIN, 0}, {ctrl_c.descriptor(), POLLIN, 0}};
    while (terminal && line.size() < kLongestLine) {
        if (::poll(watched, 2, -1) < 0) {
            if (errno == EINTR) continue;
            break;
        }
        if (watched[1].revents != 0) break;
        char c = 0;
        const auto got = ::read(terminal.get(), &c, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got != 1) break;
        if (c == '\n') return line;
        line += c;
    }
    std::cerr << '\n';
    return std::nullopt;
}

std::string reason_text(const Json& reason) {
    return reason.is_string() ? reason.get<std::string>() : dump(reason, 2);
}

// One field, asked until the answer fits. Nothing: no answer.
std::optional<std::optional<Json>> ask_field(const FormField& field, const CtrlC& ctrl_c)
    REQUIRES(one_question) {
    if (const auto heading = field.heading(); heading != "\n") std::cerr << heading;
    for (;;) {
        std::cerr << field.prompt() << std::flush;
        auto line = read_line(ctrl_c);
        if (!line) return std::nullopt;
        auto answer = field.read(*line);
        if (answer.fault.empty()) return std::move(answer.value);
        std::cerr << "Invalid answer: " << printable(answer.fault) << '\n';
    }
}

std::optional<call::Answer> fill_in(const QuestionForm& form, const CtrlC& ctrl_c)
    REQUIRES(one_question) {
    for (;;) {
        Json answers = Json::object();
        for (const auto& field : form.fields) {
            auto value = ask_field(field, ctrl_c);
            if (!value) return std::nullopt;
            if (!form.whole) return call::Answer{TOOL_OK, value->value_or(Json())};
            if (*value) answers[field.name] = **std::move(value);
        }
        const auto fault = form.fault(answers);
        if (fault.empty()) return call::Answer{TOOL_OK, std::move(answers)};
        std::cerr << "Invalid answers: " << printable(fault) << "; please answer again\n";
    }
}

}  // namespace

bool can_ask() {
    return ::isatty(STDERR_FILENO) == 1 && open_terminal();
}

std::optional<call::Answer> ask(const call::Question& question, const CtrlC& ctrl_c) {
    MutexLock lock(one_question);
    const auto form = QuestionForm::of(question.name, question.reason);
    const bool has_message = form && !form->message.empty();
    std::cerr << '\n'
              << call::question_text(question.asked_by, question.name,
                                     has_message ? form->message : reason_text(question.reason))
              << '\n';
    if (form) return fill_in(*form, ctrl_c);
    std::cerr << "Answer (text or JSON): " << std::flush;
    auto line = read_line(ctrl_c);
    if (!line) return std::nullopt;
    auto value = parse_json(*line);
    return call::Answer{TOOL_OK, value ? *std::move(value) : Json(*line)};
}

std::optional<call::ConsentAnswer> ask_consent(const call::ConsentQuestion& question,
                                               const CtrlC& ctrl_c) {
    MutexLock lock(one_question);
    std::cerr << '\n' << question.text << '\n';
    for (;;) {
        std::cerr << "Allow this call? [y]es, [a]lways, [n]o: " << std::flush;
        auto line = read_line(ctrl_c);
        if (!line) return call::ConsentAnswer::no;
        if (*line == "y" || *line == "yes") return call::ConsentAnswer::once;
        if (*line == "a" || *line == "always") return call::ConsentAnswer::always;
        if (*line == "n" || *line == "no") return call::ConsentAnswer::no;
    }
}

}  // namespace toolhost::cli
