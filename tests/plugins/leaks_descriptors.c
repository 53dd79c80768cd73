/* Opens a file in each call and does not close it. */
#include <fcntl.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "leaks_descriptors",
    "description": "Leaves a descriptor open at each call.",
    "inputSchema": {"type": "object"}
})

FIXTURE_INVOKE {
    const int fd = open("/dev/null", O_RDONLY);
    return fixture_reply(host, call, fd < 0 ? "[{\"text\":\"none left\"}]" : "[{\"text\":\"ok\"}]");
}
