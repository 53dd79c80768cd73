// One schema used by many threads. Most useful with -fsanitize=thread.
#include <atomic>
#include <thread>

#include "fixtures.hpp"

using namespace schema_test;

TEST_CASE("a schema is used by many threads at once") {
    const Schema schema = compile(R"({"properties": {"id": {"pattern": "^[a-z]+$"}},
                                      "patternProperties": {"^x": {"type": "integer"}},
                                      "unevaluatedProperties": false})");
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            const Schema copy = schema;
            for (int n = 0; n < 500; ++n) {
                if (!copy.valid(json(R"({"id": "abc", "x1": 5})"))) ++wrong;
                if (copy.validate(json(R"({"id": "ABC", "x1": "5"})")).size() != 2) ++wrong;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
}
