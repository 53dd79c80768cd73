// `toolhost serve` as a client starts it: over stdin and stdout, or on a port.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/integration/harness.hpp"

namespace toolhost::test {

class ServeRun {
public:
    // `args` follow "serve".
    ServeRun(const Stage& stage, std::vector<std::string> args, const Options& options = {});
    ~ServeRun();  // ends it if it is still running
    ServeRun(const ServeRun&) = delete;
    ServeRun& operator=(const ServeRun&) = delete;

    [[nodiscard]] pid_t process() const { return process_; }
    // The port at which it serves HTTP.
    [[nodiscard]] std::uint16_t port();
    [[nodiscard]] bool await_stderr(std::string_view text);

    // Returns false if it no longer reads.
    bool write(std::string_view bytes) const;
    void send(const Json& message) const { write(message.dump() + '\n'); }
    void request(const Json& id, const std::string& method, Json params = Json::object()) const;
    void initialize(Json capabilities = Json::object(), const char* revision = "2025-11-25");
    void call(const Json& id, const std::string& tool, Json arguments = Json::object()) const;
    // The next line of stdout, which must be a message; null at the end.
    [[nodiscard]] Json next();
    // The next message that has this member, such as "method", or "id" with this value.
    [[nodiscard]] Json await(const char* member, const Json& value);
    [[nodiscard]] Json answer(const Json& id) { return await("id", id); }

    // Waits until its stdout is full.
    void await_full_stdout() const;
    void close_stdin();
    void close_stdout();
    void signal(int number) const;
    // Waits for the end. Returns 128 + signal if it was killed.
    [[nodiscard]] int exit_code();
    [[nodiscard]] std::string stderr_text();

    // Its memory in kB: now, and the maximum.
    [[nodiscard]] std::size_t resident_kb() const { return status_kb("VmRSS:"); }
    [[nodiscard]] std::size_t peak_kb() const { return status_kb("VmHWM:"); }

private:
    [[nodiscard]] std::size_t status_kb(std::string_view field) const;
    void read_stderr();

    int in_ = -1, out_ = -1, err_ = -1;
    pid_t process_ = -1;
    std::string read_;  // from stdout
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string said_;  // from stderr
    bool said_all_ = false;
    std::thread listener_;
};

}  // namespace toolhost::test
