/* Host extension "toolhost.sampling/1": asks the model of the MCP client that called the tool.
 * The client decides whether and with which model, and may ask its user first. */
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
     * timeout is suspended meanwhile.
     *   TOOL_OK           *result is set
     *   TOOL_INTERRUPTED  the client cannot be asked now: ask any further questions, then return
     *                     this, and the call is repeated with the answer, as with interrupt()
     *   TOOL_DENIED       the client declined
     *   TOOL_UNSUPPORTED  no client, or no sampling: continue without it, or return this
     *   TOOL_BAD_INPUT    params_json is not a JSON object
     * [invoke-thread] */
    tool_status (*create_message)(tool_call *, const tool_str *params_json, tool_str *result);
} tool_sampling;

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_EXT_SAMPLING_H */
