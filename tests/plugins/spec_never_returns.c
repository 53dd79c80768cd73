/* tool_spec() never returns, and ignores SIGTERM. */
#include <signal.h>
#include <unistd.h>

#include "fixture.h"

TOOL_EXPORT const tool_spec_info *tool_spec(void) {
    signal(SIGTERM, SIG_IGN);
    for (;;) {
        pause();
    }
}

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
