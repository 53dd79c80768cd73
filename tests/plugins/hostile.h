/* Shared by the hostile fixtures: the action that their input names, and a report of its result. */
#ifndef TOOLHOST_TESTS_HOSTILE_H
#define TOOLHOST_TESTS_HOSTILE_H

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "fixture.h"

/* A string or a number of the input, in memory that is never freed; empty if missing. */
static inline const char *hostile_text(const tool_request *request, const char *key) {
    char *value = fixture_value(request, key);
    if (value == NULL) {
        return "";
    }
    if (value[0] != '"') {
        return value;
    }
    value[1 + strcspn(value + 1, "\"")] = '\0';
    return value + 1;
}

static inline int hostile_is(const tool_request *request, const char *how) {
    return strcmp(hostile_text(request, "\"how\""), how) == 0;
}

/* "done", or the name of the error. */
static inline tool_status hostile_report(const tool_host *host, tool_call *call, int answer) {
    char content[96];
    snprintf(content, sizeof content, "[{\"text\":\"%s\"}]",
             answer >= 0 ? "done" : strerrorname_np(errno));
    return fixture_reply(host, call, content);
}

static inline tool_status hostile_count(const tool_host *host, tool_call *call, long count) {
    char content[96];
    snprintf(content, sizeof content, "[{\"json\":%ld}]", count);
    return fixture_reply(host, call, content);
}

#endif /* TOOLHOST_TESTS_HOSTILE_H */
