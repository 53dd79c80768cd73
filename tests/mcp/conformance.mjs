// conformance.mjs REVISION WAY: the official suite against the real host. Checks that the suite
// does not score are shown but not counted; a warning in a scored check is a failure here.
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { BRIDGE_CANNOT, bridged } from './bridge.mjs';
import { tend } from './gardener.mjs';
import { PROXY_CANNOT, proxied } from './proxy.mjs';
import { Stage, command } from './stage.mjs';

// How the suite, which speaks HTTP, connects to the host; and known exceptions: {scenario: reason},
// or {scenario/check: reason} if the rest of the scenario works.
const WAYS = {
    http: { open: (stage) => stage.serveHttp(), cannot: {} },
    'mcp-proxy': { open: proxied, cannot: PROXY_CANNOT },
    stdio: { open: bridged, cannot: BRIDGE_CANNOT },
};

const [revision, wayName] = process.argv.slice(2);
const way = WAYS[wayName];
const SUITE = command('@modelcontextprotocol/conformance', 'dist/index.js');

async function runSuite(stage, url, results) {
    const suite = stage.start(process.execPath,
        [SUITE, 'server', '--url', url, '--requirements', revision, '-o', results],
        { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [suite.stdout, suite.stderr])
        stream.on('data', (text) => { said += text; });
    const [code] = await once(suite, 'close');
    return { code, said };
}

// The scored scenarios of a list in the suite's requirements file.
function scored() {
    const file = command('@modelcontextprotocol/conformance', `requirements/${revision}.yaml`);
    const list = /^server:\n((?: {2}- .*\n)+)/m.exec(fs.readFileSync(file, 'utf8'))[1];
    return list.trim().split('\n').map((line) => line.replace(/^\s*- /, ''));
}

// {scenario: its checks}; folders are named server-SCENARIO-TIME.
function readChecks(results) {
    const checks = {};
    for (const folder of fs.readdirSync(results)) {
        const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
        checks[name] = JSON.parse(fs.readFileSync(path.join(results, folder, 'checks.json')));
    }
    return checks;
}

function verdict(checks) {
    const faults = [];
    for (const scenario of scored()) {
        const found = checks[scenario] ?? [];
        for (const { id, status, errorMessage } of found)
            if (status === 'FAILURE' || status === 'WARNING')
                faults.push({ keys: [scenario, `${scenario}/${id}`],
                    text: `${status} ${scenario} ${id}: ${errorMessage}` });
        if (!found.some(({ status }) => status === 'SUCCESS'))
            faults.push({ keys: [scenario], text: `${scenario}: no check passed` });
    }
    return faults;
}

// An exception that is no longer needed would hide a future failure.
function needless(faults) {
    const needed = new Set(faults.flatMap(({ keys }) => keys));
    return Object.keys(way.cannot)
        .filter((key) => scored().includes(key.split('/')[0]) && !needed.has(key))
        .map((key) => ({ keys: [], text: `${key} gets through ${wayName}: take out its excuse` }));
}

const stage = new Stage('conformance');
const stop = tend(stage, 'late');
try {
    const url = await way.open(stage, revision);
    const results = path.join(stage.root, 'results');
    const { code, said } = await runSuite(stage, url.href, results);
    const faults = verdict(readChecks(results));
    const excused = faults.filter(({ keys }) => keys.some((key) => key in way.cannot));
    const ours = [...faults.filter((fault) => !excused.includes(fault)), ...needless(faults)];
    console.log(said.slice(ours.length ? 0 : said.indexOf('=== SUMMARY')));
    for (const [key, why] of Object.entries(way.cannot))
        if (excused.some(({ keys }) => keys.includes(key)))
            console.log(`does not get through ${wayName}: ${key}: ${why}`);
    if (code !== 0 && excused.length === 0)
        ours.push({ text: `the suite's exit code is ${code}` });
    for (const { text } of ours) console.log(text);
    console.log(`${scored().length} scored scenarios, ${ours.length} faults`);
    process.exitCode = ours.length ? 1 : 0;
} finally {
    stop();
    await stage.close();
}
