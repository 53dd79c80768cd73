#include "host/runtime/in_process.hpp"

#include <spdlog/spdlog.h>

#include <boost/dll/shared_library.hpp>

#include "host/runtime/host_table.hpp"

namespace toolhost::runtime {
namespace dll = boost::dll;

class InProcess::Plugin {
public:
    // Loads the copy at `path` and opens it.
    static Result<std::shared_ptr<Plugin>> load(const std::string& path,
                                                const registry::Library& library) {
        try {
            dll::shared_library handle(path, dll::load_mode::rtld_now);
            keep_mapped(handle);
            return open(std::shared_ptr<Plugin>(new Plugin(handle, library)), library);
        } catch (const std::exception& e) {  // carries dlerror()'s text
            return Error{
                ErrorCode::plugin_unavailable,
                "cannot load " + library.path + ": " + e.what() + "; `toolhost doctor` says more",
                {}};
        }
    }

    ~Plugin() {
        if (opened_ && close_) close_();
    }

    Outcome invoke(const Invocation& invocation, CallHost& host) {
        std::unique_lock turn(serial_, std::defer_lock);
        if (!concurrent_) turn.lock();
        tool_call call{&host, {}, {}};
        tool_request request{sizeof(tool_request),          invocation.attempt,
                             as_tool_str(invocation.tool),  as_tool_str(invocation.use_id),
                             as_tool_str(invocation.input), as_tool_str(invocation.policy),
                             as_tool_str(invocation.state), invocation.budget_ms};
        try {
            call.outcome.status = invoke_(&request, &host_table(), &call);
        } catch (...) {  // forbidden, and still better as an error than as the host's end
            call.outcome.status = TOOL_FAILED;
            call.outcome.failure = {"exception", "the tool threw an exception across the ABI"};
        }
        return std::move(call.outcome);
    }

private:
    // Unmapping a library with a live thread or a TLS destructor crashes, so it never happens.
    static void keep_mapped(const dll::shared_library& handle) {
        static std::mutex mutex;
        static auto* const kept = new std::vector<dll::shared_library>;
        std::lock_guard lock(mutex);
        kept->push_back(handle);
    }

    Plugin(dll::shared_library& handle, const registry::Library& library)
        : invoke_(handle.get<decltype(tool_invoke)>("tool_invoke")),
          concurrent_((library.flags & TOOL_CONCURRENT) != 0) {
        if (handle.has("tool_open")) open_ = handle.get<decltype(tool_open)>("tool_open");
        if (handle.has("tool_close")) close_ = handle.get<decltype(tool_close)>("tool_close");
    }

    static Result<std::shared_ptr<Plugin>> open(std::shared_ptr<Plugin> plugin,
                                                const registry::Library& library) {
        tool_status status = plugin->open_ ? plugin->open_(&host_table()) : TOOL_OK;
        if (status != TOOL_OK)
            return Error{ErrorCode::plugin_unavailable,
                         library.path + ": tool_open() answered " + std::to_string(status) +
                             ", so the library cannot be used",
                         {{"status", status}}};
        plugin->opened_ = true;
        return plugin;
    }

    decltype(&tool_invoke) invoke_;
    decltype(&tool_open) open_ = nullptr;
    decltype(&tool_close) close_ = nullptr;
    bool concurrent_ = false;
    bool opened_ = false;
    // A tool may call another one of its own library through the host, on the same thread.
    std::recursive_mutex serial_;
};

InProcess::InProcess(std::string copies) : copies_(std::move(copies)) {}
InProcess::~InProcess() = default;

std::size_t InProcess::loaded() {
    std::lock_guard lock(mutex_);
    return plugins_.size();
}

Result<std::shared_ptr<InProcess::Plugin>> InProcess::plugin(const registry::Library& library) {
    std::lock_guard lock(mutex_);
    const std::string key = library.path + '\n' + library.sha256;
    if (auto it = plugins_.find(key); it != plugins_.end()) return it->second;
    auto path = copies_.of(library);
    if (!path) return path.error();
    auto loaded = Plugin::load(*path, library);
    if (!loaded) return loaded.error();
    spdlog::debug("loaded {} from {}", library.path, *path);
    return plugins_.emplace(key, *std::move(loaded)).first->second;
}

Result<Outcome> InProcess::invoke(const registry::Library& library, const Invocation& invocation,
                                  CallHost& host) {
    auto loaded = plugin(library);
    if (!loaded) return loaded.error();
    return (*loaded)->invoke(invocation, host);
}

}  // namespace toolhost::runtime
