/* Host extension "toolhost.roots/1": which folders the MCP client that called the tool works in.
 * They are the client's word; what a tool may reach is the profile's. */
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

    /* *result is JSON, the result of MCP's roots/list: {"roots": [{"uri", "name"?}]}. Statuses as
     * of tool_sampling.create_message. [invoke-thread] */
    tool_status (*list)(tool_call *, tool_str *result);
} tool_roots;

#ifdef __cplusplus
}
#endif

#endif /* TOOLHOST_EXT_ROOTS_H */
