#include "host/loading/loaded_library.hpp"

#include <boost/dll/shared_library.hpp>
#include <vector>

#include "host/base/mutex.hpp"
#include "host/loading/host_table.hpp"
#include "host/loading/loader_message.hpp"

namespace toolhost::loading {
namespace dll = boost::dll;
namespace {

// Never unloaded: unmapping a library with a live thread or a TLS destructor crashes.
dll::shared_library load(const std::string& path) {
    struct Kept {
        Mutex mutex;
        std::vector<dll::shared_library> libraries GUARDED_BY(mutex);
    };
    static auto* const kept = new Kept;
    dll::shared_library handle(path, dll::load_mode::rtld_now);
    MutexLock lock(kept->mutex);
    return kept->libraries.emplace_back(std::move(handle));
}

// Removes the folder of the private copy, which callers must not see.
std::string without_folder(std::string message, const std::string& path) {
    const auto folder = path.substr(0, path.rfind('/') + 1);
    if (folder.empty()) return message;
    for (std::size_t at = 0; (at = message.find(folder, at)) != std::string::npos;)
        message.erase(at, folder.size());
    return message;
}

}  // namespace

Result<void> LoadedLibrary::open(const std::string& path, const std::string& name) {
    try {
        const auto handle = load(path);
        invoke_ = handle.get<decltype(tool_invoke)>("tool_invoke");
        if (handle.has("tool_close")) close_ = handle.get<decltype(tool_close)>("tool_close");
        if (handle.has("tool_open")) {
            auto status = handle.get<decltype(tool_open)>("tool_open")(&host_table());
            if (status != TOOL_OK)
                return Error{ErrorCode::plugin_unavailable,
                             name + ": tool_open() returned " + std::to_string(status) +
                                 ", so the library cannot be used",
                             {{"status", status}}};
        }
    } catch (const std::exception& e) {  // contains dlerror()'s text
        return Error{ErrorCode::plugin_unavailable,
                     "cannot load " + name + ": " + without_folder(loader_message(e.what()), path),
                     {}};
    }
    return {};
}

Outcome LoadedLibrary::invoke(const Invocation& invocation, CallHost& host) const {
    tool_call call{&host, {}, {}};
    const tool_request request{sizeof(tool_request),
                               invocation.attempt,
                               as_tool_str(invocation.tool),
                               as_tool_str(invocation.use_id),
                               as_tool_str(invocation.input),
                               as_tool_str(invocation.policy),
                               as_tool_str(invocation.state),
                               os::milliseconds_left(host.deadline()),
                               as_tool_str(invocation.version),
                               as_tool_str(invocation.caller)};
    try {
        call.outcome.status = invoke_(&request, &host_table(), &call);
    } catch (...) {  // forbidden, but must not terminate the process
        call.outcome.status = TOOL_FAILED;
        call.outcome.failure = {"exception", "the tool threw an exception across the ABI"};
    }
    return std::move(call.outcome);
}

void LoadedLibrary::close() const {
    if (close_) close_();
}

}  // namespace toolhost::loading
