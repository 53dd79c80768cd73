// Hostile: takes memory by `new` until there is none, and fails as any tool does.
#include <new>
#include <vector>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "hostile_new",
    "description": "Takes all memory.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    (void)request;
    (void)host;
    (void)call;
    try {
        for (std::vector<std::vector<char>> all;;) all.emplace_back(16u << 20, 'x');
    } catch (const std::bad_alloc&) {
    }
    return TOOL_FAILED;
}
