// The computer algebra behind the calculator. Everything giac is in engine.cpp: its headers are
// slow, are C++17 at most, and pollute the namespace of including files.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace data_tools::calc {

struct EngineRequest {
    std::string text;      // giac's language; only ever written by write_for_giac()
    int digits = 20;       // of numeric results, and of numbers on the way to them
    bool numeric = false;  // a number is wanted, not an exact form
    bool simplify = false;
    bool lists = false;                    // the result may be a list, or a list of lists
    bool complex = false;                  // solve over the complex numbers
    std::function<bool()> cancelled = {};  // asked from another thread
    std::chrono::milliseconds limit{1000};
};

enum class ValueKind { integer, rational, real, complex, symbolic, infinite, undefined, list };

struct EngineValue {
    ValueKind kind = ValueKind::undefined;
    std::string exact;             // the exact form, or "" where there is only a number
    std::string real;              // the number, if the value has one: all its digits, not rounded
    std::string imaginary;         // "" for real numbers
    bool signed_infinity = false;  // of infinite: 1/0 has no sign, ln(0) has
    bool inexact = false;          // giac itself went over to floating-point numbers
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

// Not thread-safe: giac is not. The first call initialises giac.
EngineAnswer evaluate_with_giac(const EngineRequest& request);

}  // namespace data_tools::calc
