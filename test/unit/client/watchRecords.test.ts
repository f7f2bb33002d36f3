import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RecordsChanged, type WatchError, type WatchOptions, watchRecords } from '../../../client/src/live/watchRecords.ts';

const FIRST: RecordsChanged = { ids: [], isTruncated: true, source: null, staleness: null };
const HEARTBEAT: RecordsChanged = { ...FIRST, isTruncated: false };
const CHANGE: RecordsChanged = { ids: ['T3JkZXI6MQ'], isTruncated: false, source: 'GRAPH', staleness: null };

const format = (result: unknown) => `event: next\ndata: ${JSON.stringify(result)}\n\n`;
const formatChange = (recordsChanged: RecordsChanged) => format({ data: { recordsChanged } });
const formatErrors = (...extensions: readonly object[]) =>
  format({ errors: extensions.map((each) => ({ message: 'Rejected.', extensions: each })) });
const COMPLETE = 'event: complete\ndata:\n\n';

/** A response that stays open until the test ends it, or the client. */
class OpenResponse {
  readonly #stream = new TransformStream<string, string>();
  readonly #writer = this.#stream.writable.getWriter();
  readonly response = new Response(this.#stream.readable.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream' },
  });

  write(text: string): void {
    this.#writer.write(text).catch(() => {});
  }

  end(): void {
    this.#writer.close().catch(() => {});
  }
}

/** Watches records over responses in this order. After the last one, the client waits for another. */
function watch(responses: readonly (OpenResponse | Response | Error)[], options: Partial<WatchOptions> = {}) {
  const changes: RecordsChanged[] = [];
  const errors: WatchError[] = [];
  const waits: number[] = [];
  const requests: RequestInit[] = [];
  const queue = [...responses];
  const stop = watchRecords({
    url: 'https://graph.example/graphql',
    types: ['ORDER'],
    onChange: (change) => void changes.push(change),
    onError: (error) => void errors.push(error),
    wait: async (ms) => void waits.push(ms),
    fetch: async (_url, init = {}) => {
      requests.push(init);
      const next = queue.shift();
      if (next instanceof Error) throw next;
      if (next) return next instanceof OpenResponse ? next.response : next;
      return new Promise<Response>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    },
    ...options,
  });
  onTestFinished(stop);
  return { changes, errors, waits, requests, stop };
}

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1));
afterEach(() => void vi.restoreAllMocks());

describe('watchRecords', () => {
  it('calls onChange for each signal except heartbeats, however the stream is split', async () => {
    const open = new OpenResponse();
    const { changes, requests } = watch([open], { ids: ['a'], headers: () => ({ authorization: 'Bearer key' }) });
    for (const character of `:\n\n${formatChange(FIRST)}${formatChange(HEARTBEAT)}${formatChange(CHANGE)}`) open.write(character);
    await expect.poll(() => changes).toEqual([FIRST, CHANGE]);
    expect(requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer key' });
    expect(JSON.parse(String(requests[0]?.body)).variables).toEqual({ types: ['ORDER'], ids: ['a'] });
  });

  it.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('reads lines that end with %s, and events with several lines of data, however the stream is split', async (_name, end) => {
    const open = new OpenResponse();
    const { changes } = watch([open]);
    const data = JSON.stringify({ data: { recordsChanged: CHANGE } }, null, 2);
    const lines = data.split('\n').map((line) => `data:${line}`);
    for (const character of [':', '', ...formatChange(FIRST).trimEnd().split('\n'), '', ...lines, '', ''].join(end)) open.write(character);
    await expect.poll(() => changes).toEqual([FIRST, CHANGE]);
  });

  it('waits for Retry-After before it connects again', async () => {
    const rejected = new Response('{"errors":[{"message":"Retry.","extensions":{"retry":"SAFE"}}]}', {
      status: 503,
      headers: { 'retry-after': '20' },
    });
    const { waits, errors } = watch([rejected]);
    await expect.poll(() => waits).toEqual([21_000]);
    expect(errors).toEqual([]);
  });

  it('connects again when a stream is completed or breaks, waiting longer each time until it receives a signal', async () => {
    const [completed, again] = [new OpenResponse(), new OpenResponse()];
    const unavailable = new Response('<html>', { status: 502 });
    const { changes, waits, requests } = watch([new TypeError('fetch failed'), unavailable, completed, again]);
    completed.write(`${formatChange(FIRST)}${COMPLETE}`);
    completed.end();
    again.write(formatChange(FIRST));
    await expect.poll(() => changes).toEqual([FIRST, FIRST]);
    expect([waits, requests.length]).toEqual([[1_000, 2_000, 1_000], 4]);
  });

  it('connects again after an error that is temporary', async () => {
    const [busy, expired] = [new OpenResponse(), new OpenResponse()];
    const { errors, requests } = watch([busy, expired]);
    busy.write(formatErrors({ code: 'OVERLOADED', retry: 'SAFE' }));
    busy.end();
    expired.write(formatErrors({ code: 'UNAUTHENTICATED', retry: 'NEVER', reason: 'TOKEN_EXPIRED' }));
    expired.end();
    await expect.poll(() => requests.length).toBe(3);
    expect(errors).toEqual([]);
  });

  it.each(['LIVE_UPDATES_DISABLED', 'FORBIDDEN', 'BAD_USER_INPUT', 'UNAUTHENTICATED'])('reports %s and stops', async (code) => {
    const open = new OpenResponse();
    const { errors, requests } = watch([open]);
    open.write(formatErrors({ code, retry: 'NEVER' }));
    await expect.poll(() => errors).toMatchObject([{ message: 'Rejected.', errors: [{ extensions: { code } }] }]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.signal?.aborted).toBe(true);
  });

  it('reports a JSON response with an error and stops', async () => {
    const body = { errors: [{ message: 'Not acceptable.', extensions: { code: 'BAD_REQUEST' } }] };
    const { errors } = watch([Response.json(body, { status: 406 })]);
    await expect.poll(() => errors).toMatchObject([{ message: 'Not acceptable.' }]);
  });

  it('replaces a connection that is silent for 90 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { requests } = watch([]);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(89_000);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(2);
  });

  it('sends nothing more and calls nothing after it was stopped', async () => {
    const open = new OpenResponse();
    const { changes, requests, stop } = watch([open]);
    open.write(formatChange(FIRST));
    await expect.poll(() => changes).toEqual([FIRST]);
    stop();
    open.write(formatChange(CHANGE));
    open.end();
    await new Promise(setImmediate);
    expect([changes, requests.length]).toEqual([[FIRST], 1]);
  });
});
