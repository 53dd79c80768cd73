#include <iostream>

#include "host/cli/list_command.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"

namespace toolhost::cli {
namespace {

struct Try {
    const char* tool;  // suggested only if it exists
    const char* command;
};
constexpr Try kTries[] = {
    {"calculator", "show calculator"},
    {"current_time", "call current_time timezone=Asia/Tokyo format=human"},
    {"", "new word_count"},
    {"", "doctor"},
};

void call_calculator(core::Host& host, const Options& options) {
    call::ToolUse use;
    use.reference = "calculator";
    use.input = {{"expression", "sqrt(8) + 1/3"}};
    auto result = host.invoker().call(std::move(use));
    std::cout << "\n$ " << suggested(options, "call calculator expression='sqrt(8) + 1/3'") << '\n';
    for (const auto& block : result.content)
        if (block.kind == call::ContentKind::text)
            std::cout << result_text(block.value.get<std::string>()) << '\n';
}

}  // namespace

Exit welcome(const Options& options) {
    auto opened = core::Host::open(host_options(options));
    if (!opened) return print_error(opened.error());
    core::Host& host = **opened;
    auto catalogue = host.catalogue();
    std::cout << styled(Style::bold, "toolhost") << ": drop a shared library into a folder, and "
              << "every agent has a new tool.\n\n";
    const auto view = host.invoker().view();
    auto callable = [&](const char* name) {
        auto tool = view->catalogue().resolve(name);
        return tool && view->allowlist().allows(**tool);
    };
    if (catalogue->tools().empty())
        print_folders(std::cout, host);
    else
        print_table(std::cout, host, {});
    if (callable("calculator")) call_calculator(host, options);
    std::cout << "\nTry next:\n";
    int shown = 0;
    for (const auto& [tool, command] : kTries)
        if (shown < 3 && (!*tool || callable(tool))) {
            std::cout << "  " << suggested(options, command) << '\n';
            ++shown;
        }
    return Exit::ok;
}

}  // namespace toolhost::cli
