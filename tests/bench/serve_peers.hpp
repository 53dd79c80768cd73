// Servers that are measured, each a process of its own, and the one client that measures them all.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "host/call/histogram.hpp"
#include "host/os/descriptor.hpp"

namespace toolhost::bench {

// A child with its stdin and stdout in our hands; ended when this goes.
class Peer {
public:
    // `cpu`: the one it may run on; -1: any.
    Peer(const std::vector<std::string>& command, int cpu);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    [[nodiscard]] pid_t pid() const { return pid_; }
    [[nodiscard]] int in() const { return in_.get(); }    // we write
    [[nodiscard]] int out() const { return out_.get(); }  // we read
    // The next line of its stderr that has `word`.
    [[nodiscard]] std::string await_line(std::string_view word);
    // Processor time so far, of its workers too.
    [[nodiscard]] double cpu_seconds() const;

private:
    pid_t pid_ = 0;
    os::Descriptor in_, out_, err_;
};

struct Figures {
    double calls_per_second = 0, p50_us = 0, p99_us = 0;
};

// A way to one server: a request goes, an answer comes.
class Line {
public:
    virtual ~Line() = default;
    virtual void send(std::string_view request) = 0;
    virtual std::string receive() = 0;  // the answer's JSON, or what there is of it
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
    // `headers`: lines that go with every request.
    HttpLine(std::uint16_t port, std::string headers);
    void send(std::string_view request) override;
    std::string receive() override;
    [[nodiscard]] int descriptor() const override { return socket_.get(); }
    // The header of the last answer; empty: it had none.
    [[nodiscard]] std::string header(std::string_view name) const;

private:
    os::Descriptor socket_;
    std::string headers_, buffer_, head_;
};

// So many calls with one in flight at a time on each line, or, on a single line, `window`. `rest`
// is a request behind its id.
[[nodiscard]] Figures drive(const std::vector<Line*>& lines, int calls, int window,
                            const std::string& rest);

// This process on one core, or on all of them again (-1).
void pin(int cpu);

// The floors: they answer whatever comes with the same bytes, and parse nothing.
[[nodiscard]] int run_floor_stdio();
// The same, but each request goes to another process and back, as calls go to a worker.
[[nodiscard]] int run_floor_isolated();
[[nodiscard]] int run_floor_http();

}  // namespace toolhost::bench
