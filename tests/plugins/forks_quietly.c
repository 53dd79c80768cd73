/* Starts a process with all signals blocked, as careful programs do, and reports the result. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "forks_quietly",
    "description": "Forks, or crashes.",
    "needs": {"exec": true, "optional": ["exec"]},
    "inputSchema": {"type": "object", "properties": {"how": {"enum": ["fork", "crash"]}}}
})

FIXTURE_INVOKE {
    char *how = fixture_value(request, "\"how\"");
    if (how != NULL && how[1] == 'c') {
        abort();
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const pid_t child = fork();
    const int error = errno;
    if (child == 0) {
        _exit(0);
    }
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return fixture_reply(host, call,
                         child > 0         ? "[{\"text\":\"forked\"}]"
                         : error == EACCES ? "[{\"text\":\"EACCES\"}]"
                                           : "[{\"text\":\"another error\"}]");
}
