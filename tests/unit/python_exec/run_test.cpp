#include "interpreter/run.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/is_gone.hpp"
#include "tests/unit/shell/workspace.hpp"

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using python_exec::CodeEnd;
using python_exec::Outcome;

struct Python {
    shell_test::Workspace workspace, scratch;
    python_exec::Bounds bounds{20s, 4000, 4, 100'000, 1'000'000, std::size_t{512} << 20};
    python_exec::Watcher watcher;
    std::string interpreter = "/usr/bin/python3";
    std::string state;

    CodeEnd run(const std::string& code, const std::string& input = "null", bool keep = false) {
        auto end = python_exec::run(
            {code, input, keep ? state : "", keep}, bounds,
            {interpreter, workspace.path, scratch.path, {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}},
            watcher);
        if (keep) state = end.state;
        return end;
    }
    json report(const std::string& code, const std::string& input = "null", bool keep = false) {
        const auto end = run(code, input, keep);
        CAPTURE(end.out);
        CAPTURE(end.err);
        CAPTURE(end.problem);
        CHECK(end.outcome == Outcome::finished);
        auto report = json::parse(end.report, nullptr, false);
        CHECK(report.is_object());
        return report;
    }
    std::string value(const std::string& code, const std::string& input = "null") {
        const auto report = this->report(code, input);
        CAPTURE(report.dump());
        if (!report.contains("value")) return "none";
        const auto& value = report["value"];
        return value.contains("json") ? value["json"].get<std::string>()
                                      : "repr " + value["repr"].get<std::string>();
    }
    std::string kept(const std::string& code) {
        const auto report = this->report(code, "null", true);
        return report.contains("value") ? report["value"].begin()->get<std::string>()
                                        : report.value("traceback", "none");
    }
    std::string traceback(const std::string& code) {
        return report(code).value("traceback", "no traceback");
    }
};

TEST_CASE("the value of the last expression") {
    Python python;
    CHECK(python.value("1 + 1") == "2");
    CHECK(python.value("x = 5\nx") == "5");
    CHECK(python.value("x = 5") == "none");
    CHECK(python.value("None") == "none");
    CHECK(python.value("") == "none");
    CHECK(python.value("{'a': [1, 2.5, None, 'é']}") == R"({"a": [1, 2.5, null, "\u00e9"]})");
    CHECK(python.value("{1, }") == "repr {1}");
    CHECK(python.value("float('nan')") == "repr nan");
    CHECK(python.value("l = []; l.append(l); l") == "repr [[...]]");
    CHECK(python.value("class C:\n def __repr__(self): raise ValueError('no')\nC()") ==
          "repr <C without a representation: no>");
    CHECK(python.value("'x' * 100000").size() < 4100);
}

TEST_CASE("a value that JSON would change is shown as Python shows it") {
    Python python;
    CHECK(python.value("2**63") == "9223372036854775808");
    CHECK(python.value("[2**64]") == "repr [18446744073709551616]");
    CHECK(python.value("-2**63 - 1") == "repr -9223372036854775809");
    CHECK(python.value("{1: 'a', '1': 'b'}") == "repr {1: 'a', '1': 'b'}");
    CHECK(python.value("'\\ud800'") == "repr '\\ud800'");
    CHECK(python.value("(1, True)") == "[1, true]");
    const std::string nested = "x = 0\nfor _ in range(%): x = [x]\nx";
    const auto deep = [&](const char* times) {
        return python.value(std::string(nested).replace(nested.find('%'), 1, times)).substr(0, 5);
    };
    CHECK(deep("50") == "[[[[[");
    CHECK(deep("101") == "repr ");
}

TEST_CASE("input and output") {
    Python python;
    CHECK(python.value("input_data['a'][1]", R"({"a": [1, "two"]})") == "\"two\"");
    const auto end = python.run("import sys\nprint('out é')\nprint('err', file=sys.stderr)");
    CHECK(end.out == "out é\n");
    CHECK(end.err == "err\n");
    CHECK(python.value("import sys\nsys.stdin.read()") == "\"\"");
}

TEST_CASE("tracebacks begin in the user's code") {
    Python python;
    const auto trace = python.traceback("def f():\n    return 1 / 0\nf()");
    CHECK(trace.find("Traceback (most recent call last):\n"
                     "  File \"<code>\", line 3, in <module>\n    f()\n"
                     "  File \"<code>\", line 2, in f\n    return 1 / 0\n") == 0);
    CHECK(trace.ends_with("ZeroDivisionError: division by zero\n"));
    CHECK(python.traceback("x = (").find("File \"<code>\", line 1\n    x = (") !=
          std::string::npos);
    CHECK(python.traceback("raise KeyboardInterrupt").find("KeyboardInterrupt") !=
          std::string::npos);
    CHECK(python.report("import sys; sys.exit(3)")["exit"] == 3);
    CHECK(python.report("import sys; sys.exit()")["exit"] == 0);
    CHECK(python.report("import sys; sys.exit('why')")["exit"] == 1);
}

TEST_CASE("nothing that code prints is taken for a report") {
    Python python;
    const auto end =
        python.run("import sys\nprint('{\"value\": {\"json\": \"1\"}}')\nsys.stdout.flush()\n2");
    CHECK(json::parse(end.report)["value"]["json"] == "2");
    // A fork that comes to the end of the code does not report, either.
    CHECK(python.value("import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\npid and 7") == "7");
}

TEST_CASE("deaths without a report") {
    Python python;
    auto end = python.run("print('first')\nimport os\nos._exit(5)");
    CHECK(end.outcome == Outcome::died);
    CHECK(end.problem == "the interpreter ended with exit code 5");
    CHECK(end.out == "first\n");
    end = python.run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)");
    CHECK(end.problem == "the interpreter was ended by signal 11 (Segmentation fault)");
    python.interpreter = "/no/such/python";
    end = python.run("1");
    CHECK(end.outcome == Outcome::not_started);
    CHECK(end.problem == "cannot run /no/such/python: No such file or directory");
}

TEST_CASE("time, cancellation and memory") {
    Python python;
    python.bounds.timeout = 300ms;
    CHECK(python.run("while True: pass").outcome == Outcome::timed_out);
    python.bounds.timeout = 20s;
    bool started = false;
    python.watcher.output = [&](std::string_view) { started = true; };
    python.watcher.cancelled = [&] { return started; };
    CHECK(python.run("print('go')\nimport time\ntime.sleep(100)").outcome == Outcome::cancelled);
    python.watcher = {};
    python.bounds.memory_bytes = std::size_t{128} << 20;
    CHECK(python.traceback("x = bytearray(1 << 30)").find("MemoryError") != std::string::npos);
}

TEST_CASE("output is bounded") {
    Python python;
    const auto end = python.run("print('x' * 1000000)");
    CHECK(end.out.size() < 4200);
}

TEST_CASE("variables are kept between calls") {
    Python python;
    python.kept("import math\nfrom collections import OrderedDict\nx = {'a': [1]}\ny = x['a']");
    CHECK(python.kept("y.append(2)\nx['a']") == "[1, 2]");  // still the same list
    CHECK(python.kept("math.floor(2.5)") == "2");
    python.kept("def fact(n, one=1):\n    return one if n < 2 else n * fact(n - 1)");
    CHECK(python.kept("fact(5)") == "120");
    python.kept(
        "class Base:\n    kind = 'b'\n    def name(self): return 'base'\n"
        "class Sub(Base):\n    def __init__(self, v): self.v = v\n"
        "    def name(self): return super().name() + self.v\n"
        "    @property\n    def size(self): return len(self.v)\n"
        "    @staticmethod\n    def make(): return Sub('!')\n"
        "s = Sub('xy')");
    CHECK(python.kept("[s.name(), s.size, s.kind, Sub.make().name(), isinstance(s, Base)]") ==
          R"(["basexy", 2, "b", "base!", true])");
    python.kept(
        "def counter():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return up\nc = counter(); c()");
    CHECK(python.kept("c()") == "2");
    CHECK(python.kept("(lambda: x['a'])()") == "[1, 2]");
}

TEST_CASE("classes that others make are kept") {
    Python python;
    python.kept(
        "from enum import Enum, IntEnum\nclass C(Enum):\n    R = 1\n    G = 2\n    RED = 1\n"
        "    def low(self): return self.name.lower()\nclass N(IntEnum):\n    ONE = 1\nc = C.G");
    CHECK(python.kept("[c is C.G, C.RED is C.R, c.low(), C(2) is c, N.ONE + 1, len(C)]") ==
          R"([true, true, "g", true, 2, 2])");
    python.kept(
        "from dataclasses import dataclass, field, replace, asdict\n@dataclass(frozen=True)\n"
        "class D:\n    a: int\n    b: list = field(default_factory=list)\n    c: str = 'x'\n"
        "@dataclass\nclass E(D.__mro__[-1]):\n    __slots__ = ('v',)\n    v: int\nd = D(1)\ne = "
        "E(4)");
    CHECK(python.kept("[asdict(d), D(2).b is D(2).b, replace(d, a=3) == D(3), e.v]") ==
          R"([{"a": 1, "b": [], "c": "x"}, false, true, 4])");
    python.kept(
        "from collections import namedtuple\nfrom typing import NamedTuple\n"
        "P = namedtuple('P', 'x y', defaults=[7])\nclass T(NamedTuple):\n    a: int\n"
        "    b: int = 5\n    def both(self): return self.a + self.b\np = P(1)\nt = T(2)");
    CHECK(python.kept("[p.y, P(3)._replace(x=4), t.both(), T(1).b, isinstance(t, T), p.x]") ==
          "[7, [4, 7], 7, 5, true, 1]");
    python.kept(
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n"
        "    def f(self): ...\nclass B(A):\n    def f(self): return 1\nb = B()");
    CHECK(python.kept("[b.f(), isinstance(b, A)]") == "[1, true]");
    CHECK(python.kept("A()").find("TypeError") != std::string::npos);
}

TEST_CASE("what cannot be brought back does not end the session") {
    Python python;
    auto report = python.report(
        "class M(type):\n    def __new__(m, n, b, d, need): return type.__new__(m, n, b, d)\n"
        "class K(metaclass=M, need=1): pass\nx = 1",
        "null", true);
    CHECK(report["lost"].contains("K"));
    CHECK(python.kept("x") == "1");
    python.workspace.write("helper.py", "def twice(n): return 2 * n\nclass H: pass\n");
    python.kept(
        "import sys\nsys.path.insert(0, '.')\nimport helper\nh = helper.H()\ny = [2]\nz = y");
    CHECK(python.kept("helper.twice(y[0])") == "4");
    std::filesystem::remove(python.workspace.path / "helper.py");
    report = python.report("z is y and 'helper' not in globals()", "null", true);
    CHECK(report["value"]["json"] == "true");
    CHECK(report["lost"].contains("helper"));
    CHECK(report["lost"].contains("h"));
    python.state = "no pickle";
    report = python.report("x = 5", "null", true);
    CHECK(report["lost"].size() == 1);
    CHECK(python.kept("x") == "5");
}

TEST_CASE("what was done before an error is kept") {
    Python python;
    python.kept("x = 1");
    CHECK(python.kept("x = 2\n1 / 0").find("ZeroDivisionError") != std::string::npos);
    CHECK(python.kept("x") == "2");
}

TEST_CASE("what cannot be kept is named, and the rest is kept") {
    Python python;
    auto report = python.report("f = open('/dev/null')\ng = (i for i in [])\nx = 1", "null", true);
    CHECK(report["kept"] == json{"x"});
    CHECK(report["lost"].size() == 2);
    CHECK(report["lost"].contains("f"));
    python.bounds.state_bytes = 1000;
    report = python.report("x = 'x' * 10000", "null", true);
    CHECK(report["kept"].empty());
    CHECK(report["lost"]["x"].get<std::string>().find("1000 are allowed") != std::string::npos);
    CHECK_FALSE(python.report("x = 1").contains("kept"));  // nobody asked
}

TEST_CASE("pictures in the working folder and in the temporary one") {
    Python python;
    const std::string png = "open(p, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')\n";
    const auto end = python.run("import os, tempfile\np = 'a.png'\n" + png +
                                "p = os.path.join(tempfile.gettempdir(), 'b.png')\n" + png);
    REQUIRE(end.images.size() == 2);
    CHECK(end.images[0].name == "a.png");
    CHECK(end.images[1].name == "b.png");
    CHECK(std::filesystem::exists(python.workspace.path / "a.png"));
    CHECK(std::filesystem::is_empty(python.scratch.path));  // the run's own folder is gone
}

TEST_CASE("figures that are left open are saved") {
    Python python;
    // As matplotlib has them, in small: what is installed is not for a test to say.
    std::filesystem::create_directory(python.workspace.path / "matplotlib");
    python.workspace.write("matplotlib/__init__.py", "");
    python.workspace.write(
        "matplotlib/pyplot.py",
        "class Figure:\n"
        "    def savefig(self, path): open(path, 'wb').write(b'\\x89PNG\\r\\n')\n"
        "def get_fignums(): return [1, 2]\n"
        "def figure(n): return Figure()\n");
    const auto end = python.run(
        "import os, sys\nsys.path.insert(0, '.')\nimport matplotlib.pyplot\n"
        "print(os.environ['MPLBACKEND'])");
    CHECK(end.out == "Agg\n");
    REQUIRE(end.images.size() == 2);
    CHECK(end.images[0].name == "figure-001.png");
}

TEST_CASE("all that the code starts dies with it") {
    Python python;
    const auto end =
        python.run("import subprocess\np = subprocess.Popen(['sleep', '100'])\nprint(p.pid)");
    CHECK(toolhost::test::is_gone(static_cast<pid_t>(std::stoi(end.out))));
    CHECK(python
              .traceback("import subprocess\n"
                         "subprocess.Popen(['sleep', '1'], start_new_session=True)")
              .find("PermissionError") != std::string::npos);
}

}  // namespace
