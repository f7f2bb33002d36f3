import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect } from 'vitest';
import { createLogger } from '../../src/server/telemetry/logger.ts';
import { demoId, START, type TestSandboxOptions } from '../sandbox/sandbox.ts';
import { createClock } from './clock.ts';
import { type RawRequest, type RawResponse, sendRaw } from './rawHttp.ts';
import { type TestGraphOptions, useTestGraph } from './testGraph.ts';

/** Turns of the event loop to wait for the log line of a response. */
const MAX_TURNS = 10_000;

const REQUEST_ID = 'the-request';

type Line = Record<string, unknown>;

/** A log line without the fields that differ between processes and requests. */
const normalizeLine = ({ time: _time, pid: _pid, hostname: _host, ms: _ms, requestId, err, ...line }: Line): Line => ({
  ...line,
  ...(err !== undefined && { err: (err as Line).message }),
  requestId: requestId === REQUEST_ID ? requestId : typeof requestId,
});

/** A response without the headers that differ between requests. */
function normalizeResponse({ status, headers, body }: RawResponse) {
  const { date: _date, 'x-request-id': requestId, ...rest } = headers;
  return { status, headers: rest, requestId: requestId === REQUEST_ID ? requestId : typeof requestId, body: body.toString('latin1') };
}

/** A response, with its upstream calls and log lines. */
export interface ObservedResponse extends ReturnType<typeof normalizeResponse> {
  readonly calls: readonly string[];
  readonly lines: readonly Line[];
}

/** Two graphs over equal sandboxes, with stopped clocks. The first uses the fast path for requests that it can handle, the second never does. */
export function useBothPaths(options: TestGraphOptions = {}, sandbox: TestSandboxOptions = {}) {
  const open = (FAST_PATH: string) => {
    const log: Line[] = [];
    const logger = createLogger('debug', { write: (line) => void log.push(JSON.parse(line)) });
    // Compiles queries from the second execution on.
    const env = { FAST_PATH, COMPILE_AFTER: '2', ...options.env };
    const clock = createClock(() => START * 1000);
    // Which failures are logged depends on the time.
    const upstream = { onFailure: () => {}, ...options.upstream };
    const app = { clock, ...options.app };
    return { testGraph: useTestGraph(sandbox, undefined, { clock, logger, ...options, upstream, app, env }), log };
  };
  const both = [open('true'), open('false')] as const;
  beforeEach(() => {
    for (const { testGraph } of both) testGraph.sandbox.faults.clear();
  });

  const observe = async ({ testGraph, log }: (typeof both)[number], request: RawRequest): Promise<ObservedResponse> => {
    const { received } = testGraph.sandbox;
    const before = received.length;
    log.length = 0;
    const response = await sendRaw(testGraph.url, request);
    for (let turns = 0; turns < MAX_TURNS && !log.some(({ msg }) => msg === 'request'); turns += 1) await turn();
    const calls = received.slice(before).map((call) => JSON.stringify(call));
    return { ...normalizeResponse(response), calls: calls.toSorted(), lines: log.map(normalizeLine) };
  };

  return {
    worlds: [both[0].testGraph, both[1].testGraph] as const,
    /** Sends a request twice to both graphs, and expects equal responses, calls and log lines. Returns the two results. */
    equal: async (request: RawRequest): Promise<readonly [ObservedResponse, ObservedResponse]> => {
      const identified = { ...request, headers: { 'x-request-id': REQUEST_ID, ...request.headers } };
      const times: ObservedResponse[] = [];
      for (let time = 0; time < 2; time += 1) {
        const [short, long] = [await observe(both[0], identified), await observe(both[1], identified)];
        expect(short, `time ${time + 1}`).toEqual(long);
        times.push(short);
      }
      return times as [ObservedResponse, ObservedResponse];
    },
  };
}

export const ID = demoId('customer 0');
export const SMALL = '{ __typename }';
export const READ = '{ contacts(first: 2) { nodes { rawId lastName } } }';
export const NEEDS_ID = 'query ($id: ID!) { customer(id: $id) { title contact { lastName } } }';
export const MUTATION = 'mutation { contactCreate(input: { lastName: "Path" }) { __typename ... on MutationError { code message } } }';

export type Headers = Record<string, string>;

export const KEY = { authorization: 'Bearer demo-owner' };
export const JSON_BODY = { 'content-type': 'application/json' };

/** A POST request with this body. */
export const postRequest = (body: string | Buffer, headers: Headers = {}): RawRequest => ({
  method: 'POST',
  headers: { ...JSON_BODY, ...KEY, ...headers },
  body,
});

/** A POST request with a document. */
export const queryRequest = (query: unknown, more: object = {}, headers: Headers = {}) =>
  postRequest(JSON.stringify({ query, ...more }), headers);

/** The media types of responses. */
export const ACCEPTS = ['application/json', 'application/graphql-response+json'];

/** The response's status, and the code of its first error. */
export const summarizeStatus = ({ status, body }: ObservedResponse) =>
  [status, /"code":"(\w+)"/.exec(body.replace(/"data".*"errors"/, ''))?.[1]].filter(Boolean).join(' ');
