/* toolhost C API, version 1: embeds toolhost in a program of any language. It offers what
 * toolhost/host.hpp offers C++ programs, with JSON in and out. Link libtoolhost.so.1;
 * docs/embedding.md is the guide.
 *
 * Conventions:
 *
 * 1. Texts are UTF-8 and end with a NUL. Arguments are borrowed until the function returns; the
 *    arguments of a callback until the callback returns. Text that a function stores through a
 *    `char **` belongs to the caller, who frees it with toolhost_free(). Every such pointer may be
 *    NULL if the text is not wanted.
 *
 * 2. A function that can fail returns a toolhost_status. If it is not TOOLHOST_OK, *error (or
 *    *result) is an error as JSON: {"code", "message", "details"?}, or NULL if memory is exhausted.
 *    A required argument that is NULL, text that is not UTF-8, invalid JSON and unknown keys are
 *    errors with the code "invalid_input".
 *
 * 3. Versions: a minor version only adds functions and appends fields to structs. Every struct that
 *    may grow starts with struct_size, the size that its writer was compiled with. Set unused
 *    members to 0.
 *
 * 4. Threads: every function carries a tag.
 *      [any-thread]     callable from any thread, at any time until toolhost_close()
 *      [invoke-thread]  callable only from the thread that toolhost_tool.invoke was called on
 *      [own-thread]     a callback: called on the caller's thread or on one of the host
 *
 * 5. Exceptions and longjmp never cross these functions, in either direction.
 */
#ifndef TOOLHOST_HOST_H
#define TOOLHOST_HOST_H

#include <stdint.h>

#ifndef TOOLHOST_PUBLIC
#if defined(TOOLHOST_BUILDS_LIBRARY)
#define TOOLHOST_PUBLIC __attribute__((visibility("default")))
#else
#define TOOLHOST_PUBLIC
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toolhost_host toolhost_host;
typedef struct toolhost_cancellation toolhost_cancellation;
typedef struct toolhost_answer toolhost_answer; /* to one question; valid until `ask` returns */
typedef struct toolhost_call_context toolhost_call_context; /* valid until `invoke` returns */

/* The values are those of tool_status in toolhost/plugin.h. */
typedef int32_t toolhost_status;
enum {
    TOOLHOST_OK = 0,
    TOOLHOST_FAILED = 1,
    TOOLHOST_BAD_INPUT = 2,
    TOOLHOST_CANCELLED = 3,
    TOOLHOST_INTERRUPTED = 4, /* no human can be asked now */
    TOOLHOST_DENIED = 5
};

/* Levels of log lines. */
enum { TOOLHOST_DEBUG = 0, TOOLHOST_INFO = 1, TOOLHOST_WARN = 2, TOOLHOST_ERROR = 3 };

/* The version of this library, such as "1.0.0". Never freed. [any-thread] */
TOOLHOST_PUBLIC const char* toolhost_version(void);

/* Frees a text that a function here returned; NULL is ignored. [any-thread] */
TOOLHOST_PUBLIC void toolhost_free(char* text);

/* ---- The host ---- */

typedef struct toolhost_callbacks {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */
    void* data;        /* passed to the functions below */
    /* Receives warnings for the user; may be NULL. [own-thread], and during functions of this
     * host */
    void (*warn)(void* data, const char* text);
} toolhost_callbacks;

/* Loads the configuration and scans the plugin folders. `options` is a JSON object or NULL:
 * {"plugins": [...], "onlyPlugins": [...], "config", "profile", "program", "events",
 * "ownFiles": [...], "probeTimeoutMs", "useCache"}, each optional, as in docs/embedding.md.
 * `callbacks` may be NULL. *host is NULL after an error. [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_open(const char* options,
                                              const toolhost_callbacks* callbacks,
                                              toolhost_host** host, char** error);

/* Cancels running calls, waits for them, ends the workers and frees the host. The host must not
 * be used afterwards. Must not be called from a callback. NULL is ignored. */
TOOLHOST_PUBLIC void toolhost_close(toolhost_host* host);

/* *result: the specs of the tools that the profile allows, as a JSON array. `profile` NULL means
 * the host's own. [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_list(toolhost_host* host, const char* profile,
                                              char** result);

/* Scans the folders and reads the configuration again. Warns about anything unusable and keeps
 * the previous state of it. *changed (may be NULL) is 1 if the set of allowed tools changed,
 * else 0. [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_reload(toolhost_host* host, int32_t* changed,
                                                char** error);

/* Scans the folders whenever something in them changes, from now on. `changed` (may be NULL) is
 * called when the tools have changed. Call it once per host. [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_watch(toolhost_host* host, void (*changed)(void* data),
                                               void* data, char** error);

/* ---- Calls ---- */

typedef int32_t toolhost_consent;
enum {
    TOOLHOST_CONSENT_NONE = 0, /* no answer: the call ends with consent_required */
    TOOLHOST_CONSENT_NO = 1,
    TOOLHOST_CONSENT_ONCE = 2,
    TOOLHOST_CONSENT_ALWAYS = 3
};

/* Follows a call. The functions are called until toolhost_call() returns; each may be NULL. */
typedef struct toolhost_observer {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */
    void* data;        /* passed to the functions below */
    /* The tool streams something, such as "progress". [own-thread] */
    void (*event)(void* data, const char* kind, const char* json);
    /* The tool logs a line. [own-thread] */
    void (*log)(void* data, int32_t level, const char* message);
    /* The tool asks {"id", "name", "tool", "reason", "kind", "askedBy"}. Return TOOLHOST_OK
     * after toolhost_set_answer(), TOOLHOST_DENIED if the user declined, TOOLHOST_CANCELLED if
     * the user dismissed the question, and anything else for no answer. [own-thread] */
    toolhost_status (*ask)(void* data, const char* question, toolhost_answer* answer);
    /* The call requires the user's consent: {"id", "tool", "input", "text"}. Show `text`.
     * [own-thread] */
    toolhost_consent (*consent)(void* data, const char* question);
} toolhost_observer;

/* The answer to the question, as JSON. TOOLHOST_BAD_INPUT: it is not JSON. Within `ask` only. */
TOOLHOST_PUBLIC toolhost_status toolhost_set_answer(toolhost_answer* answer, const char* json);

/* Runs a tool and waits for it. `request` is {"tool", "input"?, "toolUseId"?, "profile"?,
 * "principal"?, "caller"?, "state"?, "timeoutMs"?, "consented"?}. `observer` and `cancellation` may
 * be NULL. *result is always a result: {"toolUseId", "status", "content", "error"?, "truncated"?}.
 * TOOLHOST_OK if its status is "success", else TOOLHOST_FAILED. [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_call(toolhost_host* host, const char* request,
                                              const toolhost_observer* observer,
                                              toolhost_cancellation* cancellation, char** result);

/* A handle to end calls early: all calls that it is passed to, now or later. NULL if memory is
 * exhausted. [any-thread] */
TOOLHOST_PUBLIC toolhost_cancellation* toolhost_cancellation_create(void);
/* Asks the tool to stop, and ends it if it does not. Does not wait. [any-thread] */
TOOLHOST_PUBLIC void toolhost_cancel(toolhost_cancellation* cancellation);
/* Does not affect calls that use it. NULL is ignored. [any-thread] */
TOOLHOST_PUBLIC void toolhost_cancellation_free(toolhost_cancellation* cancellation);

/* ---- Tools of this program ---- */

/* toolhost_tool.flags: calls may run at the same time. Otherwise one runs after the other. */
enum { TOOLHOST_SERIAL = 0, TOOLHOST_CONCURRENT = 1 };

typedef struct toolhost_tool {
    uint32_t struct_size;
    uint32_t flags;
    const char* spec; /* JSON, as a plugin's spec of one tool; the family defaults to "embedder" */
    void* data;       /* passed to the functions below */
    /* Runs one call. `input` is {"tool", "version", "toolUseId", "input", "policy", "state",
     * "principal", "caller", "attempt"}; its "input" is valid against the inputSchema. Returns
     * TOOLHOST_OK after toolhost_reply(), or the result of toolhost_fail(), toolhost_deny() or
     * toolhost_ask(), or TOOLHOST_CANCELLED. [own-thread] */
    toolhost_status (*invoke)(void* data, const char* input, toolhost_call_context* call);
    /* Called once when the tool was removed and its last call has ended; may be NULL. Not called
     * for a tool that was not created. [own-thread] */
    void (*release)(void* data);
} toolhost_tool;

/* Adds a tool. Copies the struct. Errors: "already_exists" if there is a tool with that name;
 * "invalid_spec". [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_create_tool(toolhost_host* host, const toolhost_tool* tool,
                                                     char** error);
/* Removes a tool that was created here. Its running calls continue. Error: "unknown_tool".
 * [any-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_delete_tool(toolhost_host* host, const char* name,
                                                     char** error);

/* Sets the result: a JSON array of content blocks, such as [{"text": "..."}]. Call it once per
 * call. TOOLHOST_BAD_INPUT: it is not JSON. [invoke-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_reply(toolhost_call_context* call, const char* content);
/* Reports why the tool failed. Returns TOOLHOST_FAILED. [invoke-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_fail(toolhost_call_context* call, const char* code,
                                              const char* message);
/* Reports which rule forbids the call. Returns TOOLHOST_DENIED. [invoke-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_deny(toolhost_call_context* call, const char* reason,
                                              const char* message);
/* Streams: kind "progress" with {"progress": 3, "total": 10}, or "text". Returns
 * TOOLHOST_CANCELLED once the call is cancelled. Callable from any thread while `invoke` runs. */
TOOLHOST_PUBLIC toolhost_status toolhost_emit(toolhost_call_context* call, const char* kind,
                                              const char* json);
/* 1 once the tool should stop, else 0. Callable from any thread while `invoke` runs. */
TOOLHOST_PUBLIC int32_t toolhost_cancelled(toolhost_call_context* call);
/* Writes a line to the call's log. Callable from any thread while `invoke` runs. */
TOOLHOST_PUBLIC void toolhost_log(toolhost_call_context* call, int32_t level, const char* message);
/* Calls another tool with all checks of an ordinary call. The spec must declare the tool
 * (needs.tools), and the profile or the user must grant it. *result is as in toolhost_call().
 * TOOLHOST_INTERRUPTED: that tool waits for a human; return it as well. [invoke-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_call_tool(toolhost_call_context* call, const char* tool,
                                                   const char* input, char** result);
/* Asks a human. TOOLHOST_OK: *answer is JSON. TOOLHOST_INTERRUPTED: no human can be asked now.
 * TOOLHOST_DENIED: declined. TOOLHOST_CANCELLED: dismissed. Return these three from `invoke`, or
 * continue without an answer. [invoke-thread] */
TOOLHOST_PUBLIC toolhost_status toolhost_ask(toolhost_call_context* call, const char* name,
                                             const char* reason, char** answer);

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_HOST_H */
