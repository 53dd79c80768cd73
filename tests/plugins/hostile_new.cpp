// Hostile: allocates by `new` until memory is exhausted, and fails like any tool.
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
