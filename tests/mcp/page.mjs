// The blocks of a page, and an environment in which they work: `toolhost` is in PATH, and programs
// that only store a configuration are replaced by stubs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { Stage, command, toolhost } from './stage.mjs';

// {section, language, text} of every fenced block.
export function blocksOf(page) {
    const found = [];
    let section = '', open = null;
    for (const line of page.split('\n')) {
        if (open && line === '```') {
            found.push(open);
            open = null;
        } else if (open) {
            open.text += `${line}\n`;
        } else if (line.startsWith('## ')) {
            section = line.slice(3);
        } else if (line.startsWith('```')) {
            open = { section, language: line.slice(3), text: '' };
        }
    }
    return found;
}

const INSPECTOR = command('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');

// The configuration that `claude mcp add` would store, as JSON.
const CLAUDE = `
    const words = process.argv.slice(1), dashes = words.indexOf("--");
    const header = words.indexOf("--header");
    const [key, value] = header < 0 ? [] : words[header + 1].split(": ");
    console.log(JSON.stringify(dashes >= 0
        ? { command: words[dashes + 1], args: words.slice(dashes + 2) }
        : { url: words.find((word) => word.startsWith("http:")), headers: key && { [key]: value } }))`;

export class Machine extends Stage {
    constructor() {
        super();
        this.bin = path.join(this.root, 'bin');
        fs.mkdirSync(this.bin);
        fs.symlinkSync(toolhost, path.join(this.bin, 'toolhost'));
        this.standIn('npx', `shift; exec '${process.execPath}' '${INSPECTOR}' "$@"`);
        this.standIn('claude', `exec '${process.execPath}' -e '${CLAUDE}' -- "$@"`);
    }

    get env() {
        const { TOOLHOST_MCP_PACKAGES } = process.env;
        const env = { ...super.env, TOOLHOST_MCP_PACKAGES, PATH: `${this.bin}:${super.env.PATH}` };
        return this.token ? { ...env, TOOLHOST_TOKEN: this.token } : env;
    }

    standIn(name, text) {
        fs.writeFileSync(path.join(this.bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }

    file(name, text) {
        const file = path.join(this.root, name);
        fs.writeFileSync(file, text);
        return file;
    }

    async output(file, ...args) {
        const child = this.start(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        let out = '';
        child.stdout.on('data', (text) => { out += text; });
        const [code] = await once(child, 'close');
        assert.equal(code, 0, `${file} ${args.join(' ')}: ${out}`);
        return out;
    }
}
