import { setImmediate as turn } from 'node:timers/promises';
import type { Fault } from '../../sandbox/kernel/faults.ts';
import { createLogger } from '../../src/server/telemetry/logger.ts';
import { START } from '../sandbox/sandbox.ts';
import { type RawRequest, type RawResponse, sendRaw } from '../support/rawHttp.ts';
import { noteSecrets, secretsOf } from '../support/secrets.ts';
import { startTestGraph } from '../support/testGraph.ts';
import { requestsOnFastPath } from './fastPathUse.ts';
import { Lockstep } from './lockstep.ts';
import { Stage } from './stage.ts';

/** A way of answering requests. */
export interface EngineOptions {
  readonly title: string;
  /** Settings of the graph. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether its upstream sends fields that hold their default. */
  readonly sendsDefaults?: boolean;
}

/** A request of a case, with the faults that are armed before it. */
export interface Step {
  readonly title: string;
  /** The request, or how to make it of the bodies of the responses before it. */
  readonly request: RawRequest | ((bodies: readonly string[]) => RawRequest);
  readonly faults?: readonly Fault[];
}

type Line = Readonly<Record<string, unknown>>;

/** A response. Values that differ in every run are replaced. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Response to a step, with what happened on the way. */
export interface Seen extends Answered {
  /** Upstream calls, wave by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly lines: readonly Line[];
}

/** How a step was answered. */
export interface Use {
  readonly isFast: boolean;
  readonly isCompiled: boolean;
}

/** A graph over a sandbox. */
export interface Engine {
  readonly title: string;
  /** Begins a case: the sandbox holds this data, and the graph remembers nothing. */
  begin(data: Uint8Array): void;
  send(step: Step): Promise<readonly [Seen, Use]>;
  close(): Promise<void>;
}

/** Turns of the event loop in which a response is logged that has arrived. */
const MAX_TURNS = 10_000;

/** Longer than the graph remembers anything, in milliseconds. */
const LONG_MS = 30 * 86_400_000;

export const REQUEST_ID = 'the-request';

/** A line of the log without what differs in every process and at every moment. */
const comparable = ({ time: _time, pid: _pid, hostname: _host, ms: _ms, requestId, err, ...line }: Line): Line => ({
  ...line,
  ...(err !== undefined && { err: (err as Line).message }),
  requestId: requestId === REQUEST_ID ? requestId : typeof requestId,
});

export async function openEngine({ title, env, sendsDefaults = true }: EngineOptions, data: Uint8Array): Promise<Engine> {
  const log: Line[] = [];
  const secrets = new Set<string>();
  const stage = new Stage(data);
  let passedMs = 0;
  // The wall clock stands, so that dates are recorded as they are. The other one ends what the graph remembers of a case.
  const clock = { unixMs: () => START * 1000, monotonicMs: () => passedMs };
  const wait = async (ms: number) => {
    passedMs += ms;
  };
  let lockstep: Lockstep | undefined;
  const onAnswer = (operation: string, body: string) => {
    noteSecrets(operation, body);
    for (const secret of secretsOf(operation, body)) secrets.add(secret);
  };
  const testGraph = await startTestGraph({ world: stage.world, sendsDefaults, onAnswer }, undefined, {
    clock,
    logger: createLogger('debug', { write: (line) => void log.push(JSON.parse(line)) }),
    env,
    upstream: { clock, wait, random: () => 0.5 },
    transport: (usual) => {
      lockstep = new Lockstep(usual);
      return lockstep;
    },
  });

  // The remaining quota counts all requests of the run, and the ledger's expiry the time that passed on the monotonic clock.
  const redacted = (text: string) => {
    const plain = text
      .replaceAll(testGraph.sandbox.url, 'http://sandbox')
      .replaceAll(testGraph.app.url, 'http://graph')
      .replace(/("remaining":)\d+/, '$1"…"')
      .replace(/("settledAt":"[^"]*","expiresAt":)"[^"]*"/g, '$1"…"');
    return [...secrets].reduce((shown, secret) => shown.replaceAll(secret, '<secret>'), plain);
  };

  let bodies: string[] = [];
  const answered = ({ status, headers, body }: RawResponse): Answered => {
    const { date: _date, 'x-request-id': requestId, ...rest } = headers;
    const told = { ...rest, 'x-request-id': requestId === REQUEST_ID ? requestId : typeof requestId };
    return { status, headers: told, body: redacted(body.toString('utf8')) };
  };
  const post = async ({ request, faults = [] }: Step) => {
    testGraph.sandbox.faults.clear();
    for (const fault of faults) testGraph.sandbox.faults.add(fault);
    log.length = 0;
    const made = typeof request === 'function' ? request(bodies) : request;
    return sendRaw(testGraph.app.url, { ...made, headers: { 'x-request-id': REQUEST_ID, ...made.headers } });
  };
  const ended = async (requests: number) => {
    const isLogged = () => log.filter(({ msg }) => msg === 'request').length >= requests;
    for (let turns = 0; turns < MAX_TURNS && !isLogged(); turns += 1) await turn();
    return (await lockstep?.takeWaves()) ?? [];
  };

  return {
    title,
    begin: (next) => {
      stage.reset(next);
      bodies = [];
      passedMs += LONG_MS;
    },
    send: async (step) => {
      const [fastBefore, comparedBefore] = [requestsOnFastPath(), testGraph.executor.compared];
      const answer = await post(step);
      const waves = await ended(1);
      bodies.push(answer.body.toString('utf8'));
      const seen = {
        ...answered(answer),
        waves: waves.map((calls) => calls.map(redacted)),
        lines: log.map((line) => JSON.parse(redacted(JSON.stringify(comparable(line)))) as Line),
      };
      return [seen, { isFast: requestsOnFastPath() > fastBefore, isCompiled: testGraph.executor.compared > comparedBefore }];
    },
    close: () => testGraph.close(),
  };
}
