// A fast upstream: it asks a sandbox once, and answers from memory from then on, after `LATENCY_MS`. `GET /counts` tells its calls.
import { createServer, type IncomingMessage } from 'node:http';
import { FULL, openWorld } from '../sandbox/demo.ts';
import { startSandbox } from '../sandbox/serve.ts';
import { SEED } from './work.ts';

/** What the stand-in has seen since it started. */
export interface Counts {
  readonly calls: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const latencyMs = Number(process.env.LATENCY_MS ?? 0);
const isSandbox = process.env.STAND_IN === 'off';
let calls = 0;

const sandbox = await startSandbox(
  {
    world: openWorld({ data: ':memory:', seed: SEED, clock: Date.now }, FULL),
    rateLimit: { limit: Number.MAX_SAFE_INTEGER, windowSeconds: 60 },
    sendsDefaults: false,
    deprecations: new Map(),
  },
  0,
);

/** The key that every call is sent on with: callers may bring any. */
const KEY = 'Bearer demo-owner';
/** Headers of an answer that belong to its connection. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

async function ask(path: string, body: string): Promise<Answer> {
  const response = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: KEY },
    body,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const kept = [...response.headers].filter(([name]) => !OF_CONNECTION.has(name));
  return { status: response.status, headers: { ...Object.fromEntries(kept), 'content-length': String(bytes.length) }, body: bytes };
}

/** Answers by path and body: promises while the sandbox is being asked. */
const known = new Map<string, Answer | Promise<Answer>>();

function answerTo(path: string, body: string): Answer | Promise<Answer> {
  if (isSandbox) return ask(path, body);
  const id = `${path} ${body}`;
  const found = known.get(id);
  if (found) return found;
  const asked = ask(path, body).then((answer) => {
    known.set(id, answer);
    return answer;
  });
  known.set(id, asked);
  return asked;
}

const read = (request: IncomingMessage, then: (body: string) => void) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(Buffer.concat(chunks).toString()));
};

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path === '/counts') return response.end(JSON.stringify({ calls } satisfies Counts));
  read(request, (body) => {
    // What a key may do is asked now and then, whatever the work is.
    if (!path.endsWith('/Me')) calls += 1;
    const send = ({ status, headers, body: bytes }: Answer) => response.writeHead(status, headers).end(bytes);
    const answer = answerTo(path, body);
    if (answer instanceof Promise) answer.then(send);
    else if (latencyMs > 0) setTimeout(send, latencyMs, answer);
    else send(answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), '127.0.0.1');
