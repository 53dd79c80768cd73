// The loops of agent libraries with the host's tools. The models are scripted: a call, then its
// result.
import assert from 'node:assert/strict';
import test from 'node:test';

import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Agent, McpClient, Model } from '@strands-agents/sdk';

import { Stage } from './stage.mjs';

class ScriptedModel extends Model {
    updateConfig() {}

    getConfig() { return {}; }

    async* stream(messages, { toolSpecs }) {
        const result = messages.at(-1).content.find(({ type }) => type === 'toolResultBlock');
        yield { type: 'modelMessageStartEvent', role: 'assistant' };
        if (result) yield* this.say(JSON.stringify(result.content));
        else yield* this.call(toolSpecs.find(({ name }) => name === 'adder').name, { a: 40, b: 2 });
    }

    * say(text) {
        yield { type: 'modelContentBlockStartEvent' };
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } };
        yield { type: 'modelContentBlockStopEvent' };
        yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
    }

    * call(name, input) {
        const start = { type: 'toolUseStart', name, toolUseId: 'one' };
        yield { type: 'modelContentBlockStartEvent', start };
        yield {
            type: 'modelContentBlockDeltaEvent',
            delta: { type: 'toolUseInputDelta', input: JSON.stringify(input) },
        };
        yield { type: 'modelContentBlockStopEvent' };
        yield { type: 'modelMessageStopEvent', stopReason: 'toolUse' };
    }
}

async function strands(config) {
    const toolhost = new McpClient(config);
    const agent = new Agent({ model: new ScriptedModel(), tools: [toolhost], printer: false });
    const result = await agent.invoke('What is 40 + 2?');
    assert.match(result.lastMessage.content[0].text, /42/);
    await toolhost.disconnect();
}

async function langchain(server) {
    const client = new MultiServerMCPClient({ mcpServers: { toolhost: server } });
    const tools = await client.getTools();
    const adder = tools.find(({ name }) => name === 'adder');
    const message = await adder.invoke(
        { type: 'tool_call', id: 'one', name: 'adder', args: { a: 40, b: 2 } });
    assert.match(JSON.stringify(message.content), /42/);
    await assert.rejects(adder.invoke({ a: 'forty', b: 2 }));
    await client.close();
}

const WAYS = {
    'Strands over stdio': (stage) => strands({ transport: new StdioClientTransport(stage.stdio) }),
    'Strands over HTTP': async (stage) => strands({ url: await stage.serveHttp() }),
    'LangChain over stdio': (stage) => langchain({ transport: 'stdio', ...stage.stdio }),
    'LangChain over HTTP': async (stage) =>
        langchain({ transport: 'http', url: (await stage.serveHttp()).href }),
};

for (const [name, run] of Object.entries(WAYS))
    test(name, { timeout: 60000 }, async () => {
        const stage = new Stage('conformance', 'adder');
        try {
            await run(stage);
        } finally {
            await stage.close();
        }
    });
