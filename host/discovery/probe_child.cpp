#include "host/discovery/probe_child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/dll/library_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <boost/filesystem/path.hpp>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <string_view>

#include "host/base/error.hpp"
#include "host/base/json_text.hpp"
#include "host/discovery/binary_format.hpp"
#include "host/discovery/run_path.hpp"
#include "host/loading/library_files.hpp"
#include "host/loading/loader_message.hpp"
#include "host/os/child_process.hpp"
#include "host/os/content_hash.hpp"
#include "host/os/descriptor.hpp"
#include "host/os/instrumented.hpp"
#include "host/sandbox/sandbox.hpp"
#include "toolhost/plugin.h"

#ifdef TOOLHOST_COVERAGE
extern "C" void __gcov_dump(void);
#endif

namespace toolhost::discovery {
namespace dll = boost::dll;
namespace fs = boost::filesystem;
namespace {

// A high descriptor, as libraries may close or write low ones at load time.
int result_fd = -1;

[[noreturn]] void leave(int code) {
#ifdef TOOLHOST_COVERAGE
    __gcov_dump();
#endif
    ::_exit(code);
}

void report(const Json& line) {
    if (!os::write_all(result_fd, dump(line) + "\n")) leave(1);
}

[[noreturn]] void refuse(Reason reason, const std::string& message) {
    report({{"refused", {{"reason", info(reason).code}, {"message", message}}}});
    leave(0);
}

void limit(int resource, rlim_t value) {
    rlimit limits{value, value};
    if (::setrlimit(static_cast<__rlimit_resource>(resource), &limits) != 0)
        refuse(Reason::probe_failed, "setrlimit: " + os::system_message(errno));
}

void apply_limits(int deadline_ms) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
    limit(RLIMIT_CPU, static_cast<rlim_t>(deadline_ms / 1000 + 2));
    // Sanitizers reserve terabytes of address space; coverage writes files.
    if (os::kSanitized || os::kCoverageFolder) return;
    limit(RLIMIT_AS, rlim_t{2} << 30);
    limit(RLIMIT_FSIZE, 0);
    ::signal(SIGXFSZ, SIG_IGN);
}

void check_symbols(const std::string& path) {
    std::vector<std::string> symbols;
    try {
        symbols = dll::library_info(path).symbols();
    } catch (const std::exception& e) {
        refuse(Reason::damaged, std::string("symbols cannot be read: ") + e.what());
    }
    for (const char* wanted : {"tool_spec", "tool_invoke"})
        if (std::find(symbols.begin(), symbols.end(), wanted) == symbols.end())
            refuse(Reason::symbol_missing, std::string("it does not export ") + wanted + "()");
}

// The dynamic loader reports its reasons only as text.
Reason load_reason(std::string_view message) {
    if (message.find("undefined symbol") != std::string_view::npos)
        return Reason::unresolved_symbol;
    if (message.find("cannot open shared object file") != std::string_view::npos)
        return Reason::dependency_missing;
    return Reason::load_failed;
}

// Finds a missing dependency in the library's run path. It may exist: the sandbox hides the content
// of files, not their names. Returns an empty string if not found.
std::string find_by_run_path(const std::string& path, const std::string& message) {
    const auto file = os::open_regular(path);
    if (!file) return "";
    const auto name = message.substr(0, message.find(':'));
    for (const auto& folder : run_path(file.get())) {
        const auto wanted = folder + '/' + name;
        if (folder.starts_with('/') && ::access(wanted.c_str(), F_OK) == 0) return wanted;
    }
    return "";
}

const dll::shared_library& load(const std::string& path) {
    try {
        return *new dll::shared_library(path, dll::load_mode::rtld_now);  // never unmapped
    } catch (const std::exception& e) {
        const auto message = loading::loader_message(e.what());
        const auto reason = load_reason(message);
        if (reason == Reason::dependency_missing)
            if (const auto file = find_by_run_path(path, message); !file.empty())
                refuse(Reason::dependency_outside,
                       "it needs " + file + ", which is found only through its run path");
        refuse(reason, message);
    }
}

// Rereads the open /proc/self/maps, whose path is no longer accessible.
std::set<std::string> mapped_files(int maps) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const auto got = ::pread(maps, buffer, sizeof buffer, static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        text.append(buffer, static_cast<std::size_t>(got));
    }
    std::set<std::string> files;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = std::min(text.find('\n', start), text.size());
        const auto at = text.find('/', start);
        if (at < end) files.insert(text.substr(at, end - at));
        start = end + 1;
    }
    return files;
}

// The strictest sandbox, as far as the kernel supports it: reads only the library, the files beside
// it and the system's libraries; no writing, no processes, no network.
void restrict_process(const std::string& path) {
    sandbox::Confinement confinement;
    confinement.sandbox = sandbox::Enforcement::best_effort;
    // The library may be a link to another folder.
    sandbox::SandboxNeeds needs{{path, fs::path(path).parent_path().string()}, "", 0};
    // Folders that the user has given to the loader.
    const char* search_path = std::getenv("LD_LIBRARY_PATH");
    for (std::string_view left = search_path ? search_path : ""; !left.empty();) {
        const auto end = std::min(left.find_first_of(":;"), left.size());
        if (end > 0) needs.load.emplace_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    if (auto entered = sandbox::enter_sandbox(confinement, needs); !entered)
        refuse(Reason::probe_failed, entered.error().message);
}

// A call loads a private copy of a single library, without the files beside it. `before` is what
// was mapped before it, because the host itself may be below the plugin's folder.
void check_self_contained(const std::string& path, int maps, const std::set<std::string>& before) {
    const fs::path self(path), folder = self.parent_path();
    for (const auto& file : mapped_files(maps)) {
        const fs::path mapped(file);
        if (before.contains(file) || mapped == self) continue;
        if (mapped.lexically_relative(folder).string().starts_with("..")) continue;
        refuse(Reason::dependency_missing,
               "it needs " + file + ", which is found only because it is in the same folder");
    }
}

// Every ABI major has struct_size and abi_major at the same place as major 1. Nothing else is
// assumed.
Json describe(const tool_spec_info* info) {
    if (!info) refuse(Reason::spec_null, "tool_spec() returned NULL");
    if (info->abi_major != TOOL_ABI_MAJOR)
        refuse(Reason::abi_mismatch, "it was built for ABI " + std::to_string(info->abi_major) +
                                         "." + std::to_string(info->abi_minor) +
                                         ", this host supports " + std::to_string(TOOL_ABI_MAJOR) +
                                         "." + std::to_string(TOOL_ABI_MINOR));
    if (info->struct_size < sizeof(tool_spec_info))
        refuse(Reason::abi_mismatch, "its tool_spec_info has " + std::to_string(info->struct_size) +
                                         " bytes, ABI 1.0 has " +
                                         std::to_string(sizeof(tool_spec_info)));
    if (info->json.size > kMaxSpecBytes)
        refuse(Reason::spec_too_large, "the spec has " + std::to_string(info->json.size) +
                                           " bytes, " + std::to_string(kMaxSpecBytes) +
                                           " are allowed");
    if (!info->json.data) refuse(Reason::spec_not_json, "the spec text is NULL");
    // Copied before any check, so that an invalid pointer crashes in the spec's stage.
    std::string text(info->json.data, info->json.size);
    if (auto at = find_invalid_utf8(text); at != std::string::npos)
        refuse(Reason::spec_not_utf8, "byte " + std::to_string(at) + " of the spec is not UTF-8");
    return {{"flags", info->flags}, {"abiMinor", info->abi_minor}, {"spec", std::move(text)}};
}

}  // namespace

void probe_child(const std::string& path, bool own_folder, int deadline_ms) {
    result_fd = ::fcntl(os::kResultDescriptor, F_DUPFD_CLOEXEC, 200);
    if (result_fd < 0 || ::close(os::kResultDescriptor) != 0) leave(1);
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) leave(1);
    ::alarm(static_cast<unsigned>(deadline_ms / 1000 + 2));  // in case the host dies before
    // A sanitizer's handler would turn a crash into an exit, which is another reason.
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::signal(signal, SIG_DFL);
    apply_limits(deadline_ms);
    const os::Descriptor maps(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
    restrict_process(path);

    report({{"stage", "read"}});
    auto file = os::open_regular(path);
    if (!file) refuse(Reason::unreadable, os::system_message(errno));
    // Reported first: with the hash, a refusal can be cached too.
    std::string sha256 = os::hash_file(file.get());
    if (sha256.empty()) refuse(Reason::unreadable, os::system_message(errno));
    auto identity = loading::library_identity(path, own_folder);
    if (!identity) refuse(Reason::unreadable, identity.error().message);
    report({{"sha256", sha256}, {"identity", *identity}});
    if (auto fault = check_format(file.get())) refuse(fault->reason, fault->message);
    check_symbols(path);

    report({{"stage", "load"}});
    const auto before = mapped_files(maps.get());
    const auto& library = load(path);
    if (!own_folder) check_self_contained(path, maps.get(), before);

    report({{"stage", "spec"}});
    report({{"plugin", describe(library.get<decltype(tool_spec)>("tool_spec")())}});
    leave(0);
}

}  // namespace toolhost::discovery
