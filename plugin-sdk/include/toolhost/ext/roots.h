/* Host extension "toolhost.roots/1": the folders in which the MCP client that called the tool
 * works. They come from the client; only the profile determines what a tool may access. */
#ifndef TOOLHOST_EXT_ROOTS_H
#define TOOLHOST_EXT_ROOTS_H

#include "toolhost/plugin.h"

#define TOOL_EXT_ROOTS "toolhost.roots/1"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tool_roots {
    uint32_t struct_size;
    uint32_t reserved; /* 0 */

    /* *result is the result of MCP's roots/list as JSON: {"roots": [{"uri", "name"?}]}. Returns
     * the statuses of tool_sampling.create_message. [invoke-thread] */
    tool_status (*list)(tool_call *, tool_str *result);
} tool_roots;

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_EXT_ROOTS_H */
