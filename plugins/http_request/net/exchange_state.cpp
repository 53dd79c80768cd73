#include "net/exchange_state.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <charconv>

#include "net/hosts.hpp"

namespace http_tool {
namespace {

// More than any server sends; libcurl limits a single line.
constexpr std::size_t kMaxHeadBytes = 256u << 10;
// The body of a redirect is read up to this size to keep the connection; beyond that a new one is
// cheaper.
constexpr std::size_t kMaxPassing = 64u << 10;
constexpr std::size_t kFirstReserve = 1u << 20;
constexpr auto kProgressEvery = std::chrono::milliseconds(100);

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// A denied address is denied by every name that resolves to it.
bool allows(ExchangeState& state, const Address& address) {
    const std::string has = "host '" + state.result.response.url.host + "' has the address " +
                            text_of(address) + ", which is ";
    if (matches_address(state.rules.denied_hosts, address))
        state.result.refusal = Refusal{"host_not_allowed", has + "in denied_hosts"};
    else if (!state.rules.addresses.allows(address))
        state.result.refusal =
            Refusal{"address_not_allowed",
                    has + special_kind(address) + "; allow it with the policy's private_addresses"};
    else
        return true;
    return false;
}

// All sockets are created here: no packet is sent to a refused address, whatever name servers
// answered when the host was checked.
curl_socket_t open_socket(void* user, curlsocktype, curl_sockaddr* to) {
    auto& state = *static_cast<ExchangeState*>(user);
    try {
        const auto address = address_of(&to->addr);
        if (!address || !allows(state, *address)) return CURL_SOCKET_BAD;
    } catch (...) {
        return CURL_SOCKET_BAD;
    }
    const int made = ::socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
    state.result.no_socket = made < 0;  // forbidden, or too many: a retry would fail too
    return made;
}

// Called for every request, including those on an existing connection.
int before_request(void* user, char* remote, char*, int, int) {
    auto& state = *static_cast<ExchangeState*>(user);
    try {
        const auto address = parse_address(remote);
        if (address && allows(state, *address)) {
            state.result.refusal.reset();  // another address of the host was refused, not this one
            state.result.response.address = text_of(*address);
            return CURL_PREREQFUNC_OK;
        }
        if (!address)
            state.result.refusal = Refusal{
                "address_not_allowed", std::string("the address ") + remote + " cannot be read"};
    } catch (...) {
    }
    return CURL_PREREQFUNC_ABORT;
}

// "HTTP/1.1 200 OK"
Head read_status_line(std::string_view line) {
    Head head;
    line = trimmed(line.substr(5));
    const auto space = std::min(line.find(' '), line.size());
    head.version = line.substr(0, space);
    line = trimmed(line.substr(space));
    const auto end = std::from_chars(line.data(), line.data() + line.size(), head.status);
    head.reason = trimmed(line.substr(static_cast<std::size_t>(end.ptr - line.data())));
    return head;
}

void add_header_line(Head& head, std::string_view line) {
    // A continuation line starts with a space or tab.
    if ((line.front() == ' ' || line.front() == '\t') && !head.headers.empty()) {
        head.headers.back().second += " " + std::string(trimmed(line));
        return;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return;
    std::string name(trimmed(line.substr(0, colon)));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    head.headers.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* user) {
    auto& state = *static_cast<ExchangeState*>(user);
    const std::string_view line(data, size);
    state.head_bytes += size;
    if (state.head_bytes > kMaxHeadBytes || size == 0) return 0;
    try {
        // Interim responses (100) and the first response of digest authentication have heads of
        // their own.
        if (line.substr(0, 5) == "HTTP/")
            state.result.response.head = read_status_line(line);
        else
            add_header_line(state.result.response.head, line);
        return size;
    } catch (...) {
        return 0;
    }
}

std::uint64_t announced_bytes(const Head& head) {
    const std::string text = header(head.headers, "content-length");
    std::uint64_t bytes = 0;
    std::from_chars(text.data(), text.data() + text.size(), bytes);
    return bytes;
}

bool fits(ExchangeState& state, std::size_t more) {
    auto& response = state.result.response;
    const auto allowed = state.rules.max_body_bytes;
    const auto announced = announced_bytes(response.head);
    if (response.body.size() + more <= allowed && announced <= allowed) return true;
    state.result.refusal = Refusal{
        "body_too_large", "the response has " +
                              (announced > allowed ? std::to_string(announced)
                                                   : "more than " + std::to_string(allowed)) +
                              " bytes; max_body_bytes allows " + std::to_string(allowed) +
                              ". Request a part of it (a Range header, a page, a filter)"};
    return false;
}

void tell_progress(ExchangeState& state) {
    const auto now = Clock::now();
    if (!state.observer.progress || now - state.last_progress < kProgressEvery) return;
    state.last_progress = now;
    const auto& response = state.result.response;
    // The declared size is that before decompression.
    const bool packed = !header(response.head.headers, "content-encoding").empty();
    state.observer.progress(response.body.size(), packed ? 0 : announced_bytes(response.head));
}

std::size_t take_body(char* data, std::size_t, std::size_t size, void* user) {
    auto& state = *static_cast<ExchangeState*>(user);
    auto& response = state.result.response;
    try {
        if (!state.use) state.use = state.judge(response.head);
        if (*state.use == Use::passing) {
            state.enough = (state.passed_bytes += size) > kMaxPassing;
            return state.enough ? 0 : size;
        }
        if (!fits(state, size)) return 0;
        if (response.body.empty())
            response.body.reserve(
                std::min<std::size_t>(announced_bytes(response.head), kFirstReserve));
        response.body.append(data, size);
        tell_progress(state);
        if (!state.observer.part || *state.use != Use::answer) return size;
        if (state.observer.part(response.head, {data, size})) return size;
        state.result.cancelled = true;
    } catch (...) {
    }
    return 0;
}

}  // namespace

void set_callbacks(CURL* easy, ExchangeState& state) {
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, state.error);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &state);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, &state);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &state);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &state);
}

}  // namespace http_tool
