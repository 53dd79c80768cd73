#include <boost/filesystem.hpp>
#include <cerrno>
#include <iostream>
#include <memory>

#include "host/cli/open_host.hpp"
#include "host/cli/templates.hpp"
#include "host/os/descriptor.hpp"
#include "host/registry/reference.hpp"

namespace toolhost::cli {
namespace fs = boost::filesystem;
namespace {

struct Arguments {
    std::string name;
    std::string language = "cpp";
    std::string folder = ".";
};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
}

// @NAME@ is the tool's name; @IDENT@ the same as an identifier of the language.
std::string filled(std::string_view text, const std::string& name) {
    std::string out(text);
    replace_all(out, "@IDENT@", registry::canonical_name(name));
    replace_all(out, "@NAME@", name);
    return out;
}

Exit fail(const std::string& message, Exit exit) {
    std::cerr << "toolhost: " << message << '\n';
    return exit;
}

Exit write_project(const Arguments& arguments) {
    const auto& name = arguments.name;
    if (!registry::is_valid_name(name) || name[0] == '-')
        return fail("'" + name +
                        "' is not a valid tool name: use 1 to 64 letters, digits, _ or -, not "
                        "starting with -",
                    Exit::usage);
    const fs::path project = fs::path(arguments.folder) / name;
    boost::system::error_code fault;
    fs::create_directories(arguments.folder, fault);
    // The last folder is created separately: it must be new, so that no file is overwritten.
    if (!fault && !fs::create_directory(project, fault) && !fault)
        return fail(project.string() + " already exists; choose another name or --dir",
                    Exit::trouble);
    if (fault)
        return fail("cannot create " + project.string() + ": " + fault.message(), Exit::trouble);
    for (const auto& file : template_files()) {
        if (!file.name.starts_with(arguments.language + '/')) continue;
        const auto below = file.name.substr(arguments.language.size() + 1);
        const fs::path path = project / filled(below, name);
        fs::create_directories(path.parent_path(), fault);
        const auto out = os::open_output(path.string(), os::Output::replace, 0666);
        if (!out || !os::write_all(out.get(), filled(file.content, name)))
            return fail("cannot write " + path.string() + ": " + os::system_message(errno),
                        Exit::trouble);
    }
    std::cout << "Created " << project.string()
              << ". See its README.md for how to build and call it.\n";
    return Exit::ok;
}

}  // namespace

Action setup_new(CLI::App& app, const Options&) {
    auto arguments = std::make_shared<Arguments>();
    app.add_option("NAME", arguments->name, "The name of the tool and of the new folder")
        ->required();
    app.add_option("--lang", arguments->language, "The language of the plugin")
        ->type_name("LANGUAGE")
        ->check(CLI::IsMember({"cpp", "c", "rust"}))
        ->capture_default_str();
    app.add_option("--dir", arguments->folder, "Create the folder in DIR")
        ->type_name("DIR")
        ->capture_default_str();
    return [=] { return write_project(*arguments); };
}

}  // namespace toolhost::cli
