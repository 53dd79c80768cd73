// docs.mjs PAGE: the configurations of docs/clients.md, each used as it is written. `toolhost` is in
// PATH, as the page wants it; the programs that only take a configuration are stood in for.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { Stage, command, toolhost } from './stage.mjs';

const page = fs.readFileSync(process.argv[2], 'utf8');
const stage = new Stage();
const bin = path.join(stage.root, 'bin');
const env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
let served;

// {section, language, text} of every fenced block.
function blocks() {
    const found = [];
    let section = '', open = null;
    for (const line of page.split('\n')) {
        if (open && line === '```') { found.push(open); open = null; }
        else if (open) open.text += `${line}\n`;
        else if (line.startsWith('## ')) section = line.slice(3);
        else if (line.startsWith('```'))
            open = { section, language: line.slice(3), text: '' };
    }
    return found;
}

function standIn(name, text) {
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

async function output(file, args) {
    const child = stage.start(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (text) => { out += text; });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, `${file} ${args.join(' ')}: ${out}`);
    return out;
}

async function answers(transport) {
    const client = new Client({ name: 'docs', version: '1.0.0' });
    await client.connect(transport);
    const { content } = await client.callTool(
        { name: 'calculator', arguments: { expression: 'sqrt(1764)' } });
    assert.match(content[0].text, /42/);
    await client.close();
}

const starts = ({ command: file, args }) =>
    answers(new StdioClientTransport({ command: file, args, env, cwd: stage.root }));

// The page has a port, the test one that was free.
function here(url) {
    assert.equal(url.replace(/:\d+\//, '/'), served.href.replace(/:\d+\//, '/'));
    return served;
}
const reaches = (url) => answers(new StreamableHTTPClientTransport(here(url)));

async function use({ command: file, args, url }) {
    if (file) await starts({ command: file, args });
    else await reaches(url);
}

const LANGUAGES = {
    async json(text) {
        const { mcpServers, servers } = JSON.parse(text);
        await use((mcpServers ?? servers).toolhost);
    },

    async sh(text) {
        for (const line of text.trim().split('\n')) {
            if (line.startsWith('toolhost serve --http')) {
                here(`http://${line.split(' ').at(-1)}/mcp`);
                continue;
            }
            const out = await output('sh', ['-c', line]);
            if (line.startsWith('npx')) assert.match(out, /calculator|42/);
            else await use(JSON.parse(out));
        }
    },

    // Compiled; and what it would start or reach is read out of it.
    async python(text) {
        const file = path.join(stage.root, 'page.py');
        fs.writeFileSync(file, text);
        const reader = new URL('read_python.py', import.meta.url).pathname;
        await use(JSON.parse(await output('python3', [reader, file])));
    },

    // No model answers here: in the agent's place the tools are listed.
    async ts(text) {
        const file = path.join(stage.root, 'page.mjs');
        fs.writeFileSync(file, text.replaceAll('http://127.0.0.1:8080/mcp', served.href)
            .replace(/^await agent\.invoke.*$/m,
                'console.log((await toolhost.listTools()).map((tool) => tool.name))'));
        const hook = new URL('packages.mjs', import.meta.url).pathname;
        assert.match(await output(process.execPath, ['--import', hook, file]), /calculator/);
    },
};

before(async () => {
    fs.mkdirSync(bin);
    fs.symlinkSync(toolhost, path.join(bin, 'toolhost'));
    env.TOOLHOST_MCP_PACKAGES = process.env.TOOLHOST_MCP_PACKAGES;
    const inspector = command('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');
    standIn('npx', `shift; exec '${process.execPath}' '${inspector}' "$@"`);
    // What `claude mcp add` would remember.
    standIn('claude', `exec '${process.execPath}' -e '
        const words = process.argv.slice(1), dashes = words.indexOf("--");
        console.log(JSON.stringify(dashes < 0 ? { url: words.at(-1) }
            : { command: words[dashes + 1], args: words.slice(dashes + 2) }))' -- "$@"`);
    served = await stage.serveHttp(['serve']);
});
after(() => stage.close());

const all = blocks();
test('the page has what it promises', () => {
    for (const client of ['Claude Desktop', 'Claude Code', 'VS Code', 'Cursor', 'Strands, Python',
        'Strands, TypeScript', 'LangChain, Python', 'LangChain, TypeScript', 'Over HTTP'])
        assert.ok(all.some(({ section }) => section === client), client);
});
for (const [index, { section, language, text }] of all.entries())
    test(`${section}: ${language} ${index + 1}`, { timeout: 60000 }, () => LANGUAGES[language](text));
