/* Hostile: sends the host too much in every possible way. */
#define _GNU_SOURCE
#include "hostile.h"

FIXTURE_SPEC({
    "family": "hostile_output",
    "tools": [
        {
            "name": "hostile_output",
            "description": "Says too much.",
            "needs": {"tools": ["echo"]},
            "inputSchema": {
                "type": "object",
                "properties": {
                    "how": {"type": "string"},
                    "bytes": {"type": "integer"},
                    "ref": {"type": "string"}
                },
                "required": ["how"]
            }
        },
        {
            "name": "hostile_promise",
            "description": "Replies with much that is not what it promised.",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object", "required": ["small"]}
        }
    ]
})

/* `before`, then `part` repeated up to that many bytes, then `after`. */
static char *repeated(const char *before, const char *part, size_t bytes, const char *after) {
    const size_t length = strlen(part);
    char *text = malloc(strlen(before) + bytes + length + strlen(after) + 1);
    if (text == NULL) {
        abort();
    }
    char *end = stpcpy(text, before);
    for (size_t i = 0; i < bytes; i += length) {
        memcpy(end, part, length);
        end += length;
    }
    stpcpy(end, after);
    return text;
}

static tool_status log_without_end(const tool_host *host, tool_call *call, size_t bytes) {
    char *line = repeated("", "a long line of a log ", 100000, "");
    for (size_t said = 0; said < bytes; said += 100000) {
        const tool_str text = fixture_str(line);
        host->log(call, TOOL_LOG_WARN, &text);
    }
    return fixture_reply(host, call, "[{\"text\":\"logged\"}]");
}

static tool_status emit_without_end(const tool_host *host, tool_call *call, size_t bytes) {
    char *part = repeated("\"", "streamed ", 100000, "\"");
    const tool_str kind = fixture_str("text");
    for (size_t said = 0; said < bytes; said += 100000) {
        const tool_str text = fixture_str(part);
        host->emit(call, &kind, &text);
    }
    return fixture_reply(host, call, "[{\"text\":\"emitted\"}]");
}

static tool_status ask(const tool_host *host, tool_call *call, size_t bytes) {
    const tool_str name = fixture_str("question");
    const tool_str reason = fixture_str(repeated("\"", "sure? ", bytes, "\""));
    tool_str answer = {NULL, 0};
    return host->interrupt(call, &name, &reason, &answer);
}

static tool_status call_with_values(const tool_host *host, tool_call *call, const char *reference,
                                    size_t bytes) {
    const tool_str ref = fixture_str(reference);
    const tool_str input = fixture_str(repeated("{\"a\":[1", ",[]", bytes, "]}"));
    tool_str result = {NULL, 0};
    const tool_status status = host->call_tool(call, &ref, &input, &result);
    char *content = malloc(result.size * 6 + 64);
    if (content == NULL) {
        return TOOL_FAILED;
    }
    char *end = stpcpy(content, "[{\"text\":\"");
    end = fixture_quote(end, result);
    stpcpy(end, "\"}]");
    (void)status;
    return fixture_reply(host, call, content);
}

static tool_status deny(const tool_host *host, tool_call *call, size_t bytes) {
    const tool_str reason = fixture_str(repeated("", "because ", bytes, ""));
    return host->deny(call, &reason, &reason);
}

FIXTURE_INVOKE {
    if (request->tool.size == strlen("hostile_promise")) {
        return fixture_reply(host, call,
                             repeated("[{\"json\":\"", "not an object ", 20000000, "\"}]"));
    }
    const size_t bytes = (size_t)atol(hostile_text(request, "\"bytes\""));
    if (hostile_is(request, "values")) {
        return fixture_reply(host, call, repeated("[{\"json\":[1", ",[]", bytes, "]}]"));
    }
    if (hostile_is(request, "blocks")) {
        return fixture_reply(host, call, repeated("[{\"text\":\"\"}", ",{\"text\":\"\"}", bytes, "]"));
    }
    if (hostile_is(request, "image")) {
        return fixture_reply(host, call,
                             repeated("[{\"image\":{\"format\":\"png\",\"source\":{\"bytes\":\"", "AAAA",
                                      bytes, "\"}}}]"));
    }
    if (hostile_is(request, "uri")) {
        return fixture_reply(
            host, call,
            repeated("[{\"resourceLink\":{\"name\":\"n\",\"uri\":\"", "a:b/", bytes, "\"}}]"));
    }
    if (hostile_is(request, "log")) {
        return log_without_end(host, call, bytes);
    }
    if (hostile_is(request, "emit")) {
        return emit_without_end(host, call, bytes);
    }
    if (hostile_is(request, "ask")) {
        return ask(host, call, bytes);
    }
    if (hostile_is(request, "call")) {
        return call_with_values(host, call, hostile_text(request, "\"ref\""), bytes);
    }
    return deny(host, call, bytes);
}
