// The computer algebra system of the calculator. Everything of giac is in engine.cpp: its headers
// are slow, are C++17 at most, and pollute the namespace.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace data_tools::calc {

struct EngineRequest {
    std::string text;      // in giac's language; written by write_for_giac() only
    int digits = 20;       // of numeric results and intermediate values
    bool numeric = false;  // return a number instead of an exact form
    bool simplify = false;
    bool lists = false;                    // the result may be a list, or a list of lists
    bool complex = false;                  // solve over the complex numbers
    std::function<bool()> cancelled = {};  // polled from another thread
    std::chrono::milliseconds limit{1000};
};

enum class ValueKind { integer, rational, real, complex, symbolic, infinite, undefined, list };

struct EngineValue {
    ValueKind kind = ValueKind::undefined;
    std::string exact;                    // the exact form, or "" if there is only a number
    std::string real;                     // the number with all its digits, if the value has one
    std::string imaginary;                // "" for real numbers
    bool signed_infinity = false;         // infinity with a sign: not 1/0, but ln(0)
    bool inexact = false;                 // giac switched to floating-point numbers
    std::vector<EngineValue> items = {};  // of a list
};

struct EngineStop {
    enum class Why { failed, cancelled, timeout } why;
    std::string message;
};

struct EngineAnswer {
    EngineValue value;
    bool stopped = false;
    EngineStop stop{EngineStop::Why::failed, ""};
};

// Not thread-safe, because giac is not. The first call initializes giac.
EngineAnswer evaluate_with_giac(const EngineRequest& request);

}  // namespace data_tools::calc
