#include <boost/filesystem/operations.hpp>
#include <iostream>
#include <memory>

#include "host/base/json_text.hpp"
#include "host/cli/open_host.hpp"
#include "host/cli/result_stream.hpp"
#include "host/cli/terminal.hpp"
#include "host/worker/quarantine.hpp"

namespace toolhost::cli {
namespace {

using worker::Quarantined;

void print_lifted(const Options& options, const std::vector<Quarantined>& lifted,
                  const std::string& none) {
    if (options.json) {
        Json out = Json::array();
        for (const auto& entry : lifted)
            out.push_back({{"path", entry.path},
                           {"since", entry.since},
                           {"crashes", entry.crashes},
                           {"reason", entry.reason}});
        print_json({{"lifted", out}});
        return;
    }
    if (lifted.empty()) std::cout << printable(none) << '\n';
    for (const auto& entry : lifted)
        std::cout << printable(entry.path) << " is no longer quarantined. It was quarantined since "
                  << printable(entry.since) << ", after " << entry.crashes
                  << (entry.crashes == 1 ? " crash: " : " crashes: ") << one_line(entry.reason, 200)
                  << '\n';
}

Exit retry_path(const Options& options, const worker::Quarantine& quarantine,
                const std::string& path) {
    auto lifted = quarantine.lift(path);
    boost::system::error_code ignored;
    if (!lifted && !boost::filesystem::exists(path, ignored)) {
        std::cerr << "toolhost: " << printable(path) << ": no such library\n";
        return Exit::trouble;
    }
    print_lifted(options, lifted ? std::vector{*lifted} : std::vector<Quarantined>{},
                 path + " is not quarantined; its crash count is reset.");
    return Exit::ok;
}

Exit retry_all(const Options& options, const worker::Quarantine& quarantine) {
    std::vector<Quarantined> lifted;
    for (const auto& entry : quarantine.all())
        if (quarantine.lift(entry.path)) lifted.push_back(entry);
    print_lifted(options, lifted, "No library is quarantined.");
    return Exit::ok;
}

bool is_path(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".so");
}

}  // namespace

Action setup_retry(CLI::App& app, const Options& options) {
    auto name = std::make_shared<std::string>();
    auto all = std::make_shared<bool>(false);
    app.add_option("NAME", *name, "A tool or the path of a library")->type_name("TOOL");
    app.add_flag("--all", *all, "Lift the quarantine of every library");
    return [=, &options] {
        if (name->empty() != *all) {
            std::cerr << "toolhost: missing argument: retry needs a tool, the path of a library, "
                         "or --all\n";
            return Exit::usage;
        }
        const worker::Quarantine quarantine(discovery::find_folders({}).quarantine());
        if (*all) return retry_all(options, quarantine);
        if (is_path(*name)) return retry_path(options, quarantine, *name);
        auto opened = core::Host::open(lenient_host_options(options));
        if (!opened) return print_error(opened.error());
        core::Host& host = **opened;
        const auto catalogue = host.catalogue();
        auto tool = catalogue->resolve(*name);
        if (!tool) return print_error(tool.error());
        return retry_path(options, quarantine, (*tool)->library->path);
    };
}

}  // namespace toolhost::cli
