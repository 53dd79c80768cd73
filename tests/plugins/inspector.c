/* Good: replies everything that the host passed, so that tests see the plugin's side of a call. */
#include <stdio.h>

#include "fixture.h"

FIXTURE_SPEC({
    "name": "inspector",
    "description": "Shows its request.",
    "inputSchema": {"type": "object"}
})

#define TEXT(s) (int)(s).size, (s).data

FIXTURE_INVOKE {
    char content[4096];
    snprintf(content, sizeof content,
             "[{\"json\":{\"tool\":\"%.*s\",\"useId\":\"%.*s\",\"input\":%.*s,\"policy\":%.*s,"
             "\"state\":%.*s,\"attempt\":%u,\"budgetMs\":%lld,\"cancelled\":%d,"
             "\"noExtension\":%s,\"abiMajor\":%u,\"abiMinor\":%u,\"version\":\"%.*s\","
             "\"caller\":\"%.*s\",\"structsLargeEnough\":%s}}]",
             TEXT(request->tool), TEXT(request->use_id), TEXT(request->input),
             TEXT(request->policy), TEXT(request->state), request->attempt,
             (long long)request->budget_ms, host->cancelled(call),
             host->extension(host, "toolhost.no-such-extension/1") == NULL ? "true" : "false",
             host->abi_major, host->abi_minor, TEXT(request->version), TEXT(request->caller),
             request->struct_size >= sizeof *request && host->struct_size >= sizeof *host
                 ? "true"
                 : "false");
    return fixture_reply(host, call, content);
}
