/* Good, but prints to stdout while it is loaded, with stdio and without. */
#include <stdio.h>
#include <unistd.h>

#include "fixture.h"

__attribute__((constructor)) static void load(void) {
    puts("noise from the constructor, buffered");
    static const char noise[] = "noise from the constructor, direct\n";
    const ssize_t written = write(STDOUT_FILENO, noise, sizeof noise - 1);
    (void)written;
}

FIXTURE_SPEC({
    "name": "prints_while_loading",
    "description": "Prints.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
