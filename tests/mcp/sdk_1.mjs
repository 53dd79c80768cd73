// npm @modelcontextprotocol/sdk 1.x, which most clients use.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
    CallToolResultSchema, ElicitRequestSchema, ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

import { walk } from './walk.mjs';

async function connect(transport, { elicit, toolsChanged }) {
    const client = new Client({ name: 'sdk_1', version: '1.0.0' },
        { capabilities: elicit ? { elicitation: {} } : {} });
    if (elicit) client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params));
    if (toolsChanged)
        client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
    await client.connect(transport);
    return {
        client,
        call: (params, options) => client.callTool(params, CallToolResultSchema, options),
        async close() {
            await transport.terminateSession?.();
            await client.close();
        },
    };
}

walk({
    name: 'sdk 1.x over stdio',
    connect: (stage, handlers) =>
        connect(new StdioClientTransport({ ...stage.stdio, stderr: 'inherit' }), handlers),
});
walk({
    name: 'sdk 1.x over HTTP',
    connect: async (stage, handlers) =>
        connect(new StreamableHTTPClientTransport(await stage.serveHttp()), handlers),
});
