// mcp-proxy: HTTP for clients, stdio to the host.
import net from 'node:net';
import { once } from 'node:events';

import { command, toolhost } from './stage.mjs';

// Not supported by the proxy, whatever server is behind it; bridge.mjs supports it.
const ASKS = 'the proxy takes no questions from a server to its client';
const ASKING = [
    'tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums', 'server-stateless/sep-2575-http-server-no-independent-requests-on-stream',
    ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state',
        'multiple-input-requests', 'multi-round', 'missing-input-response', 'non-tool-request',
        'result-type', 'tampered-state', 'capability-check', 'ignore-extra-params',
    ].map((name) => `input-required-result-${name}`),
];
export const PROXY_CANNOT = {
    ...Object.fromEntries(ASKING.map((scenario) => [scenario, ASKS])),
    'dns-rebinding-protection/localhost-host-rebinding-rejected': 'the proxy takes any Host itself',
};

// The proxy requires a port number, so a free one is chosen.
async function freePort() {
    const probe = net.createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    probe.close();
    await once(probe, 'close');
    return port;
}

async function listens(port, timeout = 20000) {
    for (const until = Date.now() + timeout; Date.now() < until;) {
        const socket = net.connect(port, '127.0.0.1');
        try {
            await once(socket, 'connect');
            return;
        } catch {
            await new Promise((done) => { setTimeout(done, 20); });
        } finally {
            socket.destroy();
        }
    }
    throw new Error('mcp-proxy does not listen');
}

export async function proxied(stage, revision) {
    const port = await freePort();
    const upstream = revision >= '2026' ? 'modern' : 'legacy';
    stage.start(process.execPath,
        [command('mcp-proxy', 'dist/bin/mcp-proxy.mjs'), '--host', '127.0.0.1', '--port', `${port}`,
            '--upstreamProtocol', upstream, '--', toolhost, ...stage.args],
        { stdio: ['ignore', 'ignore', 'inherit'] });
    await listens(port);
    return new URL(`http://127.0.0.1:${port}/mcp`);
}
