#include "calc/engine.hpp"

#include <condition_variable>
#include <iostream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <thread>

#include <giac/config.h>
#include <giac/giac.h>

namespace data_tools::calc {
namespace {

// Second line of defence: cost.cpp refuses what is too large by looking at the expression, giac
// what turns out so while it computes.
constexpr int max_power_bits = 200000;
constexpr int max_factorial = 5000;

// Swallows what it is given. It holds no state, so that other threads may write to it too.
class Silence : public std::streambuf {
    int overflow(int c) override { return c == EOF ? 0 : c; }
    std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

Silence& silence() {
    static Silence buffer;
    return buffer;
}

void initialise_once() {
    static const bool done = [] {
        giac::secure_run = true;  // refuses what touches the system, should it ever get that far
        giac::MPZ_MAXLOG2 = max_power_bits;
        giac::FACTORIAL_SIZE_LIMIT = max_factorial;
        giac::debug_infolevel = 0;
        return true;
    }();
    (void)done;
}

// Asks giac to stop when the caller cancels or the time is over. giac polls a global for that, and
// announces on std::cerr that it obeys, which is nobody's business: cerr is silent from the moment
// of asking until giac has stopped.
class Watch {
public:
    explicit Watch(const EngineRequest& request) : request_(request) {
        giac::ctrl_c = false;
        giac::interrupted = false;
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {
            // Out of threads: the host's own timeout still holds.
        }
    }

    ~Watch() { finish(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Ends the watching; whether, and why, it asked giac to stop.
    const EngineStop* finish() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        wake_.notify_one();
        if (thread_.joinable()) thread_.join();
        if (stderr_ != nullptr) std::cerr.rdbuf(stderr_);
        stderr_ = nullptr;
        giac::ctrl_c = false;
        giac::interrupted = false;
        return asked_ ? &stop_ : nullptr;
    }

private:
    void run() {
        constexpr std::chrono::milliseconds poll(5);
        const auto end = std::chrono::steady_clock::now() + request_.limit;
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, poll, [this] { return over_; })) {
            if (request_.cancelled && request_.cancelled()) {
                return ask(EngineStop::Why::cancelled, "cancelled");
            }
            if (std::chrono::steady_clock::now() >= end) {
                return ask(EngineStop::Why::timeout,
                           "gave up after " + std::to_string(request_.limit.count()) + " ms");
            }
        }
    }

    void ask(EngineStop::Why why, std::string message) {
        stop_ = {why, std::move(message)};
        asked_ = true;
        stderr_ = std::cerr.rdbuf(&silence());
        giac::ctrl_c = true;
    }

    const EngineRequest& request_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool over_ = false;
    bool asked_ = false;
    EngineStop stop_{EngineStop::Why::failed, ""};
    std::streambuf* stderr_ = nullptr;
    std::thread thread_;
};

bool is_number(const giac::gen& g) {
    return g.type == giac::_DOUBLE_ || g.type == giac::_REAL || g.type == giac::_INT_ ||
           g.type == giac::_ZINT || g.type == giac::_FRAC;
}

// Fills in the decimal form; false if the value has unknowns and so has none.
bool take_number(const giac::gen& exact, EngineValue& value, const giac::context& context) {
    const giac::gen g = giac::evalf(exact, 1, &context);
    if (g.type == giac::_CPLX) {
        value.real = giac::re(g, &context).print(&context);
        value.imaginary = giac::im(g, &context).print(&context);
        return true;
    }
    if (!is_number(g)) return false;
    value.real = g.print(&context);
    return true;
}

// simplify() also multiplies out, so its answer is taken only where it is the shorter one.
giac::gen shortest(const giac::gen& g, const giac::context& context) {
    giac::gen best = (*giac::at_regrouper)(g, &context);
    const giac::gen simple = giac::simplify(g, &context);
    if (giac::is_undef(simple) || giac::is_inf(simple)) return best;
    return simple.print(&context).size() < best.print(&context).size() ? simple : best;
}

EngineValue describe(const giac::gen& g, bool numeric, const giac::context& context) {
    EngineValue value;
    if (giac::is_undef(g)) return value;
    if (giac::is_inf(g)) {
        value.kind = ValueKind::infinite;
        value.exact = g.print(&context);
        value.signed_infinity = value.exact[0] == '+' || value.exact[0] == '-';
        return value;
    }
    const bool number = take_number(g, value, context);
    if (!numeric || !number) value.exact = g.print(&context);
    if (g.type == giac::_INT_ || g.type == giac::_ZINT) {
        value.kind = ValueKind::integer;
    } else if (g.type == giac::_FRAC) {
        value.kind = ValueKind::rational;
    } else if (!number) {
        value.kind = ValueKind::symbolic;
    } else {
        value.kind = value.imaginary.empty() ? ValueKind::real : ValueKind::complex;
    }
    return value;
}

// giac's texts end in " Error: Bad Argument Value" and the like, over several lines.
std::string readable(std::string message) {
    const std::size_t tail = message.find("Error:");
    if (tail != std::string::npos && tail > 0) message.erase(tail);
    for (char& c : message) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    const std::size_t last = message.find_last_not_of(" .");
    message.erase(last == std::string::npos ? 0 : last + 1);
    return message.empty() ? "the expression cannot be evaluated" : message.substr(0, 300);
}

EngineValue compute(const EngineRequest& request) {
    giac::context context;  // a fresh one: no call can leave anything behind for the next
    std::ostream nowhere(&silence());
    giac::logptr(&nowhere, &context);
    giac::decimal_digits(request.digits, &context);
    giac::gen g(request.text, &context);
    g = g.eval(1, &context);
    if (g.type == giac::_STRNG) throw std::runtime_error(*g._STRNGptr);
    if (g.type == giac::_VECT) throw std::runtime_error("the result is not a single value");
    if (request.simplify && g.type == giac::_SYMB && !giac::is_inf(g) && !giac::is_undef(g)) {
        g = shortest(g, context);
    }
    return describe(g, request.numeric, context);
}

}  // namespace

EngineAnswer evaluate_with_giac(const EngineRequest& request) {
    initialise_once();
    EngineAnswer answer;
    Watch watch(request);
    try {
        answer.value = compute(request);
    } catch (const std::bad_alloc&) {
        answer.stopped = true;
        answer.stop.message = "not enough memory for this expression";
    } catch (const std::exception& e) {
        answer.stopped = true;
        answer.stop.message = readable(e.what());
    }
    // A value that came all the same is of no use: giac may have given up half-way.
    if (const EngineStop* stop = watch.finish()) {
        answer.stopped = true;
        answer.stop = *stop;
    }
    return answer;
}

}  // namespace data_tools::calc
