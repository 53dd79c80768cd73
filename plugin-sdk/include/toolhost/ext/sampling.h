/* Host extension "toolhost.sampling/1": asks the caller's own model, through the MCP client that
 * called the tool. The client decides whether, with which model, and may ask its user first. */
#ifndef TOOLHOST_EXT_SAMPLING_H
#define TOOLHOST_EXT_SAMPLING_H

#include "toolhost/plugin.h"

#define TOOL_EXT_SAMPLING "toolhost.sampling/1"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tool_sampling {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */

    /* Both texts are JSON: the params and the result of MCP's sampling/createMessage. The call's
     * clock stands still meanwhile.
     *   TOOL_OK           *result is there
     *   TOOL_INTERRUPTED  it cannot be asked now: ask what else there is to ask, then return that,
     *                     and the call is repeated with the answer, as with interrupt()
     *   TOOL_DENIED       the client declined
     *   TOOL_UNSUPPORTED  no client, or no sampling: continue without it, or return that
     *   TOOL_BAD_INPUT    params_json is no JSON object
     * [invoke-thread] */
    tool_status (*create_message)(tool_call *, const tool_str *params_json, tool_str *result);
} tool_sampling;

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_EXT_SAMPLING_H */
