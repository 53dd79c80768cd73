// How variables are passed from one call to the next.
#include "tests/unit/python_exec/python.hpp"

namespace python_exec::test {
namespace {

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

TEST_CASE("classes created by other modules are kept") {
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

TEST_CASE("classes created by the typing module are kept") {
    Python python;
    python.kept(
        "from typing import Generic, Optional, ParamSpec, Protocol, TypedDict, TypeVar\n"
        "from typing import get_type_hints, runtime_checkable\n"
        "T = TypeVar('T')\nN = TypeVar('N', int, float)\nB = TypeVar('B', bound='Box')\n"
        "P = ParamSpec('P')\n"
        "class Box(Generic[T]):\n    def __init__(self, v: T): self.v = v\n"
        "class IntBox(Box[int]):\n    inner: Optional['Box'] = None\n"
        "b = IntBox(5)");
    CHECK(python.kept("[b.v, isinstance(b, Box), Box.__parameters__[0] is T, Box[str](1).v, "
                      "N.__constraints__ == (int, float), B.__bound__.__forward_arg__, str(T), "
                      "get_type_hints(IntBox)['inner'] == Optional[Box], P.__name__]") ==
          R"([5, true, true, 1, true, "Box", "~T", true, "P"])");
    python.kept(
        "class Base(TypedDict):\n    x: int\n    y: 'Box'\n"
        "class Some(Base, total=False):\n    z: str\n"
        "class Held(TypedDict, Generic[T]):\n    v: T\nd: Some = {'x': 1, 'y': b}");
    CHECK(python.kept("[sorted(Some.__required_keys__), sorted(Some.__optional_keys__), "
                      "Some.__total__, get_type_hints(Some)['y'] is Box, Some(x=2)['x'], d['x'], "
                      "Held[int].__args__ == (int,)]") ==
          R"([["x", "y"], ["z"], false, true, 2, 1, true])");
    python.kept(
        "@runtime_checkable\nclass Sized(Protocol):\n    def size(self) -> int: ...\n"
        "class Has:\n    def size(self): return 3\n"
        "class Made(Protocol[T]):\n    def __init__(self): self.n = 5\n"
        "    def f(self) -> T: ...\n"
        "class Does(Made[int]):\n    def f(self): return self.n\nmade = Does()");
    CHECK(python.kept("[isinstance(Has(), Sized), isinstance(3, Sized), made.f(), Does().f()]") ==
          "[true, false, 5, 5]");
    CHECK(python.kept("Sized()").find("Protocols cannot be instantiated") != std::string::npos);
}

TEST_CASE("a class that ends the program when saved is lost, and the call succeeds") {
    Python python;
    const auto report = python.report(
        "class Exits:\n    def __reduce__(self): raise SystemExit(3)\n"
        "class Stops:\n    def __getstate__(self): raise KeyboardInterrupt\n"
        "import atexit, sys\natexit.register(sys.exit, 1)\n"
        "e = Exits()\ns = Stops()\nx = 1",
        "null", true);
    CHECK(report["lost"].contains("e"));
    CHECK(report["lost"].contains("s"));
    CHECK(python.kept("x") == "1");
    python.kept(
        "class Late:\n    def __setstate__(self, _): sys.exit(4)\n"
        "    def __getstate__(self): return 1\nlate = Late()");
    CHECK(python.kept("x") == "1");
}

TEST_CASE("variables that cannot be restored do not end the session") {
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

TEST_CASE("variables set before an error are kept") {
    Python python;
    python.kept("x = 1");
    CHECK(python.kept("x = 2\n1 / 0").find("ZeroDivisionError") != std::string::npos);
    CHECK(python.kept("x") == "2");
}

TEST_CASE("variables that cannot be saved are named, and the rest is kept") {
    Python python;
    auto report = python.report("f = open('/dev/null')\ng = (i for i in [])\nx = 1", "null", true);
    CHECK(report["kept"] == json{"x"});
    CHECK(report["lost"].size() == 2);
    CHECK(report["lost"].contains("f"));
    python.bounds.state_bytes = 1000;
    report = python.report("x = 'x' * 10000", "null", true);
    CHECK(report["kept"].empty());
    CHECK(report["lost"]["x"].get<std::string>().find("1000 are allowed") != std::string::npos);
    CHECK_FALSE(python.report("x = 1").contains("kept"));  // not requested
}

}  // namespace
}  // namespace python_exec::test
