/* The ABI's layout in numbers. They must never change within major version 1: a plugin of the
 * first release must load for ever. A minor version appends rows and raises the sizes. The
 * numbers are those of a 64-bit system; on others this does not compile. */
#ifndef TOOLHOST_TESTS_ABI_LAYOUT_H
#define TOOLHOST_TESTS_ABI_LAYOUT_H

#include <stddef.h>
#include <toolhost/ext/roots.h>
#include <toolhost/ext/sampling.h>
#include <toolhost/plugin.h>

#ifdef __cplusplus
#define FIXED(condition) static_assert(condition, #condition)
#else
#define FIXED(condition) _Static_assert(condition, #condition)
#endif
#define AT(type, member, offset, size)    \
    FIXED(offsetof(type, member) == offset); \
    FIXED(sizeof(((type *)0)->member) == size)

FIXED(sizeof(tool_str) == 16);
AT(tool_str, data, 0, 8);
AT(tool_str, size, 8, 8);

FIXED(sizeof(tool_status) == 4);
FIXED((tool_status)-1 < 0);

FIXED(sizeof(tool_spec_info) == 32);
AT(tool_spec_info, struct_size, 0, 4);
AT(tool_spec_info, abi_major, 4, 2);
AT(tool_spec_info, abi_minor, 6, 2);
AT(tool_spec_info, flags, 8, 4);
AT(tool_spec_info, reserved, 12, 4);
AT(tool_spec_info, json, 16, 16);

FIXED(sizeof(tool_request) == 128);
AT(tool_request, struct_size, 0, 4);
AT(tool_request, attempt, 4, 4);
AT(tool_request, tool, 8, 16);
AT(tool_request, use_id, 24, 16);
AT(tool_request, input, 40, 16);
AT(tool_request, policy, 56, 16);
AT(tool_request, state, 72, 16);
AT(tool_request, budget_ms, 88, 8); /* 1.0 ends here, with a struct_size of 96 */
AT(tool_request, version, 96, 16);
AT(tool_request, caller, 112, 16);

FIXED(sizeof(tool_host) == 80);
AT(tool_host, struct_size, 0, 4);
AT(tool_host, abi_major, 4, 2);
AT(tool_host, abi_minor, 6, 2);
AT(tool_host, reply, 8, 8);
AT(tool_host, fail, 16, 8);
AT(tool_host, deny, 24, 8);
AT(tool_host, emit, 32, 8);
AT(tool_host, cancelled, 40, 8);
AT(tool_host, log, 48, 8);
AT(tool_host, call_tool, 56, 8);
AT(tool_host, interrupt, 64, 8);
AT(tool_host, extension, 72, 8);

FIXED(sizeof(tool_sampling) == 16);
AT(tool_sampling, struct_size, 0, 4);
AT(tool_sampling, reserved, 4, 4);
AT(tool_sampling, create_message, 8, 8);

FIXED(sizeof(tool_roots) == 16);
AT(tool_roots, struct_size, 0, 4);
AT(tool_roots, reserved, 4, 4);
AT(tool_roots, list, 8, 8);

/* The values are as fixed as the offsets. */
FIXED(TOOL_ABI_MAJOR == 1);
FIXED(TOOL_ABI_MINOR == 1);
FIXED(TOOL_OK == 0);
FIXED(TOOL_FAILED == 1);
FIXED(TOOL_BAD_INPUT == 2);
FIXED(TOOL_CANCELLED == 3);
FIXED(TOOL_INTERRUPTED == 4);
FIXED(TOOL_DENIED == 5);
FIXED(TOOL_UNSUPPORTED == 6);
FIXED(TOOL_SERIAL == 0);
FIXED(TOOL_CONCURRENT == 1);
FIXED(TOOL_LOG_DEBUG == 0);
FIXED(TOOL_LOG_INFO == 1);
FIXED(TOOL_LOG_WARN == 2);
FIXED(TOOL_LOG_ERROR == 3);

#endif /* TOOLHOST_TESTS_ABI_LAYOUT_H */
