// npm @modelcontextprotocol/client 2.x, in both eras: with sessions as in 1.x, and 2026-07-28.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { walk } from './walk.mjs';

const ERAS = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } };

async function connect(transport, mode, { elicit, toolsChanged }) {
    const options = {
        capabilities: elicit ? { elicitation: {} } : {},
        versionNegotiation: { mode },
    };
    if (toolsChanged) options.listChanged = { tools: { onChanged: toolsChanged, debounceMs: 0 } };
    const client = new Client({ name: 'client_2', version: '1.0.0' }, options);
    if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
    await client.connect(transport);
    return {
        client,
        call: (params, given) => client.callTool(params, given),
        close: () => client.close(),
    };
}

for (const [revision, mode] of Object.entries(ERAS)) {
    walk({
        name: `client 2.x, ${revision}, over stdio`,
        connect: (stage, handlers) =>
            connect(new StdioClientTransport({ ...stage.stdio, stderr: 'inherit' }), mode, handlers),
    });
    walk({
        name: `client 2.x, ${revision}, over HTTP`,
        connect: async (stage, handlers) =>
            connect(new StreamableHTTPClientTransport(await stage.serveHttp()), mode, handlers),
    });
}
