#include "net/exchange.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <mutex>
#include <new>

#include "net/exchange_state.hpp"

namespace http_tool {
namespace {

constexpr int kCancelPollMs = 20;
constexpr auto kConnectWithin = std::chrono::milliseconds(15000);

class List {
public:
    ~List() { curl_slist_free_all(list_); }
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    void add(const std::string& text) {
        curl_slist* longer = curl_slist_append(list_, text.c_str());
        if (!longer) throw std::bad_alloc();
        list_ = longer;
    }
    [[nodiscard]] curl_slist* get() const { return list_; }

private:
    curl_slist* list_ = nullptr;
};

void start_curl_once() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

std::chrono::milliseconds time_left(const Request& request) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::duration_cast<milliseconds>(request.deadline - Clock::now());
    return std::max(left, milliseconds(1));  // 0 would mean no limit
}

// Only HTTP, and nothing from the environment: no proxy, no .netrc, no automatic redirects.
void set_bounds(CURL* easy, const Request& request) {
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_NETRC, long{CURL_NETRC_IGNORED});
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // do not wait for a slow name resolution
    const auto left = time_left(request);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(left.count()));
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     static_cast<long>(std::min(left, kConnectWithin).count()));
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "toolhost-http_request/1.0");
}

void set_tls(CURL* easy, const Request& request, const Rules& rules) {
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, request.verify_tls ? 1L : 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, request.verify_tls ? 2L : 0L);
    if (!rules.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, rules.ca_file.c_str());
}

void set_method(CURL* easy, const Request& request) {
    const bool usually_has_body =
        request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
    if (request.method == "HEAD") {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else if (request.body || usually_has_body) {
        const std::string_view body = request.body ? std::string_view(*request.body) : "";
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.data());
    } else {
        curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

void set_headers(CURL* easy, const Request& request, List& lines) {
    for (const auto& [name, value] : request.headers)
        lines.add(value.empty() ? name + ";" : name + ": " + value);
    // Suppresses headers that libcurl would add and the caller did not set.
    if (header(request.headers, "content-type").empty()) lines.add("Content-Type:");
    lines.add("Expect:");
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, lines.get());
}

void set_credentials(CURL* easy, const Credentials& credentials) {
    using Kind = Credentials::Kind;
    if (credentials.kind == Kind::none) return;
    curl_easy_setopt(easy, CURLOPT_USERNAME, credentials.user.c_str());
    curl_easy_setopt(easy, CURLOPT_PASSWORD, credentials.password.c_str());
    if (credentials.kind == Kind::basic)
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
    else if (credentials.kind == Kind::digest)
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_DIGEST));
    else
        curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, credentials.aws_scope.c_str());
}

void set_resolved(CURL* easy, const Request& request, const FetchObserver& observer, List& names) {
    if (!observer.resolve) return;
    std::string entry = request.url.host + ':' + std::to_string(request.url.port) + ':';
    bool first = true;
    for (const auto& address : observer.resolve(request.url)) {
        entry += (first ? "" : ",") + address;
        first = false;
    }
    names.add(entry);
    curl_easy_setopt(easy, CURLOPT_RESOLVE, names.get());
}

double seconds_of(CURL* easy, CURLINFO which) {
    curl_off_t microseconds = 0;
    curl_easy_getinfo(easy, which, &microseconds);
    return static_cast<double>(microseconds) / 1e6;
}

void read_facts(CURL* easy, Exchanged& result) {
    auto& response = result.response;
    response.timings = {
        seconds_of(easy, CURLINFO_NAMELOOKUP_TIME_T), seconds_of(easy, CURLINFO_CONNECT_TIME_T),
        seconds_of(easy, CURLINFO_APPCONNECT_TIME_T),
        seconds_of(easy, CURLINFO_STARTTRANSFER_TIME_T), seconds_of(easy, CURLINFO_TOTAL_TIME_T)};
    curl_off_t sent = 0, received = 0, wait = 0;
    curl_easy_getinfo(easy, CURLINFO_SIZE_UPLOAD_T, &sent);
    curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
    response.sent = static_cast<std::uint64_t>(sent);
    response.received = static_cast<std::uint64_t>(received);
    if (!header(response.head.headers, "retry-after").empty() &&
        curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK)
        result.retry_after = std::chrono::seconds(wait);
    long request_bytes = 0;
    curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &request_bytes);
    result.nothing_sent = request_bytes == 0;
}

}  // namespace

Exchanges::Exchanges(const Rules& rules, const FetchObserver& observer)
    : rules_(rules), observer_(observer) {
    start_curl_once();
    easy_ = curl_easy_init();
    multi_ = curl_multi_init();
    if (easy_ && multi_) return;
    curl_easy_cleanup(easy_);
    curl_multi_cleanup(multi_);
    throw std::bad_alloc();
}

Exchanges::~Exchanges() {
    curl_easy_cleanup(easy_);
    curl_multi_cleanup(multi_);
}

Exchanged Exchanges::run(const Request& request, const Judge& judge) {
    Exchanged result;
    result.response.url = request.url;
    ExchangeState state{.rules = rules_, .observer = observer_, .judge = judge, .result = result};
    List headers, names;
    curl_easy_reset(easy_);  // keeps connections and cookies
    curl_easy_setopt(easy_, CURLOPT_URL, request.url.text.c_str());
    // An empty line enables cookies. COOKIEFILE would too, but leaks its list's memory on reset.
    curl_easy_setopt(easy_, CURLOPT_COOKIELIST, "");
    if (!cookies_given_)
        for (const auto& line : request.cookies)
            curl_easy_setopt(easy_, CURLOPT_COOKIELIST, line.c_str());
    cookies_given_ = true;
    set_bounds(easy_, request);
    set_tls(easy_, request, rules_);
    set_method(easy_, request);
    set_headers(easy_, request, headers);
    set_credentials(easy_, request.credentials);
    set_resolved(easy_, request, observer_, names);
    set_callbacks(easy_, state);
    drive(result);
    if (state.enough && result.code == CURLE_WRITE_ERROR) result.code = CURLE_OK;
    read_facts(easy_, result);
    result.error = state.error[0] ? state.error : curl_easy_strerror(result.code);
    if (result.code == CURLE_OK) result.refusal.reset();
    curl_easy_setopt(easy_, CURLOPT_ERRORBUFFER, nullptr);  // a local of this function
    return result;
}

void Exchanges::drive(Exchanged& result) const {
    if (curl_multi_add_handle(multi_, easy_) != CURLM_OK) throw std::bad_alloc();
    for (int running = 1; running > 0;) {
        if (observer_.cancelled()) {
            result.cancelled = true;
            result.code = CURLE_ABORTED_BY_CALLBACK;
            break;
        }
        CURLMcode code = curl_multi_perform(multi_, &running);
        if (code == CURLM_OK && running > 0)
            code = curl_multi_poll(multi_, nullptr, 0, kCancelPollMs, nullptr);
        if (code != CURLM_OK) {
            result.code = CURLE_FAILED_INIT;
            break;
        }
    }
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left))
        if (message->msg == CURLMSG_DONE) result.code = message->data.result;
    curl_multi_remove_handle(multi_, easy_);
}

}  // namespace http_tool
