/* Hostile: uses up a resource. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

#include "hostile.h"

FIXTURE_SPEC({
    "name": "hostile_greedy",
    "description": "Takes all.",
    "needs": {"exec": true, "write": true, "read": true, "optional": ["exec", "write"]},
    "inputSchema": {
        "type": "object",
        "properties": {"how": {"type": "string"}, "path": {"type": "string"}},
        "required": ["how"]
    }
})

enum { kPiece = 1 << 20 };
static char piece[kPiece];

/* As in C programs that do not check the result of malloc. */
static void take_memory(void) {
    for (;;) {
        memset(malloc(kPiece), 1, kPiece);
    }
}

static tool_status take_mappings(void) {
    while (mmap(NULL, kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED) {
    }
    return TOOL_FAILED;
}

static void *sleep_on(void *unused) {
    for (;;) {
        pause();
    }
    return NULL;
}

static long take_threads(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    long count = 0;
    pthread_t thread;
    while (count < 100000 && pthread_create(&thread, &small, sleep_on, NULL) == 0) {
        ++count;
    }
    return count;
}

/* Every child does the same. Those that cannot fork wait: a fork that fails late costs the
 * machine as much as a successful one, and tests share the machine. */
static void take_processes(void) {
    for (;;) {
        if (fork() < 0) {
            sleep(1);
        }
    }
}

static tool_status take_descriptors(void) {
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    return TOOL_FAILED;
}

/* 10 GB, or as much as possible. */
static int fill_file(const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) {
        return -1;
    }
    for (int i = 0; i < 10 << 10; ++i) {
        if (write(file, piece, kPiece) < 0) {
            return -1;
        }
    }
    return 0;
}

static void print_much(void) {
    memset(piece, 'x', kPiece);
    piece[kPiece - 1] = '\n';
    for (int i = 0; i < 100; ++i) {
        for (ssize_t done = 0, now = 0; done < kPiece; done += now) {
            now = write(STDERR_FILENO, piece + done, (size_t)(kPiece - done));
            if (now < 0) {
                return;
            }
        }
    }
}

static tool_status reply_much(const tool_host *host, tool_call *call) {
    const size_t size = (size_t)1 << 30;
    void *nothing = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (nothing == MAP_FAILED) {
        return TOOL_FAILED;
    }
    const tool_str reply = {nothing, size};
    return host->reply(call, &reply);
}

FIXTURE_INVOKE {
    if (hostile_is(request, "memory")) {
        take_memory();
    } else if (hostile_is(request, "mappings")) {
        return take_mappings();
    } else if (hostile_is(request, "threads")) {
        return hostile_count(host, call, take_threads());
    } else if (hostile_is(request, "threads_kept")) {
        take_threads();
        return TOOL_FAILED;
    } else if (hostile_is(request, "one_process")) {
        const pid_t child = fork();
        if (child == 0) {
            _exit(0);
        }
        return hostile_report(host, call, child);
    } else if (hostile_is(request, "processes")) {
        take_processes();
    } else if (hostile_is(request, "descriptors")) {
        return take_descriptors();
    } else if (hostile_is(request, "file")) {
        return hostile_report(host, call, fill_file(hostile_text(request, "\"path\"")));
    } else if (hostile_is(request, "temp_file")) {
        char path[4096];
        snprintf(path, sizeof path, "%s/large", getenv("TMPDIR"));
        return hostile_report(host, call, fill_file(path));
    } else if (hostile_is(request, "stderr")) {
        print_much();
        return hostile_report(host, call, 0);
    } else if (hostile_is(request, "reply")) {
        return reply_much(host, call);
    }
    return TOOL_FAILED;
}
