import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from '../../sandbox/kernel/faults.ts';
import type { Snapshot } from '../../sandbox/kernel/snapshot.ts';
import { isJsonObject, parseJson } from '../../src/lib/json.ts';
import { createLogger } from '../../src/server/telemetry/logger.ts';
import { START } from '../sandbox/sandbox.ts';
import { type RawRequest, type RawResponse, sendRaw } from '../support/rawHttp.ts';
import { appendSecrets, findResponseSecrets } from '../support/secrets.ts';
import { startTestGraph } from '../support/testGraph.ts';
import { countFastPathRequests } from './fastPathUse.ts';
import { Lockstep } from './lockstep.ts';
import { ReplaceableWorld } from './replaceableWorld.ts';

/** A configuration that serves requests. */
export interface EngineOptions {
  readonly title: string;
  /** Settings of the graph. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether its upstream includes fields with default values. */
  readonly sendsDefaults?: boolean;
}

/** A request of a case, with the faults that are added before it. */
export interface Step {
  readonly title: string;
  /** The request, or a function that creates it from the bodies of the previous responses. */
  readonly request: RawRequest | ((bodies: readonly string[]) => RawRequest);
  readonly faults?: readonly Fault[];
}

type Line = Readonly<Record<string, unknown>>;

/** A response in which values that differ between runs are replaced. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The response to a step, with its upstream calls and log lines. */
export interface StepResult extends RecordedResponse {
  /** Upstream calls, wave by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly lines: readonly Line[];
}

/** Which code paths served a step. */
export interface PathUse {
  readonly isFast: boolean;
  readonly isCompiled: boolean;
}

/** A graph over a sandbox. */
export interface Engine {
  readonly title: string;
  /** Starts a case: the sandbox contains this data, and the graph's caches are expired. */
  reset(data: Snapshot): void;
  send(step: Step): Promise<readonly [StepResult, PathUse]>;
  close(): Promise<void>;
}

/** Maximum turns of the event loop until a received response is logged. */
const MAX_TURNS = 10_000;

/** Longer than any cache lifetime of the graph, in milliseconds. */
const LONG_MS = 30 * 86_400_000;

export const REQUEST_ID = 'the-request';

/** A log line without values that differ between processes or runs. */
const toComparable = ({ time: _time, pid: _pid, hostname: _host, ms: _ms, requestId, err, ...line }: Line): Line => ({
  ...line,
  ...(err !== undefined && { err: (err as Line).message }),
  requestId: requestId === REQUEST_ID ? requestId : typeof requestId,
});

/** A body with sorted errors, because their order isn't defined. */
function sortErrors(body: string): string {
  const json = parseJson(body);
  if (!isJsonObject(json) || !Array.isArray(json.errors) || JSON.stringify(json) !== body) return body;
  const sorted = json.errors.map((error) => JSON.stringify(error)).toSorted();
  return JSON.stringify({ ...json, errors: sorted.map((error) => JSON.parse(error)) });
}

export async function openEngine({ title, env, sendsDefaults = true }: EngineOptions, data: Snapshot): Promise<Engine> {
  const log: Line[] = [];
  const secrets = new Set<string>();
  const replaceableWorld = new ReplaceableWorld(data);
  let passedMs = 0;
  // The wall clock stands still, so that recorded dates are constant. The monotonic clock expires what the graph caches for a case.
  const clock = { unixMs: () => START * 1000, monotonicMs: () => passedMs };
  const wait = async (ms: number) => {
    passedMs += ms;
  };
  let lockstep: Lockstep | undefined;
  const onResponse = (operation: string, body: string) => {
    appendSecrets(operation, body);
    for (const secret of findResponseSecrets(operation, body)) secrets.add(secret);
  };
  const testGraph = await startTestGraph({ world: replaceableWorld.world, sendsDefaults, onResponse }, undefined, {
    clock,
    logger: createLogger('debug', { write: (line) => void log.push(JSON.parse(line)) }),
    env,
    // Which failures are logged depends on the time.
    upstream: { clock, wait, random: () => 0.5, onFailure: () => {} },
    transport: (usual) => {
      lockstep = new Lockstep(usual);
      return lockstep;
    },
  });

  // The remaining quota counts all requests of the run, and the ledger's expiry depends on the monotonic clock.
  const redact = (text: string) => {
    const plain = text
      .replaceAll(testGraph.sandbox.url, 'http://sandbox')
      .replaceAll(testGraph.app.url, 'http://graph')
      .replace(/("remaining":)\d+/, '$1"…"')
      .replace(/("settledAt":"[^"]*","expiresAt":)"[^"]*"/g, '$1"…"');
    return [...secrets].reduce((redacted, secret) => redacted.replaceAll(secret, '<secret>'), plain);
  };

  let bodies: string[] = [];
  const toRecorded = ({ status, headers, body }: RawResponse): RecordedResponse => {
    const { date: _date, 'x-request-id': requestId, ...rest } = headers;
    const recordedHeaders = { ...rest, 'x-request-id': requestId === REQUEST_ID ? requestId : typeof requestId };
    return { status, headers: recordedHeaders, body: sortErrors(redact(body.toString('utf8'))) };
  };
  const post = async ({ request, faults = [] }: Step) => {
    testGraph.sandbox.faults.clear();
    for (const fault of faults) testGraph.sandbox.faults.add(fault);
    log.length = 0;
    const createdRequest = typeof request === 'function' ? request(bodies) : request;
    return sendRaw(testGraph.app.url, { ...createdRequest, headers: { 'x-request-id': REQUEST_ID, ...createdRequest.headers } });
  };
  const waitForLog = async (requests: number) => {
    const isLogged = () => log.filter(({ msg }) => msg === 'request').length >= requests;
    for (let turns = 0; turns < MAX_TURNS && !isLogged(); turns += 1) await turn();
    return (await lockstep?.takeWaves()) ?? [];
  };

  return {
    title,
    reset: (next) => {
      replaceableWorld.reset(next);
      bodies = [];
      passedMs += LONG_MS;
    },
    send: async (step) => {
      const [fastBefore, comparedBefore] = [countFastPathRequests(), testGraph.executor.compared];
      const response = await post(step);
      const waves = await waitForLog(1);
      bodies.push(response.body.toString('utf8'));
      const seen = {
        ...toRecorded(response),
        waves: waves.map((calls) => calls.map(redact)),
        lines: log.map((line) => JSON.parse(redact(JSON.stringify(toComparable(line)))) as Line),
      };
      return [seen, { isFast: countFastPathRequests() > fastBefore, isCompiled: testGraph.executor.compared > comparedBefore }];
    },
    close: () => testGraph.close(),
  };
}
