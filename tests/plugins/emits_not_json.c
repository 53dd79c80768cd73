/* Emits invalid JSON during an otherwise valid call. */
#include "fixture.h"

FIXTURE_SPEC({
    "name": "emits_not_json",
    "description": "Emits nonsense.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const tool_str kind = fixture_str("progress");
    const tool_str nonsense = fixture_str("\xff{not json");
    host->emit(call, &kind, &nonsense);
    return fixture_reply(host, call, "[{\"text\":\"survived\"}]");
}
