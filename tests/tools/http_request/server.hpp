// A real HTTP or HTTPS server on loopback that does what a test requires, including misbehaviour:
// output is written byte by byte.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace toolhost::test {

struct ReceivedRequest {
    std::string method, target;
    std::string head;  // complete
    std::string body;

    // Empty if it is missing.
    [[nodiscard]] std::string header(std::string_view name) const;
};

// One connection, as the handler uses it.
class Wire {
public:
    virtual ~Wire() = default;
    virtual void send(std::string_view bytes) = 0;
    // Sends head and body, with the length; `headers` are lines that end with \r\n.
    void answer(int status, std::string_view headers, std::string_view body);
    // Waits until the other side disconnects, or the server stops.
    virtual void await_gone() = 0;
    // Reads no further request.
    void close() { closed_ = true; }
    [[nodiscard]] bool closed() const { return closed_; }

private:
    bool closed_ = false;
};

// A key and a self-signed certificate for a name such as "IP:127.0.0.1".
struct Identity {
    std::string key, certificate;  // PEM
    [[nodiscard]] static Identity make(const std::string& subject_alternative);
};

class Server {
public:
    using Handler = std::function<void(const ReceivedRequest&, Wire&)>;

    explicit Server(Handler handler, const Identity* identity = nullptr,
                    const char* address = "127.0.0.1", int port = 0);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string url(std::string_view path = "/") const;
    [[nodiscard]] std::vector<ReceivedRequest> asked() const;
    // Accepted so far, those without a request included.
    [[nodiscard]] int connections() const { return connections_; }

private:
    struct Tls;
    void accept_all();
    void serve(int socket);

    const Handler handler_;
    const std::string address_;
    std::unique_ptr<Tls> tls_;
    int listener_ = -1, port_ = 0;
    std::atomic<bool> stopping_{false};
    std::atomic<int> connections_{0};
    mutable std::mutex mutex_;
    std::vector<ReceivedRequest> asked_;
    std::vector<int> sockets_;
    std::list<std::thread> threads_;
    std::thread acceptor_;
};

}  // namespace toolhost::test
