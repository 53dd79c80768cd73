// An HTTP front end for a host that serves over stdio, for features that mcp-proxy does not
// support: questions from the server. Messages are passed unchanged, except for the ids of requests
// that share a pipe.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import readline from 'node:readline';

import { end, toolhost } from './stage.mjs';

// Features of HTTP only.
export const BRIDGE_CANNOT = {
    'dns-rebinding-protection/localhost-host-rebinding-rejected': 'stdio has no Host and no Origin',
    'server-stateless/sep-2575-http-server-header-mismatch-400':
        'stdio has no headers that could differ from the body',
};

// HTTP statuses of errors for requests without a session, which a bridge must add.
const STATUSES = {
    [-32601]: 404, [-32600]: 400, [-32602]: 400, [-32020]: 400, [-32021]: 400, [-32022]: 400,
};

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

// The answer to one POST: JSON for one message, a stream for several.
class Answer {
    constructor(response, request, session) {
        Object.assign(this, { response, request, session });
    }

    stream(message) {
        if (!this.response.headersSent)
            this.response.writeHead(200, { 'content-type': 'text/event-stream' });
        this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    }

    finish(message) {
        if (this.response.headersSent) {
            this.stream(message);
            this.response.end();
        } else {
            const status = this.session ? 200 : STATUSES[message.error?.code] ?? 200;
            this.response.writeHead(status, { 'content-type': 'application/json' });
            this.response.end(JSON.stringify(message));
        }
    }
}

// One host, and its pending requests.
class Pipe {
    constructor(stage) {
        this.answers = new Map();
        this.asked = 0;
        this.child = stage.start(toolhost, stage.args, { stdio: ['pipe', 'pipe', 'inherit'] });
        readline.createInterface({ input: this.child.stdout })
            .on('line', (line) => this.take(JSON.parse(line)));
    }

    write(message) {
        this.child.stdin.write(`${JSON.stringify(message)}\n`);
    }

    request(message, answer) {
        const id = ++this.asked;
        this.answers.set(id, answer);
        answer.response.on('close', () => {
            if (this.answers.delete(id))
                this.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        });
        this.write({ ...message, id });
    }

    take(message) {
        const answer = this.answers.get(message.id);
        if (answer && !message.method) {
            this.answers.delete(message.id);
            answer.finish({ ...message, id: answer.request.id });
            return;
        }
        this.belongsTo(message)?.stream(message);
    }

    // The request of a subscription or progress token, or else the newest pending one.
    belongsTo({ params }) {
        const subscription = params?._meta?.[SUBSCRIPTION];
        if (subscription !== undefined) {
            const answer = this.answers.get(subscription);
            if (answer) params._meta[SUBSCRIPTION] = answer.request.id;
            return answer;
        }
        const open = [...this.answers.values()];
        const token = params?.progressToken;
        return open.find(({ request }) => request.params?._meta?.progressToken === token &&
            token !== undefined) ?? open.at(-1);
    }
}

async function read(request) {
    let text = '';
    for await (const part of request) text += part;
    return JSON.parse(text);
}

function status(response, code) {
    response.writeHead(code).end();
}

export async function bridged(stage) {
    const sessions = new Map();
    let shared;  // by requests without a session

    async function post(request, response) {
        const message = await read(request);
        let session = request.headers['mcp-session-id'];
        if (message.method === 'initialize') {
            session = randomUUID();
            sessions.set(session, new Pipe(stage));
            response.setHeader('mcp-session-id', session);
        }
        const pipe = session ? sessions.get(session) : shared ??= new Pipe(stage);
        if (!pipe) return status(response, 404);
        if (message.method && message.id !== undefined)
            return pipe.request(message,
                new Answer(response, message, request.headers['mcp-session-id']));
        pipe.write(message);
        return status(response, 202);
    }

    async function forget(request, response) {
        const session = request.headers['mcp-session-id'];
        const pipe = sessions.get(session);
        if (!pipe) return status(response, 404);
        sessions.delete(session);
        await end(pipe.child);
        return status(response, 200);
    }

    const methods = { POST: post, DELETE: forget };
    const server = http.createServer((request, response) =>
        (methods[request.method] ?? (() => status(response, 405)))(request, response));
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    return new URL(`http://127.0.0.1:${server.address().port}/mcp`);
}
