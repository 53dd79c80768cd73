// The inspector's command line as a user types it: list and call, over both transports.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';

import { Stage, command, toolhost } from './stage.mjs';

const INSPECTOR = command('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');

async function inspect(stage, ...args) {
    const child = stage.start(process.execPath, [INSPECTOR, '--cli', ...args],
        { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '', err = '';
    child.stdout.on('data', (text) => { out += text; });
    child.stderr.on('data', (text) => { err += text; });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, `${out}${err}`);
    return JSON.parse(out);
}

const WAYS = {
    stdio: (stage) => [toolhost, ...stage.args],
    HTTP: async (stage) => [(await stage.serveHttp()).href, '--transport', 'http'],
};

for (const [name, target] of Object.entries(WAYS))
    test(`inspector over ${name}`, { timeout: 60000 }, async () => {
        const stage = new Stage('conformance', 'adder');
        try {
            const to = await target(stage);
            // --strict: no schema that some client or model does not support.
            const { tools } = await inspect(stage, ...to, '--method', 'tools/list', '--strict');
            assert.ok(tools.some((tool) => tool.name === 'adder'));
            const result = await inspect(stage, ...to, '--method', 'tools/call',
                '--tool-name', 'adder', '--tool-arg', 'a=2', 'b=3');
            assert.equal(result.content[0].text, '5');
        } finally {
            await stage.close();
        }
    });
