// Actions of every client over every transport: list, call, fail, receive progress, cancel, read,
// answer a question, and receive a change of the list.
//
// A way is {name, connect(stage, handlers)}; connect returns {client, call(params, options),
// close()}, whatever the names in the library. handlers: elicit(params) -> answer, toolsChanged().
import assert from 'node:assert/strict';
import test from 'node:test';

import { Stage } from './stage.mjs';

const textOf = (result) => result.content.map((block) => block.text ?? block.type).join('\n');

async function withClient(way, handlers, body) {
    const stage = new Stage('conformance');
    try {
        const connected = await way.connect(stage, handlers);
        try {
            await body({ stage, ...connected });
        } finally {
            await connected.close();
        }
    } finally {
        await stage.close();
    }
}

async function lists({ client }) {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes('test_simple_text'));
    assert.deepEqual(names, [...names].sort());
    for (const { inputSchema, description } of tools) {
        assert.equal(inputSchema.type, 'object');
        assert.ok(description);
    }
}

async function calls({ call }) {
    const text = await call({ name: 'test_simple_text' });
    assert.equal(textOf(text), 'This is a simple text response for testing.');
    const mixed = await call({ name: 'test_multiple_content_types', arguments: {} });
    assert.deepEqual(mixed.content.map(({ type }) => type), ['text', 'image', 'resource']);
}

async function fails({ call }) {
    const failed = await call({ name: 'test_error_handling', arguments: {} });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /intentionally/);
    const invalid = await call({ name: 'test_elicitation', arguments: { message: 5 } });
    assert.equal(invalid.isError, true);
    assert.match(textOf(invalid), /message/);
    await assert.rejects(call({ name: 'no_such_tool', arguments: {} }), { code: -32602 });
}

async function progresses({ call }) {
    const told = [];
    await call({ name: 'test_tool_with_progress', arguments: {} },
        { onprogress: ({ progress, total }) => told.push([progress, total]) });
    assert.deepEqual(told, [[0, 100], [50, 100], [100, 100]]);
}

// The tool itself must end, not only the wait for it.
async function cancels({ stage, call }) {
    const ends = new AbortController();
    await assert.rejects(call({ name: 'test_waits_for_cancel', arguments: {} },
        { signal: ends.signal, onprogress: () => ends.abort() }));
    const after = await stage.event(({ event, tool }) =>
        event === 'hook.tool.after' && tool === 'test_waits_for_cancel');
    assert.equal(after.code, 'cancelled');
    assert.equal(textOf(await call({ name: 'test_simple_text' })).length > 0, true);
}

async function reads({ client }) {
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
    assert.ok(resources.some(({ uri }) => uri === 'toolhost://tools/test_simple_text'));
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    assert.equal(JSON.parse(contents[0].text).id, '7');
    await assert.rejects(client.readResource({ uri: 'test://nowhere' }));
    const name = 'test_prompt_with_arguments';
    const { messages } = await client.getPrompt({ name, arguments: { arg1: 'a', arg2: 'b' } });
    assert.match(messages[0].content.text, /arg1='a', arg2='b'/);
    const { completion } = await client.complete(
        { ref: { type: 'ref/prompt', name }, argument: { name: 'arg1', value: 'par' } });
    assert.deepEqual(completion.values, ['paris', 'park', 'party']);
}

const ASK = { name: 'test_elicitation', arguments: { message: 'Who are you?' } };

async function answersQuestions(way) {
    const asked = [];
    const elicit = (params) => {
        asked.push(params);
        return { action: 'accept', content: { username: 'alice', email: 'alice@example.com' } };
    };
    await withClient(way, { elicit }, async ({ call }) => {
        const result = await call(ASK);
        assert.match(textOf(result), /action=accept.*alice@example\.com/);
    });
    assert.equal(asked.length, 1);
    assert.match(asked[0].message, /^test_elicitation .* asks \(user\): Who are you\?$/);
    assert.deepEqual(asked[0].requestedSchema.required, ['username', 'email']);
}

async function declinesQuestions(way) {
    for (const action of ['decline', 'cancel'])
        await withClient(way, { elicit: () => ({ action }) }, async ({ call }) => {
            assert.match(textOf(await call(ASK)), new RegExp(`action=${action}`));
        });
}

// A library is added to the folder while the server runs, is called, and is removed again. A change
// may be announced more than once, so the list after it is checked.
async function hearsOfChanges(way) {
    let heard = () => {};
    const change = () => new Promise((done) => { heard = done; });
    await withClient(way, { toolsChanged: () => heard() }, async ({ stage, client, call }) => {
        const offered = async () =>
            (await client.listTools()).tools.some(({ name }) => name === 'adder');
        const after = async (act, wanted) => {
            let told = change();
            act();
            do {
                await told;
                told = change();
            } while (await offered() !== wanted);
        };
        assert.equal(await offered(), false);
        await after(() => stage.add('adder'), true);
        assert.equal(textOf(await call({ name: 'adder', arguments: { a: 2, b: 3 } })), '5');
        await after(() => stage.remove('adder'), false);
    });
}

export function walk(way) {
    const within = { timeout: 30000 };
    const one = (what, body) => test(`${way.name}: ${what}`, within, () => withClient(way, {}, body));
    one('lists', lists);
    one('calls', calls);
    one('fails', fails);
    one('hears of progress', progresses);
    one('cancels', cancels);
    one('reads resources and prompts', reads);
    test(`${way.name}: answers a question`, within, () => answersQuestions(way));
    test(`${way.name}: declines a question`, within, () => declinesQuestions(way));
    test(`${way.name}: hears that the list changed`, within, () => hearsOfChanges(way));
}
