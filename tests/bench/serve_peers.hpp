// The measured servers, each a separate process, and the client that measures them.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/call/histogram.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::bench {

// A child process with its stdin and stdout connected to this one; ended by the destructor.
class Peer {
public:
    // `cpu`: the core it may use; -1 for any.
    Peer(const std::vector<std::string>& command, int cpu);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] int in() const { return in_.get(); }    // written here
    [[nodiscard]] int out() const { return out_.get(); }  // read here
    // The next line of its stderr that contains `word`.
    [[nodiscard]] std::string await_line(std::string_view word);
    // CPU time so far, including its workers.
    [[nodiscard]] double cpu_seconds() const;

private:
    pid_t pid_ = 0;
    os::Descriptor in_, out_, err_;
};

struct Figures {
    double calls_per_second = 0, p50_us = 0, p99_us = 0;
};

// A connection to one server that sends a request and receives an answer.
class Line {
public:
    virtual ~Line() = default;
    virtual void send(std::string_view request) = 0;
    virtual std::string receive() = 0;  // the answer's JSON, or an incomplete part of it
    [[nodiscard]] virtual int descriptor() const = 0;
};

class StdioLine : public Line {
public:
    explicit StdioLine(const Peer& peer) : peer_(peer) {}
    void send(std::string_view request) override;
    std::string receive() override;
    [[nodiscard]] int descriptor() const override { return peer_.out(); }

private:
    const Peer& peer_;
    std::string buffer_;
};

class HttpLine : public Line {
public:
    // `headers`: lines that are sent with every request.
    HttpLine(std::uint16_t port, std::string headers);
    void send(std::string_view request) override;
    std::string receive() override;
    [[nodiscard]] int descriptor() const override { return socket_.get(); }
    // A header of the last answer; empty if missing.
    [[nodiscard]] std::string header(std::string_view name) const;

private:
    os::Descriptor socket_;
    std::string headers_, buffer_, head_;
};

// Makes `calls` calls with one at a time in flight on each line, or `window` on a single line.
// `rest` is a request without its id.
[[nodiscard]] Figures drive(const std::vector<Line*>& lines, int calls, int window,
                            const std::string& rest);

// Pins this process to one core, or to all of them (-1).
void pin(int cpu);

// The floors: they answer everything with the same bytes, and parse nothing.
[[nodiscard]] int run_floor_stdio();
// The same, but each request is passed to another process and back, like calls to a worker.
[[nodiscard]] int run_floor_isolated();
[[nodiscard]] int run_floor_http();

}  // namespace toolhost::bench
