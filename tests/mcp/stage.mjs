// The stage of one test: its folders, a host that serves their content, and connections to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const READY = /serving MCP at (http\S+)/;

// Locations of build results, set for each test.
export const toolhost = process.env.TOOLHOST_BINARY;
export const fixtures = process.env.TOOLHOST_FIXTURES;

// The script of a package's command.
export function command(name, script) {
    return path.join(process.env.TOOLHOST_MCP_PACKAGES, 'node_modules', name, script);
}

// Ends a process that this test started, and waits for its end.
export async function end(child, signal = 'SIGTERM') {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
}

// Also if a test fails, no process must be left.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));

export class Stage {
    constructor(...names) {
        this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'toolhost-mcp-'));
        this.plugins = path.join(this.root, 'plugins');
        this.eventFile = path.join(this.root, 'events.jsonl');
        this.children = [];
        for (const folder of ['plugins', 'home', 'tmp', 'aside'])
            fs.mkdirSync(path.join(this.root, folder));
        try {
            for (const name of names) this.add(name);
        } catch (missing) {
            fs.rmSync(this.root, { recursive: true });
            throw missing;
        }
    }

    // Added as by a user: complete, under its final name at once.
    add(name) {
        const aside = path.join(this.root, 'aside', `${name}.so`);
        fs.copyFileSync(path.join(fixtures, name, `${name}.so`), aside);
        fs.renameSync(aside, path.join(this.plugins, `${name}.so`));
    }

    remove(name) {
        fs.rmSync(path.join(this.plugins, `${name}.so`));
    }

    has(name) {
        return fs.existsSync(path.join(this.plugins, `${name}.so`));
    }

    // Without the user's settings, so that a test behaves equally everywhere.
    get env() {
        const home = path.join(this.root, 'home');
        return {
            PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: home,
            XDG_CACHE_HOME: `${home}/.cache`, XDG_CONFIG_HOME: `${home}/.config`,
            XDG_DATA_HOME: `${home}/.local/share`, XDG_STATE_HOME: `${home}/.local/state`,
            TMPDIR: path.join(this.root, 'tmp'),
        };
    }

    get args() {
        return ['serve', '--only-plugins', this.plugins, '--events', this.eventFile, '--probe-timeout',
            '60000'];
    }

    // The command for a client over stdio.
    get stdio() {
        return { command: toolhost, args: this.args, env: this.env, cwd: this.root };
    }

    start(file, args, options = {}) {
        const child = spawn(file, args, { env: this.env, cwd: this.root, ...options });
        this.children.push(child);
        running.add(child);
        child.once('exit', () => running.delete(child));
        return child;
    }

    serveHttp() {
        return this.ready(this.start(toolhost, [...this.args, '--http', '127.0.0.1:0', '--no-auth'],
            { stdio: ['ignore', 'ignore', 'pipe'] }));
    }

    // The url at which a host serves; its other output is passed on.
    ready(child) {
        return new Promise((ready, failed) => {
            readline.createInterface({ input: child.stderr })
                .on('line', (line) => {
                    const said = READY.exec(line);
                    if (said) ready(new URL(said[1]));
                    else console.error(line);
                })
                .on('close', () => failed(new Error('toolhost ended before it served')));
        });
    }

    // The events so far.
    events() {
        if (!fs.existsSync(this.eventFile)) return [];
        const lines = fs.readFileSync(this.eventFile, 'utf8').split('\n');
        return lines.slice(0, -1).map((line) => JSON.parse(line));
    }

    // The first matching event, past or future.
    async event(fits, timeout = 10000) {
        for (const until = Date.now() + timeout; Date.now() < until;) {
            const found = this.events().find(fits);
            if (found) return found;
            await new Promise((done) => { setTimeout(done, 20); });
        }
        throw new Error(`no such event: ${fits}`);
    }

    async close() {
        for (const child of this.children.reverse()) await end(child);
        fs.rmSync(this.root, { recursive: true, force: true });
    }
}
