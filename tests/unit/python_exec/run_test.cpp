#include <thread>

#include "tests/unit/is_gone.hpp"
#include "tests/unit/python_exec/python.hpp"

namespace python_exec::test {
namespace {

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

TEST_CASE("a value that JSON would change is shown by its repr") {
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

TEST_CASE("tracebacks start in the user's code") {
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

TEST_CASE("printed output is not mistaken for a report") {
    Python python;
    const auto end =
        python.run("import sys\nprint('{\"value\": {\"json\": \"1\"}}')\nsys.stdout.flush()\n2");
    CHECK(json::parse(end.report)["value"]["json"] == "2");
    // A fork that reaches the end of the code does not report either.
    CHECK(python.value("import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\npid and 7") == "7");
}

TEST_CASE("crashes without a report") {
    Python python;
    auto end = python.run("print('first')\nimport os\nos._exit(5)");
    CHECK(end.outcome == Outcome::died);
    CHECK(end.problem == "the interpreter ended with exit code 5");
    CHECK(end.out == "first\n");
    end = python.run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)");
    CHECK(end.problem == "the interpreter was killed by signal 11 (Segmentation fault)");
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

TEST_CASE("output is limited") {
    Python python;
    const auto end = python.run("print('x' * 1000000)");
    CHECK(end.out.size() < 4200);
}

TEST_CASE("images in the working folder and in the temporary one") {
    Python python;
    const std::string png = "open(p, 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')\n";
    const auto end = python.run("import os, tempfile\np = 'a.png'\n" + png +
                                "p = os.path.join(tempfile.gettempdir(), 'b.png')\n" + png);
    REQUIRE(end.images.size() == 2);
    CHECK(end.images[0].name == "a.png");
    CHECK(end.images[1].name == "b.png");
    CHECK(std::filesystem::exists(python.workspace.path / "a.png"));
    CHECK(std::filesystem::is_empty(python.scratch.path));  // the run's own folder is removed
}

TEST_CASE("concurrent runs have only their own images") {
    Python first, second;
    second.folder = first.folder;
    const auto draw = [](const std::string& mine, const std::string& other) {
        return "import os, time\nopen('" + mine +
               ".tmp', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')\n"
               "os.rename('" +
               mine + ".tmp', '" + mine +
               ".png')\n"
               "while not os.path.exists('" +
               other + ".png'): time.sleep(0.001)\n";
    };
    CodeEnd ended;
    std::thread beside([&] { ended = second.run(draw("b", "a")); });
    const auto end = first.run(draw("a", "b"));
    beside.join();
    REQUIRE(end.images.size() == 1);
    CHECK(end.images[0].name == "a.png");
    REQUIRE(ended.images.size() == 1);
    CHECK(ended.images[0].name == "b.png");
    // A single run again, here with a program that the code starts.
    const auto alone = first.run("import subprocess\nsubprocess.run(['cp', 'a.png', 'c.png'])");
    CHECK(alone.images.size() == 1);
}

TEST_CASE("open figures are saved") {
    Python python;
    // A minimal matplotlib, so that the test does not depend on what is installed.
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

TEST_CASE("all processes that the code starts are killed") {
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
}  // namespace python_exec::test
