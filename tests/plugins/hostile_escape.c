/* Hostile: tries what a policy forbids, and reports the result. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "hostile.h"

FIXTURE_SPEC({
    "name": "hostile_escape",
    "description": "Tries the doors.",
    "needs": {"network": true, "read": true, "write": true, "exec": true,
              "optional": ["network", "write", "exec"]},
    "inputSchema": {
        "type": "object",
        "properties": {
            "how": {"type": "string"},
            "path": {"type": "string"},
            "number": {"type": "integer"}
        },
        "required": ["how"]
    }
})

static int read_byte(const char *path) {
    char byte;
    const int file = open(path, O_RDONLY);
    return file < 0 ? -1 : (int)read(file, &byte, 1);
}

static int write_byte(const char *path) {
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    return file < 0 ? -1 : (int)write(file, "x", 1);
}

/* What a read-only descriptor would allow without the sandbox. */
static int set_flags(const char *path, int extended) {
    const int file = open(path, O_RDONLY);
    if (file < 0) {
        return -1;
    }
    struct fsxattr all = {0};
    long flags = 0;
    if (extended) {
        return ioctl(file, FS_IOC_FSGETXATTR, &all) == 0 ? ioctl(file, FS_IOC_FSSETXATTR, &all) : -1;
    }
    flags = 0x40; /* FS_NODUMP_FL */
    return ioctl(file, FS_IOC_SETFLAGS, &flags);
}

static int take_lease(const char *path) {
    const int file = open(path, O_RDONLY);
    return file < 0 ? -1 : fcntl(file, F_SETLEASE, F_RDLCK);
}

static int list_attributes(const char *path) {
    char names[256];
    return (int)listxattr(path, names, sizeof names);
}

static int connect_to(long port) {
    const int wire = socket(AF_INET, SOCK_STREAM, 0);
    if (wire < 0) {
        return -1;
    }
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(wire, (const struct sockaddr *)&there, sizeof there);
}

static int run_shell(void) {
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
        _exit(errno);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        return -1;
    }
    errno = WEXITSTATUS(status);
    return WIFEXITED(status) && errno == 7 ? 0 : -1;
}

/* The number of processes, itself included, whose open files or mappings are visible, and so
 * their channels. */
static long open_processes(long most) {
    static const char *const doors[] = {"fd", "map_files", "mem", "maps"};
    long opened = 0;
    for (long pid = 1; pid <= most; ++pid) {
        for (size_t i = 0; i < sizeof doors / sizeof *doors; ++i) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%ld/%s", pid, doors[i]);
            const int door = open(path, O_RDONLY);
            if (door >= 0) {
                ++opened;
                close(door);
            }
        }
    }
    return opened;
}

/* A process that has left its parent, its group and its session, and keeps running. */
static int daemonise(const char *path) {
    int said[2];
    if (pipe(said) != 0) {
        return -1;
    }
    const pid_t child = fork();
    if (child < 0) {
        return -1;
    }
    if (child == 0) {
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        setsid();
        write_byte(path);
        if (write(said[1], "x", 1) == 1) {
            close_range(0, ~0u, 0);
        }
        for (;;) {
            sleep(600);
        }
    }
    waitpid(child, NULL, 0);
    char byte;
    return (int)read(said[0], &byte, 1);
}

FIXTURE_INVOKE {
    const char *path = hostile_text(request, "\"path\"");
    const long number = atol(hostile_text(request, "\"number\""));
    int answer = -1;
    errno = ENOSYS;
    if (hostile_is(request, "read")) {
        answer = read_byte(path);
    } else if (hostile_is(request, "write")) {
        answer = write_byte(path);
    } else if (hostile_is(request, "flags")) {
        answer = set_flags(path, 0);
    } else if (hostile_is(request, "attributes")) {
        answer = set_flags(path, 1);
    } else if (hostile_is(request, "lease")) {
        answer = take_lease(path);
    } else if (hostile_is(request, "names")) {
        answer = list_attributes(path);
    } else if (hostile_is(request, "connect")) {
        answer = connect_to(number);
    } else if (hostile_is(request, "shell")) {
        answer = run_shell();
    } else if (hostile_is(request, "ptrace")) {
        answer = (int)ptrace(PTRACE_SEIZE, (pid_t)number, NULL, NULL);
    } else if (hostile_is(request, "processes")) {
        return hostile_count(host, call, open_processes(number));
    } else if (hostile_is(request, "daemonise")) {
        answer = daemonise(path);
    }
    return hostile_report(host, call, answer);
}
