// An HTTP client that sends exact bytes, singly if required, and reads answers without validating
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace toolhost::test {

struct HttpAnswer {
    int status = 0;                                // 0: the server closed the connection
    std::map<std::string, std::string> headers{};  // names in lower case
    std::string body{};

    [[nodiscard]] std::string header(const std::string& name) const {
        const auto it = headers.find(name);
        return it == headers.end() ? "" : it->second;
    }
};

// One event of a text/event-stream.
struct StreamEvent {
    std::string id{}, data{};
};

// Every wait ends after 30 s with an exception, so that no test hangs.
class RawClient {
public:
    explicit RawClient(std::uint16_t port);
    RawClient(RawClient&& other) noexcept;
    RawClient& operator=(RawClient&&) = delete;
    ~RawClient();

    // Returns false if the server has closed or reset the connection, or accepts nothing for this
    // time.
    bool send(std::string_view bytes, int timeout_ms = 30'000);
    void finish_sending() const;
    void close();
    // Closes abruptly: the server sees a reset.
    void reset();

    // Whether anything arrives within this time.
    [[nodiscard]] bool receives_within(int milliseconds) const;
    [[nodiscard]] HttpAnswer read();  // a complete answer, chunked or not
    [[nodiscard]] HttpAnswer read_head();
    // After the head of a stream; nothing if it has ended.
    [[nodiscard]] std::optional<StreamEvent> next_event();
    // Whether the server closes its end, whatever else it sends.
    [[nodiscard]] bool ends();
    // The next answer has no body, as for HEAD.
    void expect_no_body() { no_body_ = true; }
    // Smaller than any response, so that the server notices sooner that the client does not read.
    void shrink_receive_buffer() const;

private:
    [[nodiscard]] bool fill();
    [[nodiscard]] std::optional<std::string> line();
    [[nodiscard]] std::optional<std::string> chunk();

    int socket_ = -1;
    std::string buffer_, events_;
    bool no_body_ = false;
};

// The text of a request. `headers`: complete lines in addition to Host and Content-Length.
[[nodiscard]] std::string http_request(std::string_view method, std::string_view path,
                                       std::string_view headers = {}, std::string_view body = {});
// A message to /mcp as clients send it. `more`: further header lines.
[[nodiscard]] std::string mcp_post(std::string_view body, std::string_view more = {});
// A call of the fixture `adder` without a session; `token` may be empty.
[[nodiscard]] std::string adder_post(const std::string& token);

}  // namespace toolhost::test
