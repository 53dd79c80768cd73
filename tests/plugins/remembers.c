/* Good: keeps a counter in memory and files in its temporary folder, and is declared stateful.
 * It replies its state and the caller. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "remembers",
    "version": "1.2.3",
    "description": "Counts its calls.",
    "stateful": true,
    "inputSchema": {"type": "object", "properties": {"how": {"enum": ["count", "wait", "crash"]}}}
})

static int calls;

/* The number of files, including this call's. */
static int count_files(void) {
    const char *folder = getenv("TMPDIR");
    if (folder == NULL) {
        return -1;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/call-%d", folder, calls);
    const int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) {
        close(file);
    }
    int files = 0;
    DIR *all = opendir(folder);
    for (struct dirent *one = NULL; all != NULL && (one = readdir(all)) != NULL;) {
        files += strncmp(one->d_name, "call-", 5) == 0;
    }
    if (all != NULL) {
        closedir(all);
    }
    return files;
}

#define TEXT(s) (int)(s).size, (s).data

FIXTURE_INVOKE {
    char *how = fixture_value(request, "\"how\"");
    const char deed = how == NULL ? 'c' : how[2];
    free(how);
    if (deed == 'r') {
        abort();
    }
    if (deed == 'a') {
        const tool_str kind = fixture_str("progress"), started = fixture_str("{\"progress\":0}");
        host->emit(call, &kind, &started);
        const struct timespec millisecond = {0, 1000000};
        while (!host->cancelled(call)) {
            nanosleep(&millisecond, NULL);
        }
        return TOOL_CANCELLED;
    }
    ++calls;
    char content[4096];
    snprintf(content, sizeof content,
             "[{\"json\":{\"calls\":%d,\"files\":%d,\"version\":\"%.*s\",\"caller\":\"%.*s\","
             "\"state\":%.*s}}]",
             calls, count_files(), TEXT(request->version), TEXT(request->caller),
             TEXT(request->state));
    return fixture_reply(host, call, content);
}
