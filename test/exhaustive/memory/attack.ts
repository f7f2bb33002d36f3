import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

/** One request of a client. */
export interface Attack {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CONCURRENCY = 16;

async function runAll(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) await act(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Requests `attack(0)` to `attack(count - 1)`, some at a time. Returns the number of responses by status. */
export async function sendAll(url: string, count: number, attack: (index: number) => Attack): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const statuses: Record<string, number> = {};
  const send = ({ method = 'POST', path = '/graphql', headers, body }: Attack) =>
    new Promise<void>((resolve) => {
      const request = httpRequest(
        `${url}${path}`,
        {
          method,
          agent,
          headers: {
            'content-type': 'application/json',
            ...headers,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const { statusCode = 0 } = response;
          statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
          response.resume().on('close', resolve);
        },
      );
      request.on('error', () => {
        statuses[0] = (statuses[0] ?? 0) + 1;
        resolve();
      });
      request.end(body);
    });
  await runAll(count, (index) => send(attack(index)));
  agent.destroy();
  return statuses;
}

/** When a client resets its connection: after it has sent the whole request, a millisecond later, or when the response begins. */
export type ResetAt = 'sent' | 'processing' | 'response';

/** Sends a request `count` times, some at a time, and resets each connection. */
export async function resetAll(url: string, count: number, bytes: string, at: ResetAt): Promise<void> {
  const { hostname, port } = new URL(url);
  const send = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(bytes, () => {
          if (at === 'sent') socket.resetAndDestroy();
          if (at === 'processing') setTimeout(() => socket.resetAndDestroy(), 1);
        }),
      );
      socket.on('data', () => socket.resetAndDestroy());
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  await runAll(count, send);
}
