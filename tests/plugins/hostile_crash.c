/* Hostile: kills its process, or another one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#include "hostile.h"

FIXTURE_SPEC({
    "name": "hostile_crash",
    "description": "Dies, or kills.",
    "inputSchema": {
        "type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]
    }
})

/* Read at run time, so that the compiler cannot predict it. */
static int *volatile nowhere;
static volatile int depth = 1;

static int overflow_stack(void) {
    volatile char frame[4096];
    frame[0] = 1;
    return depth == 0 ? 0 : overflow_stack() + frame[0];
}

static void *leave_from_thread(void *unused) {
    _exit(3);
}

FIXTURE_INVOKE {
    fputs("last words\n", stderr);
    if (hostile_is(request, "segfault")) {
        *nowhere = 1;
    } else if (hostile_is(request, "abort")) {
        abort();
    } else if (hostile_is(request, "stack_overflow")) {
        return overflow_stack();
    } else if (hostile_is(request, "exit")) {
        exit(0);
    } else if (hostile_is(request, "exit_in_thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, leave_from_thread, NULL);
        pthread_join(thread, NULL);
    } else if (hostile_is(request, "kill_self")) {
        kill(getpid(), SIGKILL);
    } else if (hostile_is(request, "kill_parent")) {
        return hostile_report(host, call, kill(getppid(), SIGKILL));
    } else if (hostile_is(request, "kill_group")) {
        /* Its own group, which is not the host's. */
        return hostile_report(host, call, kill(0, SIGKILL));
    } else if (hostile_is(request, "kill_all")) {
        return hostile_report(host, call, kill(-1, SIGKILL));
    }
    return TOOL_FAILED;
}
