/* The common part of all fixtures, so that each file shows only what is special about it. */
#ifndef TOOLHOST_TESTS_FIXTURE_H
#define TOOLHOST_TESTS_FIXTURE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "toolhost/plugin.h"

/* JSON written as code: the preprocessor quotes it. */
#define FIXTURE_JSON(...) #__VA_ARGS__

/* A tool_spec() in which the fixture chooses everything. */
#define FIXTURE_INFO(size, major, minor, flags, data, length)                          \
    TOOL_EXPORT const tool_spec_info *tool_spec(void) {                                \
        static const tool_spec_info info = {size, major, minor, flags, 0, {data, length}}; \
        return &info;                                                                  \
    }

/* A correct tool_spec() for a string literal, which need not be a valid spec. */
#define FIXTURE_SPEC_TEXT(flags, text)                                                         \
    FIXTURE_INFO(sizeof(tool_spec_info), TOOL_ABI_MAJOR, TOOL_ABI_MINOR, flags, text, \
                 sizeof(text) - 1)

#define FIXTURE_SPEC(...) FIXTURE_SPEC_TEXT(TOOL_SERIAL, #__VA_ARGS__)

#define FIXTURE_INVOKE                                                                \
    TOOL_EXPORT tool_status tool_invoke(const tool_request *request, const tool_host *host, \
                                        tool_call *call)

/* A tool_invoke() that always gives the same reply. */
#define FIXTURE_REPLIES(content) \
    FIXTURE_INVOKE { return fixture_reply(host, call, content); }

static inline tool_str fixture_str(const char *text) {
    tool_str s = {text, strlen(text)};
    return s;
}

static inline tool_status fixture_reply(const tool_host *host, tool_call *call,
                                        const char *content) {
    tool_str s = fixture_str(content);
    return host->reply(call, &s);
}

/* Appends text as the inside of a JSON string, with up to six times its size. Returns the end. */
static inline char *fixture_quote(char *to, tool_str text) {
    static const char hex[] = "0123456789abcdef";
    for (size_t i = 0; i < text.size; ++i) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20) {
            memcpy(to, "\\u00", 4);
            to[4] = hex[c >> 4];
            to[5] = hex[c & 15];
            to += 6;
            continue;
        }
        if (c == '"' || c == '\\') {
            *to++ = '\\';
        }
        *to++ = (char)c;
    }
    return to;
}

/* The start of the value of a top-level key in a flat JSON object, or NULL. Sufficient for
 * inputs that the fixture's own schema has checked. The copy ends at the input's end. */
static inline char *fixture_value(const tool_request *request, const char *key) {
    char *input = (char *)malloc(request->input.size + 1);
    if (input == NULL) {
        return NULL;
    }
    memcpy(input, request->input.data, request->input.size);
    input[request->input.size] = '\0';
    char *at = strstr(input, key);
    at = at == NULL ? NULL : strchr(at, ':');
    char *value = at == NULL ? NULL : strdup(at + 1 + strspn(at + 1, " "));
    free(input);
    return value;
}

#endif /* TOOLHOST_TESTS_FIXTURE_H */
