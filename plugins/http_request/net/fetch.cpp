#include "net/fetch.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "net/exchange.hpp"

namespace http_tool {

bool same_name(std::string_view a, std::string_view b) {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

std::string header(const Headers& headers, std::string_view name) {
    for (auto it = headers.rbegin(); it != headers.rend(); ++it)
        if (same_name(it->first, name)) return it->second;
    return {};
}

namespace {

constexpr auto kSlice = std::chrono::milliseconds(10);

// Request headers that another origin may see. Secrets may be in headers of any name, so the
// harmless ones are listed.
constexpr std::array kHarmless{"accept",          "accept-charset", "accept-encoding",
                               "accept-language", "cache-control",  "content-language",
                               "content-type",    "range",          "user-agent"};

bool is_redirect(const Head& head) {
    constexpr std::array kRedirects{301, 302, 303, 307, 308};
    return std::find(kRedirects.begin(), kRedirects.end(), head.status) != kRedirects.end() &&
           !header(head.headers, "location").empty();
}

bool is_busy(int status) {
    return status == 502 || status == 503 || status == 504;
}

bool is_idempotent(const std::string& method) {
    return method != "POST" && method != "PATCH";
}

bool only_reads(const std::string& method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// Whether the connection failed, or ended before the response started.
bool is_dropped(const Exchanged& done) {
    return (done.code == CURLE_COULDNT_CONNECT && !done.no_socket) ||
           done.code == CURLE_GOT_NOTHING || done.code == CURLE_SEND_ERROR ||
           (done.code == CURLE_RECV_ERROR && done.response.head.status == 0);
}

void drop_headers(Headers& headers, bool (*dropped)(std::string_view)) {
    std::erase_if(headers, [&](const auto& one) { return dropped(one.first); });
}

class Fetch {
public:
    Fetch(Request request, const Rules& rules, const FetchObserver& observer)
        : request_(std::move(request)),
          rules_(rules),
          observer_(observer),
          exchanges_(rules, observer) {}

    Result run() {
        for (;;) {
            if (auto refusal = check(rules_, request_.method, request_.url))
                return at_redirect(*std::move(refusal));
            Exchanged done =
                exchanges_.run(request_, [this](const Head& head) { return use_of(head); });
            if (done.cancelled || observer_.cancelled()) return Cancelled{};
            if (done.refusal) return at_redirect(*std::move(done.refusal));
            if (const auto pause = pause_before_retry(done)) {
                if (!wait(*pause)) return Cancelled{};
                ++retries_;
                continue;
            }
            if (done.code != CURLE_OK) return failure(done);
            if (!follows(done.response.head)) return finished(std::move(done.response));
            if (auto stop = redirect(done.response)) return *std::move(stop);
        }
    }

private:
    [[nodiscard]] Use use_of(const Head& head) const {
        if (follows(head)) return Use::passing;
        return is_busy(head.status) && may_retry(false) ? Use::perhaps : Use::answer;
    }

    [[nodiscard]] bool follows(const Head& head) const {
        return request_.follow_redirects && is_redirect(head) && !leaves_with_body(head);
    }

    // A writing request, and the consent to it, apply to one origin only.
    [[nodiscard]] bool leaves_with_body(const Head& head) const {
        if (only_reads(method_after(head.status))) return false;
        const auto next = join_url(request_.url, header(head.headers, "location"));
        return next && !next->may_receive_data_for(request_.url);
    }

    [[nodiscard]] std::string method_after(int status) const {
        const bool becomes_get = (status == 303 && request_.method != "HEAD") ||
                                 (status <= 302 && request_.method == "POST");
        return becomes_get ? "GET" : request_.method;
    }

    [[nodiscard]] bool may_retry(bool nothing_sent) const {
        return retries_ < request_.max_retries && (nothing_sent || is_idempotent(request_.method));
    }

    [[nodiscard]] std::optional<std::chrono::milliseconds> pause_before_retry(
        const Exchanged& done) const {
        const bool again =
            done.code == CURLE_OK ? is_busy(done.response.head.status) : is_dropped(done);
        if (!again || !may_retry(done.code == CURLE_COULDNT_CONNECT || done.nothing_sent))
            return std::nullopt;
        std::chrono::milliseconds pause = request_.backoff * (1 << retries_);
        if (done.retry_after) {
            // In seconds, because a server's number may exceed the range of finer units.
            using std::chrono::seconds;
            if (*done.retry_after >
                std::chrono::duration_cast<seconds>(request_.deadline - Clock::now()))
                return std::nullopt;
            pause = *done.retry_after;
        }
        // A "busy" response now is better than a timeout later.
        if (Clock::now() + pause >= request_.deadline) return std::nullopt;
        return pause;
    }

    [[nodiscard]] bool wait(std::chrono::milliseconds pause) const {
        const auto end = Clock::now() + pause;
        while (Clock::now() < end) {
            if (observer_.cancelled()) return false;
            std::this_thread::sleep_for(std::min<Clock::duration>(kSlice, end - Clock::now()));
        }
        return true;
    }

    // Prepares the request of a redirect; or returns why it is impossible.
    std::optional<Result> redirect(const Response& response) {
        const int status = response.head.status;
        const std::string location = header(response.head.headers, "location");
        auto next = join_url(request_.url, location);
        if (!next)
            return Failure{request_.url.text + " redirects to '" + location +
                           "', which is not a URL: " + next.error()};
        if (static_cast<int>(redirects_.size()) >= request_.max_redirects)
            return Failure{"more than " + std::to_string(request_.max_redirects) +
                           " redirects, the last from " + request_.url.text + " to " + next->text +
                           ". This may be a loop; otherwise raise max_redirects"};
        const std::string method = method_after(status);
        if (method != request_.method) {
            request_.body.reset();
            drop_headers(request_.headers, [](std::string_view name) {
                return name.size() > 8 && same_name(name.substr(0, 8), "content-");
            });
        }
        if (!next->may_receive_data_for(request_.url)) forget_secrets();
        request_.method = method;
        request_.url = *std::move(next);
        redirects_.push_back({status, request_.url.text});
        return std::nullopt;
    }

    void forget_secrets() {
        request_.credentials = {};
        drop_headers(request_.headers, [](std::string_view name) {
            return std::none_of(kHarmless.begin(), kHarmless.end(),
                                [&](const char* one) { return same_name(name, one); });
        });
    }

    // Adds the URL that redirected to a refused URL.
    Result at_redirect(Refusal refusal) const {
        if (!redirects_.empty())
            refusal.message = "after a redirect to " + request_.url.text + ": " + refusal.message;
        return refusal;
    }

    Result failure(const Exchanged& done) const {
        std::string text = explain(done, request_);
        if (retries_ > 0) text += " (tried " + std::to_string(retries_ + 1) + " times)";
        return Failure{std::move(text)};
    }

    Result finished(Response response) {
        if (request_.follow_redirects && is_redirect(response.head))
            response.notes.push_back("not followed: " + request_.method +
                                     " is not repeated to another origin automatically; to do so, "
                                     "call again with the URL of the header location");
        response.redirects = std::move(redirects_);
        response.retries = retries_;
        response.timings.total = std::chrono::duration<double>(Clock::now() - start_).count();
        return response;
    }

    const Clock::time_point start_ = Clock::now();
    Request request_;
    const Rules& rules_;
    const FetchObserver& observer_;
    Exchanges exchanges_;
    std::vector<Redirect> redirects_;
    int retries_ = 0;
};

}  // namespace

Result fetch(Request request, const Rules& rules, const FetchObserver& observer) {
    return Fetch(std::move(request), rules, observer).run();
}

}  // namespace http_tool
