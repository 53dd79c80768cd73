/* Good, but prints to stdout during its call, where a protocol may be in use. */
#include <stdio.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "prints_while_called",
    "description": "Prints.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    puts("noise from the call, buffered");
    fflush(stdout);
    static const char noise[] = "noise from the call, direct\n";
    const ssize_t written = write(STDOUT_FILENO, noise, sizeof noise - 1);
    (void)written;
    return fixture_reply(host, call, "[{\"text\":\"printed\"}]");
}
