/* toolhost plugin ABI, version 1.
 *
 * A plugin is a shared library that exports tool_spec() and tool_invoke(). The same file may run
 * inside the host's process or in a worker process without being rebuilt. Therefore the interface
 * passes only bytes: no callbacks into foreign objects and no handles.
 *
 * Conventions:
 *
 * 1. Strings are UTF-8, given as pointer and size, and are not NUL-terminated. They are borrowed:
 *    the receiver copies what it keeps. Strings from the host are valid until tool_invoke()
 *    returns. Strings from the plugin must be valid until the called function returns, except
 *    tool_spec()'s result, which must be valid as long as the library is loaded.
 *
 * 2. Ownership is never transferred. Neither side frees memory that the other allocated.
 *
 * 3. tool_invoke() calls reply() once and returns TOOL_OK; or calls fail() or deny() and returns
 *    the status that the function returned; or returns another status without content.
 *
 * 4. Versions: a host refuses another major version. A minor version only appends fields to the
 *    end of structs. Every struct that may grow starts with struct_size, the size that its writer
 *    was compiled with. Readers must not read beyond it.
 *
 * 5. Threads: every function carries a tag.
 *      [any-thread]     callable from any thread, while the call runs
 *      [invoke-thread]  callable only from the thread that tool_invoke() was called on
 *      [main-thread]    called by the host once, before or after all others
 *    The host calls tool_invoke() from several threads at once only if the library has the flag
 *    TOOL_CONCURRENT.
 *
 * 6. Beside tools, the spec may offer resources, resourceTemplates and prompts, in MCP's forms. The
 *    host requests an offer through tool_invoke() with a reserved tool name:
 *      TOOL_RESOURCES_READ       input {"uri"}; replies {"resource": {"uri", "mimeType"?,
 *                                "text" | "blob"}} blocks, or fail("not_found", ...)
 *      TOOL_PROMPTS_GET          input {"name", "arguments": {...}}; replies one block
 *                                {"json": {"description"?, "messages": [{"role", "content"}]}}
 *      TOOL_COMPLETION_COMPLETE  input {"ref", "argument": {"name", "value"}, "context"?}; replies
 *                                one block {"json": {"values": ["..."], "total"?, "hasMore"?}};
 *                                without completions, return TOOL_UNSUPPORTED
 *
 * 7. Exceptions and longjmp never cross these functions. plugin.hpp catches them for C++.
 */
#ifndef TOOLHOST_PLUGIN_H
#define TOOLHOST_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TOOL_EXPORT __declspec(dllexport)
#else
#define TOOL_EXPORT __attribute__((visibility("default")))
#endif

#define TOOL_ABI_MAJOR 1
#define TOOL_ABI_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/* UTF-8, borrowed, not NUL-terminated. */
typedef struct tool_str {
    const char *data;
    size_t size;
} tool_str;

/* One invocation; opaque. Valid until tool_invoke() returns. */
typedef struct tool_call tool_call;

typedef int32_t tool_status;
enum {
    TOOL_OK = 0,
    TOOL_FAILED = 1,      /* the tool could not do it; fail() said why */
    TOOL_BAD_INPUT = 2,   /* the input is valid by its schema and still not acceptable */
    TOOL_CANCELLED = 3,   /* the tool stopped because it was asked to */
    TOOL_INTERRUPTED = 4, /* a human's answer is needed first; see interrupt() */
    TOOL_DENIED = 5,      /* the tool's own policy forbids it; deny() said which rule */
    TOOL_UNSUPPORTED = 6  /* no such tool, or no such function in this host */
};

/* tool_spec_info.flags */
enum {
    TOOL_SERIAL = 0,    /* never two calls at once into this library */
    TOOL_CONCURRENT = 1 /* tool_invoke() may run on several threads at once */
};

/* Reserved values of tool_request.tool for offers beside tools; no tool can have such a name. */
#define TOOL_RESOURCES_READ "resources/read"
#define TOOL_PROMPTS_GET "prompts/get"
#define TOOL_COMPLETION_COMPLETE "completion/complete"

/* Levels of tool_host.log. */
enum { TOOL_LOG_DEBUG = 0, TOOL_LOG_INFO = 1, TOOL_LOG_WARN = 2, TOOL_LOG_ERROR = 3 };

typedef struct tool_spec_info {
    uint32_t struct_size;
    uint16_t abi_major, abi_minor;
    uint32_t flags;
    uint32_t reserved; /* 0 */
    tool_str json;     /* one tool, or {"family": ..., "tools": [...]}; see 6 for offers */
} tool_spec_info;

typedef struct tool_request {
    uint32_t struct_size;
    uint32_t attempt;  /* 0 at first; +1 each time the call is repeated after an interrupt */
    tool_str tool;     /* name of the tool, or a reserved name */
    tool_str use_id;   /* toolUseId */
    tool_str input;    /* JSON, already valid against inputSchema */
    tool_str policy;   /* JSON, the effective policy of this tool in this profile */
    tool_str state;    /* JSON, the caller's invocation state, read-only */
    int64_t budget_ms; /* remaining time of the call; -1: no limit */
    /* since 1.1 */
    tool_str version; /* the tool's version, as in its spec */
    tool_str caller;  /* identity of the caller: opaque, unique for each client, and not forgeable
                         by clients; empty if there is only one user */
} tool_request;

typedef struct tool_host {
    uint32_t struct_size;
    uint16_t abi_major, abi_minor;

    /* Sets the result: a JSON array of content blocks. Once per call; a second one is an error.
     * [invoke-thread] */
    tool_status (*reply)(tool_call *, const tool_str *content_json);

    /* Reports why the tool failed. Returns TOOL_FAILED, for tool_invoke() to return.
     * [invoke-thread] */
    tool_status (*fail)(tool_call *, const tool_str *code, const tool_str *message);

    /* Reports which rule forbids the call, as a short, stable reason. Returns TOOL_DENIED, for
     * tool_invoke() to return. [invoke-thread] */
    tool_status (*deny)(tool_call *, const tool_str *reason, const tool_str *message);

    /* Streams: kind "progress" with {"progress": 3, "total": 10, "message": "..."}, or "text".
     * Returns TOOL_CANCELLED once the call is cancelled. [any-thread] */
    tool_status (*emit)(tool_call *, const tool_str *kind, const tool_str *json);

    /* Not 0 once the tool should stop. [any-thread] */
    int32_t (*cancelled)(tool_call *);

    /* Writes a line to the call's log. [any-thread] */
    void (*log)(tool_call *, int32_t level, const tool_str *message);

    /* Calls another tool through the host, with all checks of an ordinary call. The spec must
     * declare it (needs.tools) and the profile or the user must grant it. *result is the
     * ToolResult as JSON, even if that call fails. [invoke-thread] */
    tool_status (*call_tool)(tool_call *, const tool_str *ref, const tool_str *input,
                             tool_str *result);

    /* Asks a human. TOOL_OK: *answer is JSON. TOOL_INTERRUPTED: no human can be asked now; ask
     * any further questions, then return it, and the call is repeated with the answers.
     * TOOL_DENIED: the human declined. TOOL_CANCELLED: the question was dismissed without a
     * choice. Continue without an answer, or return the status. Ask before acting.
     * [invoke-thread] */
    tool_status (*interrupt)(tool_call *, const tool_str *name, const tool_str *reason_json,
                             tool_str *answer);

    /* A host extension such as "toolhost.x/1", or NULL. [any-thread] */
    const void *(*extension)(const struct tool_host *, const char *id);
} tool_host;

/* Describes the library's tools. Must be fast and have no effects: it is also called when the
 * library is only inspected. The result stays valid while the library is loaded. [main-thread] */
TOOL_EXPORT const tool_spec_info *tool_spec(void);

/* Runs one call. [invoke-thread] */
TOOL_EXPORT tool_status tool_invoke(const tool_request *, const tool_host *, tool_call *);

/* Optional. Called once before the first call; any status but TOOL_OK makes the library
 * unavailable. [main-thread] */
TOOL_EXPORT tool_status tool_open(const tool_host *);

/* Optional. Called once after the last call, when the process ends normally. [main-thread] */
TOOL_EXPORT void tool_close(void);

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_PLUGIN_H */
