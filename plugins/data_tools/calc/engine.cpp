#include "calc/engine.hpp"

#include <dlfcn.h>

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

// Second line of defence: cost.cpp refuses expressions that are too large, giac those that become
// too large during evaluation.
constexpr int max_power_bits = 200000;
constexpr int max_factorial = 5000;

// Simplifying some nested roots takes minutes; after this time the result is returned unsimplified.
constexpr std::chrono::milliseconds simplify_limit(300);

// Discards its input.
class NullBuffer : public std::streambuf {
    int overflow(int c) override { return c == EOF ? 0 : c; }
    std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

// giac prints to std::cerr that it was stopped or that an algorithm failed. While this object
// exists, cerr output of its thread is dropped; that of other threads is unaffected.
class SilencedThread : public std::streambuf {
public:
    SilencedThread() : owner_(std::this_thread::get_id()), real_(std::cerr.rdbuf(this)) {}
    ~SilencedThread() override { std::cerr.rdbuf(real_); }
    SilencedThread(const SilencedThread&) = delete;
    SilencedThread& operator=(const SilencedThread&) = delete;

private:
    bool silenced() const { return std::this_thread::get_id() == owner_; }
    int overflow(int c) override {
        if (c == EOF || silenced()) return c == EOF ? 0 : c;
        return real_->sputc(static_cast<char>(c));
    }
    std::streamsize xsputn(const char* text, std::streamsize n) override {
        return silenced() ? n : real_->sputn(text, n);
    }
    int sync() override { return silenced() ? 0 : real_->pubsync(); }

    std::thread::id owner_;
    std::streambuf* real_;
};

// giac uses PARI for some work. PARI warns on stderr through a table of its own (paristio.h), which
// every start of it, once per computation, selects again. So the table's entries are replaced once
// PARI was started. cost.cpp refuses the gamma function of complex numbers, which makes PARI warn,
// takes minutes and cannot be stopped.
void silence_pari() {
    struct PariOut {
        void (*putch)(char);
        void (*puts)(const char*);
        void (*flush)();
    };
    static auto** const errors = static_cast<PariOut**>(dlsym(RTLD_DEFAULT, "pariErr"));
    if (errors != nullptr && *errors != nullptr) {
        **errors = {[](char) {}, [](const char*) {}, [] {}};
    }
}

void initialise_once() {
    static const bool done = [] {
        giac::secure_run = true;  // refuses system access as a second line of defence
        giac::MPZ_MAXLOG2 = max_power_bits;
        giac::FACTORIAL_SIZE_LIMIT = max_factorial;
        giac::debug_infolevel = 0;
        giac::threads_allowed = false;  // see SilencedThread
        giac::context context;
        giac::gen start("Zeta(3+i)", &context);  // computed by PARI
        giac::evalf(start.eval(1, &context), 1, &context);
        silence_pari();
        return true;
    }();
    (void)done;
}

// Asks giac to stop when the caller cancels or the time is over. giac polls a global for that, most
// often many times a second; a few of its algorithms go on for seconds.
class Interrupter {
public:
    Interrupter(const EngineRequest& request, std::chrono::milliseconds limit)
        : request_(request), limit_(limit) {
        giac::ctrl_c = false;
        giac::interrupted = false;
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {
            // No thread available: the host's own timeout still applies.
        }
    }

    ~Interrupter() { finish(); }
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;

    // Ends the watch. Returns whether, and why, it stopped giac.
    const EngineStop* finish() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        wake_.notify_one();
        if (thread_.joinable()) thread_.join();
        giac::ctrl_c = false;
        giac::interrupted = false;
        return stop_requested_ ? &stop_ : nullptr;
    }

private:
    void run() {
        constexpr std::chrono::milliseconds poll(5);
        const auto end = std::chrono::steady_clock::now() + limit_;
        std::unique_lock lock(mutex_);
        while (!wake_.wait_for(lock, poll, [this] { return over_; })) {
            if (request_.cancelled && request_.cancelled()) {
                return request_stop(EngineStop::Why::cancelled, "cancelled");
            }
            if (std::chrono::steady_clock::now() >= end) {
                return request_stop(EngineStop::Why::timeout,
                                    "gave up after " + std::to_string(limit_.count()) + " ms");
            }
        }
    }

    void request_stop(EngineStop::Why why, std::string message) {
        stop_ = {why, std::move(message)};
        stop_requested_ = true;
        giac::ctrl_c = true;
    }

    const EngineRequest& request_;
    std::chrono::milliseconds limit_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool over_ = false;
    bool stop_requested_ = false;
    EngineStop stop_{EngineStop::Why::failed, ""};
    std::thread thread_;
};

bool is_number(const giac::gen& g) {
    return g.type == giac::_DOUBLE_ || g.type == giac::_REAL || g.type == giac::_INT_ ||
           g.type == giac::_ZINT || g.type == giac::_FRAC;
}

// Sets the decimal form. Returns false if the value has unknowns and therefore none.
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

giac::gen evaluated(const EngineRequest& request, const giac::context& context) {
    giac::gen g(request.text, &context);
    g = g.eval(1, &context);
    if (g.type == giac::_STRNG) throw std::runtime_error(*g._STRNGptr);
    if (g.type == giac::_VECT) {
        if (!request.lists) throw std::runtime_error("the result is not a single value");
        return g;
    }
    const bool regroup = request.simplify && g.type == giac::_SYMB;
    return regroup && !giac::is_inf(g) ? (*giac::at_regrouper)(g, &context) : g;
}

// simplify() also multiplies out, so its result is used only if it is shorter.
giac::gen shorter(const giac::gen& g, const giac::context& context) {
    if (g.type == giac::_VECT) {
        giac::vecteur items;
        for (const giac::gen& item : *g._VECTptr) {
            // A formula with unknowns is kept in the form in which it was found.
            const bool formula = item.type != giac::_VECT && !giac::lidnt(item).empty();
            items.push_back(formula ? item : shorter(item, context));
        }
        return giac::gen(items, g.subtype);
    }
    if (g.type != giac::_SYMB || giac::is_inf(g) || giac::is_undef(g)) return g;
    const giac::gen simple = giac::simplify(g, &context);
    if (giac::is_undef(simple) || giac::is_inf(simple)) return g;
    return simple.print(&context).size() < g.print(&context).size() ? simple : g;
}

EngineValue describe(const giac::gen& g, bool numeric, const giac::context& context) {
    EngineValue value;
    if (g.type == giac::_VECT) {
        value.kind = ValueKind::list;
        for (const giac::gen& item : *g._VECTptr) {
            value.items.push_back(describe(item, numeric, context));
        }
        return value;
    }
    if (giac::is_undef(g)) return value;
    if (giac::is_inf(g)) {
        value.kind = ValueKind::infinite;
        value.exact = g.print(&context);
        value.signed_infinity = value.exact[0] == '+' || value.exact[0] == '-';
        return value;
    }
    const bool number = take_number(g, value, context);
    value.inexact = giac::has_num_coeff(g);
    if (!numeric) value.exact = g.print(&context);
    if (numeric && !number) value.exact = giac::evalf(g, 1, &context).print(&context);
    if (value.exact.find("undef") != std::string::npos) return EngineValue();  // anywhere inside
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

// giac's messages end in " Error: Bad Argument Value" etc., over several lines.
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

// Runs one step under a watch. Returns false if it was stopped or failed; `answer` then says why.
template <class Step>
bool run(const EngineRequest& request, std::chrono::milliseconds limit, EngineAnswer& answer,
         Step step) {
    const SilencedThread quiet;
    Interrupter interrupter(request, limit);
    try {
        step();
    } catch (const std::bad_alloc&) {
        answer.stopped = true;
        answer.stop.message = "not enough memory for this expression";
    } catch (const std::exception& e) {
        answer.stopped = true;
        answer.stop.message = readable(e.what());
    }
    silence_pari();
    // A value that came all the same is of no use: giac may have given up half-way.
    if (const EngineStop* stop = interrupter.finish()) {
        answer.stopped = true;
        answer.stop = *stop;
    }
    return !answer.stopped;
}

}  // namespace

EngineAnswer evaluate_with_giac(const EngineRequest& request) {
    initialise_once();
    giac::context context;  // a new one per call: nothing is left for the next
    NullBuffer discarded;
    std::ostream nowhere(&discarded);
    giac::logptr(&nowhere, &context);
    giac::decimal_digits(request.digits, &context);
    giac::complex_mode(request.complex, &context);

    EngineAnswer answer;
    giac::gen g;
    if (!run(request, request.limit, answer, [&] { g = evaluated(request, context); })) {
        return answer;
    }
    if (request.simplify) {
        EngineAnswer attempt;
        giac::gen simple;
        if (run(request, simplify_limit, attempt, [&] { simple = shorter(g, context); })) {
            g = simple;
        } else if (attempt.stop.why == EngineStop::Why::cancelled) {
            return attempt;
        }
    }
    run(request, request.limit, answer,
        [&] { answer.value = describe(g, request.numeric, context); });
    return answer;
}

}  // namespace data_tools::calc
