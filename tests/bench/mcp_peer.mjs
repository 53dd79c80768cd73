// The same `add` tool, served by the TypeScript SDK: `node mcp_peer.mjs stdio|http`. The packages
// are resolved relative to the working folder.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.cwd() + '/');
const load = async (name) => import(pathToFileURL(require.resolve(name)));
const { McpServer } = await load('@modelcontextprotocol/sdk/server/mcp.js');
const { z } = await load('zod');

function makeServer() {
    const server = new McpServer({ name: 'peer', version: '1.0.0' });
    server.registerTool(
        'add',
        {
            description: 'Adds two numbers.',
            inputSchema: { a: z.number(), b: z.number() },
            outputSchema: { result: z.number() },
        },
        async ({ a, b }) => ({
            content: [{ type: 'text', text: String(a + b) }],
            structuredContent: { result: a + b },
        }),
    );
    return server;
}

if (process.argv[2] === 'stdio') {
    const { StdioServerTransport } = await load('@modelcontextprotocol/sdk/server/stdio.js');
    await makeServer().connect(new StdioServerTransport());
} else {
    const { StreamableHTTPServerTransport } = await load(
        '@modelcontextprotocol/sdk/server/streamableHttp.js');
    const { randomUUID } = await import('node:crypto');
    const sessions = new Map();
    const http = createServer(async (request, response) => {
        let transport = sessions.get(request.headers['mcp-session-id']);
        if (!transport) {
            transport = new StreamableHTTPServerTransport({
                enableJsonResponse: true,
                sessionIdGenerator: () => randomUUID(),
                onsessioninitialized: (id) => sessions.set(id, transport),
            });
            await makeServer().connect(transport);
        }
        await transport.handleRequest(request, response);
    });
    http.listen(0, '127.0.0.1', () =>
        console.error(`serving MCP at http://127.0.0.1:${http.address().port}/mcp`));
}
