// A fast upstream stub. It forwards each distinct request to a sandbox once, and serves repetitions from memory after `LATENCY_MS`. `GET /counts` returns
// its calls. With `TLS_KEY` and `TLS_CERT`, the paths of PEM files, it also listens on a TLS port.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { type Message, MessageReader } from './wire.ts';

/** The calls since the stub started, and its TLS port. */
export interface Counts {
  readonly calls: number;
  readonly tlsPort: number | null;
}

const { LATENCY_MS = '0', STUB, TLS_KEY, TLS_CERT, PORT } = process.env;
const latencyMs = Number(LATENCY_MS);
const isSandbox = STUB === 'off';
let calls = 0;

// In a thread of its own, because a search takes the sandbox longer than the rest of a small request takes the measured server.
const [sandboxUrl] = (await once(new Worker(new URL('stubSandbox.ts', import.meta.url)), 'message')) as [string];

/** The key of calls to the sandbox. Callers can use any key. */
const KEY = 'Bearer demo-owner';
/** Response headers that belong to a connection. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']);

/** Encodes an HTTP response. */
function encodeResponse(status: number, headers: Iterable<readonly [string, string]>, body: Buffer): Buffer {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Stub\r\n${lines}content-length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}

async function forward(path: string, body: string): Promise<Buffer> {
  const headers = { 'content-type': 'application/json', authorization: KEY };
  const response = await fetch(sandboxUrl + path, { method: 'POST', headers, body });
  const forwarded = [...response.headers].filter(([name]) => !CONNECTION_HEADERS.has(name));
  return encodeResponse(response.status, forwarded, Buffer.from(await response.arrayBuffer()));
}

/** Responses by path and body. Promises while the sandbox's response is pending. */
const responses = new Map<string, Buffer | Promise<Buffer>>();

function getResponse(path: string, body: string): Buffer | Promise<Buffer> {
  if (isSandbox) return forward(path, body);
  const id = `${path} ${body}`;
  const found = responses.get(id);
  if (found) return found;
  const pending = forward(path, body).then((response) => {
    responses.set(id, response);
    return response;
  });
  responses.set(id, pending);
  return pending;
}

function serve(socket: Socket, { head, body }: Message): void {
  const send = (response: Buffer) => socket.write(response);
  const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'));
  if (path === '/counts') {
    const counts: Counts = { calls, tlsPort };
    send(encodeResponse(200, [['content-type', 'application/json']], Buffer.from(JSON.stringify(counts))));
    return;
  }
  // Not counted, because reads of a key's permissions don't depend on the work.
  if (!path.endsWith('/Me')) calls += 1;
  const response = getResponse(path, body.toString('latin1'));
  if (response instanceof Promise) response.then(send);
  else if (latencyMs > 0) setTimeout(send, latencyMs, response);
  else send(response);
}

function accept(socket: Socket): void {
  const reader = new MessageReader((message) => serve(socket, message));
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  // A server that exits resets its connections.
  socket.on('error', () => socket.destroy());
}

const tls =
  TLS_KEY && TLS_CERT
    ? createTlsServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, accept)
        .on('tlsClientError', () => {})
        .listen(0, '127.0.0.1')
    : null;
if (tls) await once(tls, 'listening');
const tlsPort = tls ? (tls.address() as AddressInfo).port : null;
createServer(accept).listen(Number(PORT), '127.0.0.1');
