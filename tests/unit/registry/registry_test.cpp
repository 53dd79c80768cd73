#include "host/registry/registry.hpp"

#include "tests/unit/doctest.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace toolhost;
using namespace toolhost::registry;

namespace {

Tool tool(const std::string& name) {
    auto specs =
        read_spec({{"name", name}, {"description", "d"}, {"inputSchema", Json::object()}}, "l");
    return {(*specs)[0], std::make_shared<Library>(Library{"/l.so", "", 0, false}), {}, {}};
}

}  // namespace

TEST_CASE("a change is all or nothing") {
    Registry registry;
    REQUIRE(registry.change([](Draft& draft) -> Result<void> {
        draft.push_back(tool("a"));
        return {};
    }));
    auto before = registry.snapshot();
    auto refused = registry.change([](Draft& draft) -> Result<void> {
        draft.clear();
        return Error{ErrorCode::internal, "no", {}};
    });
    REQUIRE_FALSE(refused);
    CHECK(registry.snapshot() == before);
    CHECK_THROWS(registry.change([](Draft& draft) -> Result<void> {
        draft.clear();
        throw std::runtime_error("no");
    }));
    CHECK(registry.snapshot() == before);
}

TEST_CASE("a snapshot outlives the change that replaced it") {
    Registry registry;
    REQUIRE(registry.change([](Draft& draft) -> Result<void> {
        draft.push_back(tool("a"));
        return {};
    }));
    auto old = registry.snapshot();
    REQUIRE(registry.change([](Draft& draft) -> Result<void> {
        draft.clear();
        return {};
    }));
    CHECK(old->resolve("a"));
    CHECK_FALSE(registry.snapshot()->resolve("a"));
}

TEST_CASE("a shadowed tool appears when the other tool is removed") {
    Registry registry;
    auto later = tool("a");
    later.library = std::make_shared<Library>(Library{"/later.so", "", 0, false});
    REQUIRE(registry.change([&](Draft& draft) -> Result<void> {
        draft = {tool("a"), later, tool("b")};
        return {};
    }));
    REQUIRE(registry.snapshot()->shadowed().size() == 1);
    REQUIRE(registry.change([](Draft& draft) -> Result<void> {
        CHECK(draft.size() == 3);
        std::erase_if(draft, [](const Tool& each) { return each.library->path == "/l.so"; });
        return {};
    }));
    const auto found = registry.snapshot()->resolve("a");
    REQUIRE(found);
    CHECK((*found)->library->path == "/later.so");
}

TEST_CASE("readers see whole catalogues while writers change them") {
    Registry registry;
    std::atomic<bool> stop{false};
    std::atomic<int> torn{0};
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            while (!stop) {
                auto seen = registry.snapshot();  // "a" and "b" are added and removed together
                if (seen->resolve("a").has_value() != seen->resolve("b").has_value()) ++torn;
            }
        });
    for (int i = 0; i < 200; ++i) {
        auto changed = registry.change([&](Draft& draft) -> Result<void> {
            if (draft.empty())
                draft = {tool("a"), tool("b")};
            else
                draft.clear();
            return {};
        });
        CHECK(changed.has_value());
    }
    stop = true;
    readers.clear();
    CHECK(torn == 0);
}
