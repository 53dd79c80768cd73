// A client without a socket: its input and output are strings.
#pragma once

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "host/serve/http/connection.hpp"

namespace toolhost::test {

struct FakeLine {
    std::string in{};                               // sent by the client, not read yet
    bool ended = false;                             // the client sends no more
    bool reads = true;                              // false: written data is not accepted
    bool closed = false, sending_finished = false;  // by the server
    std::string out{};
};

// Single-threaded: `announce_change` announces a change of the line. It accepts half of the written
// data at a time, so that all ways of sending are used.
class FakeWire : public serve::Wire {
public:
    FakeWire(boost::asio::io_context& io, std::shared_ptr<FakeLine> line)
        : io_(io), line_(std::move(line)) {}

    void open(serve::WireUserPtr user) override {
        post([user = std::move(user)] { user->on_opened({}); });
    }
    void read(boost::asio::mutable_buffer into, serve::WireUserPtr user) override {
        into_ = into;
        reading_ = std::move(user);
        announce_change();
    }
    std::size_t write_now(boost::asio::const_buffer bytes) override {
        return line_->reads && !line_->closed ? take({bytes.data(), bytes.size() / 2}) : 0;
    }
    void write(boost::asio::const_buffer bytes, serve::WireUserPtr user) override {
        bytes_ = bytes;
        writing_ = std::move(user);
        announce_change();
    }
    void finish_sending(serve::WireUserPtr) override { line_->sending_finished = true; }
    void close(serve::WireUserPtr) override {
        line_->closed = true;
        announce_change();
    }
    void post(std::function<void()> work) override { boost::asio::post(io_, std::move(work)); }

    void announce_change() {
        if (reading_ && (!line_->in.empty() || line_->ended || line_->closed)) {
            const auto bytes = line_->closed ? 0 : std::min(into_.size(), line_->in.size());
            std::memcpy(into_.data(), line_->in.data(), bytes);
            line_->in.erase(0, bytes);
            tell(std::exchange(reading_, nullptr), &serve::WireUser::on_read, bytes > 0, bytes);
        }
        if (writing_ && (line_->reads || line_->closed)) {
            const auto bytes = line_->closed ? 0 : take({bytes_.data(), (bytes_.size() + 1) / 2});
            tell(std::exchange(writing_, nullptr), &serve::WireUser::on_written, !line_->closed,
                 bytes);
        }
    }

private:
    std::size_t take(boost::asio::const_buffer bytes) {
        line_->out.append(static_cast<const char*>(bytes.data()), bytes.size());
        return bytes.size();
    }
    void tell(serve::WireUserPtr user,
              void (serve::WireUser::*what)(boost::system::error_code, std::size_t), bool well,
              std::size_t bytes) {
        boost::system::error_code fault;
        if (!well) fault = boost::asio::error::eof;
        post([user = std::move(user), what, fault, bytes] { (*user.*what)(fault, bytes); });
    }

    boost::asio::io_context& io_;
    const std::shared_ptr<FakeLine> line_;
    boost::asio::mutable_buffer into_;
    boost::asio::const_buffer bytes_;
    serve::WireUserPtr reading_, writing_;
};

// A connection over a fake wire, with a clock that tests control.
class FakeClient {
public:
    using Take = serve::HttpConnection::Take;
    // `held`: memory of all clients together; null for a single client. `heads`: `take` also gets
    // the heads of requests whose body has not arrived; otherwise every body is read.
    FakeClient(boost::asio::io_context& io, const serve::HttpLimits& limits, Take take,
               std::atomic<std::size_t>* held = nullptr, bool heads = false)
        : io_(io), line_(std::make_shared<FakeLine>()) {
        auto wire = std::make_unique<FakeWire>(io, line_);
        wire_ = wire.get();
        const auto judged = [take = std::move(take), heads](const serve::ConnectionPtr& asked) {
            heads || asked->is_whole() ? take(asked) : asked->read_body();
        };
        connection_ = std::make_shared<serve::HttpConnection>(
            std::move(wire), limits, held ? *held : own_, judged, [](serve::HttpConnection&) {});
        connection_->start();
        settle();
    }
    ~FakeClient() {
        connection_->close();
        settle();
    }
    FakeClient(const FakeClient&) = delete;
    FakeClient& operator=(const FakeClient&) = delete;

    void send(std::string_view bytes) {
        line_->in += bytes;
        settle();
    }
    void leave() {
        line_->ended = true;
        settle();
    }
    void read_nothing(bool nothing) {
        line_->reads = !nothing;
        settle();
    }
    void wait(std::chrono::milliseconds time) {
        now_ += time;
        connection_->tick(now_);
        settle();
    }
    // Output since the last call.
    [[nodiscard]] std::string got() { return std::exchange(line_->out, {}); }
    [[nodiscard]] bool closed() const { return line_->closed; }
    [[nodiscard]] const serve::ConnectionPtr& connection() const { return connection_; }
    void settle() {
        do wire_->announce_change();
        while (io_.restart(), io_.poll() > 0);
    }

private:
    boost::asio::io_context& io_;
    const std::shared_ptr<FakeLine> line_;
    FakeWire* wire_;
    std::atomic<std::size_t> own_{0};
    serve::ConnectionPtr connection_;
    std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now();
};

}  // namespace toolhost::test
