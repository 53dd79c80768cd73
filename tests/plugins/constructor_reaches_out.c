/* Good, but reports while it is loaded what it could access: other files, the network, a
 * process. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

static void tell(const char *what, size_t size) {
    const ssize_t written = write(STDOUT_FILENO, what, size);
    (void)written;
}
#define REACHED(what) tell("reached " what "\n", sizeof "reached " what)

__attribute__((constructor)) static void load(void) {
    if (open("/etc/passwd", O_RDONLY) >= 0) REACHED("/etc/passwd");
    if (open("/proc/self/environ", O_RDONLY) >= 0) REACHED("/proc");
    char path[] = "/tmp/toolhost-reached-XXXXXX";
    if (mkstemp(path) >= 0) {
        REACHED("/tmp");
        unlink(path);
    }
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) REACHED("the network");
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) {
        REACHED("a process");
        waitpid(child, NULL, 0);
    }
    static const char done[] = "tried all\n";
    tell(done, sizeof done - 1);
}

FIXTURE_SPEC({
    "name": "constructor_reaches_out",
    "description": "Reaches out.",
    "inputSchema": {"type": "object"}
})

FIXTURE_REPLIES("[{\"text\":\"ran\"}]")
