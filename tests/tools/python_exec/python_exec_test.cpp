// The tool `python_exec` through the real program, in both isolations.
#include <doctest/doctest.h>

#include "tests/tools/cancel.hpp"
#include "tests/tools/reasons.hpp"
#include "tests/tools/tool_stage.hpp"
#include "tests/unit/is_gone.hpp"

namespace toolhost::test {
namespace {

class PythonStage : public OneToolStage {
public:
    PythonStage() : OneToolStage("python_exec", "code") {}
};

constexpr const char* kSavePng =
    "import base64\nopen('plot.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n')";

TEST_CASE("output, values, input, files and images, in both isolations") {
    const PythonStage stage;
    stage.write("data.csv", "1,2\n3,4\n");
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        fs::remove(stage.workspace() / "plot.png");
        const auto results =
            stage.run(mode, {{{"code", "print('hello')\n{'a': [1, None]}"}},
                             {{"code", "{1}"}},
                             {{"code", "x = 1"}},
                             {{"code", "input_data['n'] + 1"}, {"input", {{"n", 41}}}},
                             {{"code", "sum(int(l.split(',')[1]) for l in open('data.csv'))"}},
                             {{"code", kSavePng}},
                             {{"code", "import tempfile\ntempfile.TemporaryFile().write(b'x')"}},
                             {{"code", "import sys\nprint('note', file=sys.stderr)"}}});
        CHECK(said(results[0]) == "hello\n{\"a\": [1, null]}\n");
        CHECK(json_of(results[0]) ==
              Json{{"output", "hello\n"}, {"error", ""}, {"value", {{"a", {1, nullptr}}}}});
        CHECK(json_of(results[1])["value_repr"] == "{1}");
        CHECK(said(results[2]) == "(no output)");
        CHECK(json_of(results[3])["value"] == 42);
        CHECK(json_of(results[4])["value"] == 6);
        CHECK(json_of(results[5])["images"] == Json{"plot.png"});
        CHECK(results[5]["content"][2]["image"]["format"] == "png");
        CHECK(results[5]["content"][2]["image"]["source"]["bytes"] == "iVBORw0KGgo=");
        CHECK(json_of(results[6])["value"] == 1);
        CHECK(said(results[7]) == "stderr:\nnote\n");
    }
}

TEST_CASE("failures name their cause") {
    const PythonStage stage;
    for (const auto& mode : {kClosed, kOpen}) {
        const auto out = stage.say(
            mode, {"print('so far')\n1 / 0", "x = = 1", "import sys\nsys.exit(3)",
                   "import os\nos._exit(4)", "import os, signal\nos.kill(os.getpid(), 9)"});
        check_begins(out[0],
                     "tool_failed: Traceback (most recent call last):\n  File \"<code>\", line 2, "
                     "in <module>\n    1 / 0\n");
        check_ends(out[0], "ZeroDivisionError: division by zero\n\nstdout:\nso far\n");
        CHECK(contains(out[1], "SyntaxError: invalid syntax"));
        CHECK(out[2] == "tool_failed: the code exited with 3");
        CHECK(out[3] == "tool_failed: the interpreter ended with exit code 4");
        CHECK(out[4] == "tool_failed: the interpreter was killed by signal 9 (Killed)");
    }
}

TEST_CASE("bad input never reaches the interpreter") {
    const PythonStage stage;
    for (const auto& result : stage.run(kClosed, {Json::object(),
                                                  {{"code", 5}},
                                                  {{"code", "1"}, {"timeout", 0}},
                                                  {{"code", "1"}, {"stateless", "yes"}},
                                                  {{"code", std::string(200'001, ' ')}}}))
        check_begins(said(result), "invalid_input: ");
}

TEST_CASE("time, memory, output, images and variables are limited") {
    PythonStage stage;
    stage.policy =
        "max_timeout_s: 1, max_output_chars: 400, max_images: 1, max_memory_mb: 128, "
        "max_state_kb: 4";
    for (const auto& mode : {kClosed, kOpen}) {
        const auto results = stage.run(
            mode, {{{"code", "print('before', flush=True)\nwhile True: pass"}, {"timeout", 900}},
                   {{"code", "print('x' * 100000)"}},
                   {{"code", "x = bytearray(300 << 20)"}},
                   {{"code", "for n in 'ab': open(n + '.gif', 'wb').write(b'GIF89a')"}},
                   {{"code", "x = 'x' * 10000"}, {"stateless", false}},
                   {{"code", "'x' * 100000"}}});
        CHECK(said(results[0]) ==
              "tool_failed: timed out after 1000 ms; the code and all processes that it "
              "started were ended\nstdout:\nbefore\n");
        CHECK(said(results[1]).size() < 300);
        CHECK(contains(said(results[2]), "MemoryError"));
        CHECK(json_of(results[3])["images"] == Json{"a.gif"});
        CHECK(json_of(results[3])["notes"] ==
              Json{"image b.gif omitted: only 1 are allowed (max_images)"});
        CHECK(json_of(results[4])["variables"].empty());
        check_ends(json_of(results[4])["notes"][0].get<std::string>(), "4096 are allowed");
        CHECK(json_of(results[5])["value_repr"].get<std::string>().size() < 300);
        for (const char* name : {"a.gif", "b.gif"}) fs::remove(stage.workspace() / name);
    }
    stage.policy = "python: /no/such/python";
    check_begins(stage.say(kClosed, {"1"})[0], "tool_failed: no interpreter");
}

TEST_CASE("variables are kept on request") {
    const PythonStage stage;
    for (const auto& mode : {kClosed, kOpen}) {
        const auto results = stage.run(
            mode, {{{"code", "import math\nx = 20\ndef f(n): return n + x"}, {"stateless", false}},
                   {{"code", "f(math.floor(1.5))"}, {"stateless", false}},
                   {{"code", "x"}},
                   {{"code", "x = 30\n1 / 0"}, {"stateless", false}},
                   {{"code", "f(1)"}, {"stateless", false}}});
        CHECK(json_of(results[0])["variables"] == Json{"f", "math", "x"});
        CHECK(json_of(results[1])["value"] == 21);
        CHECK(contains(said(results[2]), "NameError"));  // a stateless call does not have it
        CHECK(json_of(results[4])["value"] == 31);
    }
}

TEST_CASE("a session continues after a class that is hard to keep, and can be reset") {
    const PythonStage stage;
    const auto results = stage.run(
        kClosed,
        {{{"code", "from enum import Enum\nclass C(Enum): R = 1\nx = 1"}, {"stateless", false}},
         {{"code", "[C.R.value, x]"}, {"stateless", false}},
         {{"code", "'x' in globals()"}, {"stateless", false}, {"reset_state", true}},
         {{"code", "'x' in globals()"}, {"stateless", false}}});
    CHECK(json_of(results[1])["value"] == Json{1, 1});
    CHECK(json_of(results[2])["value"] == false);
    CHECK(json_of(results[3])["value"] == false);
}

TEST_CASE("no report and no value ends the worker") {
    const PythonStage stage;
    const std::string deep = "b'['*200000+b']'*200000";
    for (const auto& mode : {kClosed, kOpen}) {
        const auto results = stage.run(
            mode,
            {{{"code", "import os\nos.write(3, b'{\"value\":'+" + deep + "+b'}\\n'); os._exit(0)"}},
             {{"code", "import os\nos.write(3, b'{\"value\":{\"json\":\"'+" + deep +
                           "+b'\"}}\\n'); os._exit(0)"}},
             {{"code", "x = 0\nfor _ in range(300): x = [x]\nx"}},
             {{"code", "1"}}});
        for (const auto& result : results) CHECK(result["status"] == "success");
        CHECK(json_of(results[2])["value_repr"].get<std::string>().starts_with("[[[["));
    }
}

TEST_CASE("code cannot kill the worker that started it") {
    const PythonStage stage;
    const std::string end_it = "import os\nos.kill(os.getppid(), 9)";
    const auto out = stage.say(
        kClosed,
        {end_it, end_it, end_it, end_it, end_it,
         "import os\nfor who in (-1, -os.getpgid(os.getppid())):\n    try: os.kill(who, 9)\n"
         "    except OSError as e: print(e.errno)",
         "import subprocess\np = subprocess.Popen(['sleep', '100'])\np.kill()\np.wait()"});
    for (std::size_t i = 0; i < 5; ++i) CHECK(contains(out[i], "PermissionError"));
    CHECK(out[5] == "1\n1\n");
    CHECK(out[6] == "-9\n");
}

TEST_CASE("consent is required") {
    PythonStage stage;
    stage.more = "consent: deny\n";
    check_begins(stage.say(kClosed, {"1"})[0], "consent_denied ");
    check_reasons("python_exec", {});  // what the code may do is up to the sandbox
}

TEST_CASE("the kernel confines the code") {
    const PythonStage stage;
    write_file(stage.stage().root() / "secret", "secret");
    const std::string read_secret = "open('../secret').read()";
    CHECK(stage.say(kOpen, {read_secret})[0] == "\"secret\"\n");  // it is accessible there
    const auto out = stage.say(
        kClosed,
        {read_secret, "open('../made', 'w')", "open('/etc/passwd').read()",
         "import os\nos.listdir('/proc')",
         "import socket\nsocket.create_connection(('127.0.0.2', 9), 1)", "import os\nos.setsid()",
         "import ctypes\nctypes.CDLL(None).unshare(0x10000000)",
         "import subprocess\nsubprocess.run(['cat', '../secret'], capture_output=True, "
         "text=True).stderr",
         "import os\nsorted(k for k in os.environ if k not in ('PATH', 'LANG', 'LC_CTYPE', 'TZ'))",
         "import os\nfor _ in range(40): os.fork()"});
    for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(out[i]);
        CHECK(contains(out[i], "PermissionError"));
    }
    CHECK_FALSE(fs::exists(stage.stage().root() / "made"));
    CHECK(out[6] == "-1\n");
    CHECK(contains(out[7], "Permission denied"));
    CHECK(out[8] == "[\"HOME\", \"MPLBACKEND\", \"MPLCONFIGDIR\", \"TMPDIR\"]\n");
    CHECK(contains(out[9], "Resource temporarily unavailable"));
}

TEST_CASE("processes that the code leaves behind are killed") {
    const PythonStage stage;
    const std::string beating =
        "import os, time\nif os.fork() == 0:\n"
        "    while True:\n        open('beat', 'a').write('x'); time.sleep(0.01)\n"
        "while not os.path.exists('beat'): time.sleep(0.01)";
    const auto closed =
        stage.say(kClosed, {beating,
                            "import os, time\na = os.path.getsize('beat')\ntime.sleep(0.1)\n"
                            "os.path.getsize('beat') - a"});
    CHECK(closed[1] == "0\n");
    const auto open =
        stage.say(kOpen, {"import subprocess\nsubprocess.Popen(['sleep', '100']).pid"});
    CHECK(is_gone(static_cast<pid_t>(std::stoi(open[0]))));
    for (const auto& folder : fs::directory_iterator(stage.stage().root() / "tmp"))
        CHECK(fs::is_empty(folder));  // including its files
}

TEST_CASE("code that signals every process kills at most itself, not the worker") {
    const PythonStage stage;
    const std::string attack =
        "import os\n"
        "def kill(pid):\n    try: os.kill(pid, 9); return True\n    except OSError: return False\n"
        "[p for p in range(1, 3000) if p != os.getpid() and kill(p)]";
    const auto results =
        stage.run(kClosed, {{{"code", "kept = 1"}, {"stateless", false}},
                            {{"code", attack}},
                            {{"code", "import os\nos.kill(os.getppid() + 1, 9)"}},
                            {{"code", "import os\nos.kill(os.getpid(), 9)"}},
                            {{"code", "kept"}, {"stateless", false}}});  // the same process answers
    CHECK(said(results[1]) == "[]\n");
    CHECK(contains(said(results[2]), "Error"));  // refused, or there is no such process
    CHECK(said(results[3]) == "tool_failed: the interpreter was killed by signal 9 (Killed)");
    CHECK(said(results[4]) == "1\n");
}

TEST_CASE("output is streamed, and Ctrl-C ends the code within 100 ms, in both isolations") {
    PythonStage stage;
    stage.more += kLongGracePeriod;
    for (const auto& mode : {kClosed, kOpen}) {
        CAPTURE(std::string(mode.isolation));
        const auto call = stage.streamed(mode, "print('beg' + 'un')\nimport time\ntime.sleep(100)");
        check_cancel(stage.stage(), call, "begun", {.name_plugins = false});
    }
}

}  // namespace
}  // namespace toolhost::test
