/* Counts concurrent calls of the library, and replies the maximum so far. */
#ifndef TOOLHOST_TESTS_OVERLAP_H
#define TOOLHOST_TESTS_OVERLAP_H

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "fixture.h"

static atomic_int overlap_inside;
static atomic_int overlap_most;

static inline tool_status overlap_invoke(const tool_host *host, tool_call *call) {
    const int inside = atomic_fetch_add(&overlap_inside, 1) + 1;
    int most = atomic_load(&overlap_most);
    while (inside > most && !atomic_compare_exchange_weak(&overlap_most, &most, inside)) {
    }
    const struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL);
    atomic_fetch_sub(&overlap_inside, 1);
    char content[64];
    snprintf(content, sizeof content, "[{\"json\":%d}]", atomic_load(&overlap_most));
    return fixture_reply(host, call, content);
}

#endif /* TOOLHOST_TESTS_OVERLAP_H */
