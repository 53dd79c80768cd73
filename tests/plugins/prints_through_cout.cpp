// Good, but prints through std::cout, which it shares with a host in the same process.
#include <iostream>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "prints_through_cout",
    "description": "Prints.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    (void)request;
    std::cout << "noise from the call" << std::endl;
    std::cout << "noise without an end";
    return fixture_reply(host, call, "[{\"text\":\"printed\"}]");
}
