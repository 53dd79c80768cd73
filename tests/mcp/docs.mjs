// docs.mjs PAGE: uses the configurations in docs/clients.md as written, in the page's order.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test, { after } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { Machine, blocksOf } from './page.mjs';

// The page has a fixed port, the test a free one.
const WRITTEN = 'http://127.0.0.1:8080/mcp';

const machine = new Machine();
after(() => machine.close());
let served;

async function answers(transport) {
    const client = new Client({ name: 'docs', version: '1.0.0' });
    try {
        await client.connect(transport);
        const { content } = await client.callTool(
            { name: 'calculator', arguments: { expression: 'sqrt(1764)' } });
        assert.match(content[0].text, /42/);
    } finally {
        await client.close();  // otherwise its process keeps this one alive
    }
}

// Connects as a client does with its configuration.
async function use({ command, args, url, headers }) {
    if (command)
        return answers(new StdioClientTransport({ command, args, env: machine.env, cwd: machine.root }));
    assert.equal(url, WRITTEN);
    if (machine.token) await assert.rejects(answers(new StreamableHTTPClientTransport(served)));
    return answers(new StreamableHTTPClientTransport(served, { requestInit: { headers } }));
}

// Lines of sh, by their beginning.
const LINES = {
    'toolhost serve --http': async (line) => {
        served = await machine.ready(machine.start('sh', ['-c', `exec ${line.replace(':8080', ':0')}`],
            { stdio: ['ignore', 'ignore', 'pipe'] }));
        assert.equal(WRITTEN.replace('8080', served.port), served.href);
    },
    'toolhost token': async (line) => {
        machine.token = (await machine.output('sh', '-c', line)).trim();
    },
    claude: async (line) => use(JSON.parse(await machine.output('sh', '-c', line))),
    npx: async (line) => assert.match(await machine.output('sh', '-c', line), /calculator|42/),
};

const LANGUAGES = {
    async json(text) {
        const filled = text.replace(/\$\{(input:token|env:TOOLHOST_TOKEN)\}/, machine.token);
        const { mcpServers, servers } = JSON.parse(filled);
        await use((mcpServers ?? servers).toolhost);
    },

    async sh(text) {
        for (const line of text.trim().split('\n')) {
            const known = Object.keys(LINES).find((start) => line.startsWith(start));
            assert.ok(known, line);
            await LINES[known](line);
        }
    },

    // Compiled; its command or address is extracted.
    async python(text) {
        const reader = new URL('read_python.py', import.meta.url).pathname;
        await use(JSON.parse(await machine.output('python3', reader, machine.file('page.py', text))));
    },

    // There is no model; instead of running the agent, the tools are listed.
    async ts(text) {
        const hook = new URL('packages.mjs', import.meta.url).pathname;
        const script = text.replaceAll(WRITTEN, served?.href).replace(/^await agent\.invoke.*$/m,
            'console.log((await toolhost.listTools()).map((tool) => tool.name))');
        assert.match(await machine.output(process.execPath, '--import', hook,
            machine.file('page.mjs', script)), /calculator/);
    },
};

const blocks = blocksOf(fs.readFileSync(process.argv[2], 'utf8'));
test('the page has what it promises', () => {
    for (const client of ['Claude Desktop', 'Claude Code', 'VS Code', 'Cursor', 'Strands, Python',
        'Strands, TypeScript', 'LangChain, Python', 'LangChain, TypeScript', 'Over HTTP'])
        assert.ok(blocks.some(({ section }) => section === client), client);
});
for (const [index, { section, language, text }] of blocks.entries())
    test(`${section}: ${language} ${index + 1}`, { timeout: 60000 }, () => LANGUAGES[language](text));
