/* Hostile: attacks its channel to the host. It finds the shared memory as an attacker would:
 * only a shared mapping can be duplicated. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include "hostile.h"

FIXTURE_SPEC({
    "name": "hostile_channel",
    "description": "Breaks the channel.",
    "inputSchema": {
        "type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]
    }
})

enum { kPage = 4096, kStep = 1 << 20, kChannel = 16 << 20, kWords = 64 << 10 };

static int is_shared(char *page) {
    void *twin = mremap(page, 0, kPage, MREMAP_MAYMOVE);
    if (twin == MAP_FAILED) {
        return 0;
    }
    munmap(twin, kPage);
    return 1;
}

/* Its first page, or NULL. It is near the libraries, and large strides do not miss it. */
static char *find_channel(void) {
    char *here = (char *)((uintptr_t)&tool_invoke & ~(uintptr_t)(kStep - 1));
    const ptrdiff_t reach = (ptrdiff_t)8 << 30;
    for (ptrdiff_t away = 0; away < reach; away += kStep) {
        for (int side = -1; side <= 1; side += 2) {
            char *page = here + side * away;
            if (!is_shared(page) || !(is_shared(page + kStep) || is_shared(page - kStep))) {
                continue;
            }
            while (is_shared(page - kPage)) {
                page -= kPage;
            }
            return page;
        }
    }
    return NULL;
}

static void scribble(char *from, size_t size) {
    static unsigned long long state = 88172645463325252ull;
    for (size_t i = 0; i + sizeof state <= size; i += sizeof state) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(from + i, &state, sizeof state);
    }
}

static volatile int scribbling;
static void *scribble_on(void *channel) {
    for (;;) {
        scribbling = 1;
        scribble(channel, kChannel);
    }
    return NULL;
}

static const tool_host *late_host;
static void *reply_late(void *call) {
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
    fixture_reply(late_host, call, "[{\"text\":\"late\"}]");
    return NULL;
}

FIXTURE_INVOKE {
    pthread_t thread;
    if (hostile_is(request, "close_all")) {
        return hostile_report(host, call, close_range(0, ~0u, 0));
    }
    if (hostile_is(request, "reply_later")) {
        late_host = host;
        pthread_create(&thread, NULL, reply_late, call);
        return TOOL_OK;
    }
    char *channel = find_channel();
    if (channel == NULL) {
        const tool_str code = fixture_str("no_channel"), message = fixture_str("it is not there");
        return host->fail(call, &code, &message);
    }
    if (hostile_is(request, "unmap")) {
        munmap(channel, kChannel);
        return hostile_report(host, call, 0);
    }
    if (hostile_is(request, "protect")) {
        mprotect(channel, kChannel, PROT_NONE);
        return hostile_report(host, call, 0);
    }
    if (hostile_is(request, "impossible_words")) {
        memset(channel, 0xff, kWords); /* positions far beyond what a ring holds */
        pause();
    } else if (hostile_is(request, "random")) {
        scribble(channel, kChannel);
    } else if (hostile_is(request, "random_words")) {
        scribble(channel, kWords);
        pause();
    } else if (hostile_is(request, "random_on")) {
        pthread_create(&thread, NULL, scribble_on, channel);
        while (!scribbling) {
        }
    }
    return hostile_report(host, call, 0);
}
