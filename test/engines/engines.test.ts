import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../../sandbox/demo.ts';
import { ERROR_CODES } from '../../src/errorCodes.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { demoWorld, openSandbox, START, type TestSandbox } from '../sandbox/sandbox.ts';
import type { Case } from './corpus/case.ts';
import { AREAS } from './corpus/corpus.ts';
import { TRUSTED } from './corpus/forms.ts';
import { type Answered, type Engine, type EngineOptions, openEngine, type Seen, type Step, type Use } from './engine.ts';
import { watchFastPath } from './fastPathUse.ts';
import { shown } from './shown.ts';
import { Stage } from './stage.ts';

const trusted = join(mkdtempSync(join(tmpdir(), 'engines-')), 'documents.json');
writeFileSync(trusted, JSON.stringify(TRUSTED));

const SHARED = { TRUSTED_DOCUMENTS: trusted, TRUSTED_DOCUMENTS_MODE: 'also', APQ: 'true' };

/** On the fast path or through yoga; compiled from the first time on or never. */
const FAST_COMPILED = { ...SHARED, FAST_PATH: 'true', COMPILE_AFTER: '1' };
const FAST_INTERPRETED = { ...SHARED, FAST_PATH: 'true', COMPILE_AFTER: '0' };
const YOGA_COMPILED = { ...SHARED, FAST_PATH: 'false', COMPILE_AFTER: '1' };
const YOGA_INTERPRETED = { ...SHARED, FAST_PATH: 'false', COMPILE_AFTER: '0' };

/** Its responses are recorded. */
const FIRST: EngineOptions = { title: 'fast path, compiled', env: FAST_COMPILED };
/** These answer like the first one, with the same upstream calls and log lines. */
const EQUAL: readonly EngineOptions[] = [
  { title: 'fast path, interpreted', env: FAST_INTERPRETED },
  { title: 'yoga, compiled', env: YOGA_COMPILED },
  { title: 'yoga, interpreted', env: YOGA_INTERPRETED },
  { title: 'upstream that omits defaults', env: YOGA_INTERPRETED, sendsDefaults: false },
];
/** This one answers with the same data, but may make other calls. */
const UNBATCHED: EngineOptions = { title: 'without list batching', env: { ...FAST_COMPILED, LIST_BATCHING: 'off' } };
/** This one is sent each query twice at the same time, and answers both like the first one. */
const COALESCING: EngineOptions = { title: 'coalescing', env: { ...FAST_COMPILED, COALESCE_QUERIES: 'true' } };

/** Codes that no request to these engines causes: their settings rule them out, or nothing that a request does leads to them. */
const NOT_CAUSED = [
  'INTERNAL_SERVER_ERROR',
  'LEDGER_UNAVAILABLE',
  'OPERATION_IN_PROGRESS',
  'OVERLOADED',
  'PERSISTED_QUERY_ID_REQUIRED',
  'PERSISTED_QUERY_NOT_IN_LIST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
];

let stop = () => {};
let stage: Stage;
let sandbox: TestSandbox;
let first: Engine;
let equal: readonly Engine[];
let unbatched: Engine;
let coalescing: Engine;

/** The demo data of the tests, and those of `npm start`. */
const [pristine, full] = [demoWorld(() => START * 1000), demoWorld(() => START * 1000, 1, FULL)].map((world) => {
  const data = world.store.serialize();
  world.close();
  return data;
}) as [Uint8Array, Uint8Array];

beforeAll(async () => {
  stop = watchFastPath();
  stage = new Stage(pristine);
  sandbox = await openSandbox({ world: stage.world });
  const open = (options: EngineOptions) => openEngine(options, pristine);
  first = await open(FIRST);
  equal = await Promise.all(EQUAL.map(open));
  unbatched = await open(UNBATCHED);
  coalescing = await open(COALESCING);
});
afterAll(async () => {
  stop();
  for (const each of [sandbox, first, ...equal, unbatched, coalescing]) await each.close();
});

/** The steps of a case, and the data that they begin with. */
async function prepared({ steps, startsFull }: Case): Promise<readonly [readonly Step[], Uint8Array]> {
  if (typeof steps !== 'function') return [steps, startsFull ? full : pristine];
  stage.reset(pristine);
  const made = await steps({ url: sandbox.url, world: sandbox.world });
  return [made, sandbox.world.store.serialize()];
}

/**
 * A body whose errors are in an order of their own: they are told in the order in which they are met, and a compiled query that meets one begins again with all
 * that has been read.
 */
function ordered<Response extends Answered>(response: Response): Response {
  if (!response.body.startsWith('{"errors":[')) return response;
  const { errors, ...rest } = JSON.parse(response.body) as { readonly errors: readonly unknown[] };
  return { ...response, body: JSON.stringify({ errors: errors.map((error) => JSON.stringify(error)).toSorted(), ...rest }) };
}

/** What is the same for the caller however the calls are made: all but the cost, which counts them. */
function dataOf(response: Answered): Answered {
  const { status, headers, body } = ordered(response);
  const { 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: body.replace(/"cost":\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/, '') };
}

const uses: Use[] = [];
const called = new Set<string>();
const codes = new Set<string>();

function note({ waves, body }: Seen, use: Use): void {
  uses.push(use);
  for (const call of waves.flat()) called.add(call.slice(0, call.indexOf(' ')));
  for (const [, code = ''] of body.matchAll(/"code":"(\w+)"/g)) codes.add(code);
}

const isMutation = ({ request }: Step) => typeof request !== 'function' && /\bmutation\b/.test(`${request.path} ${request.body}`);

/** Whether how many calls are made decides the response. */
const dependsOnCalls = ({ body }: Answered) => body.includes('QUERY_TOO_EXPENSIVE');

/** Compares the responses to a step. `hasReads`: that nothing in its case changes data, so that the engines for reads answer it too. */
async function compare(step: Step, hasReads: boolean): Promise<readonly [Seen, Use]> {
  const [seen, use] = await first.send(step);
  for (const engine of equal) {
    const [other] = await engine.send(step);
    expect(ordered(other), `${engine.title}: ${step.title}`).toEqual(ordered(seen));
  }
  if (!hasReads) return [seen, use];
  const [other] = await unbatched.send(step);
  if (!dependsOnCalls(seen)) expect(dataOf(other), `${unbatched.title}: ${step.title}`).toEqual(dataOf(seen));
  for (const answer of await coalescing.sendTwice(step)) expect(dataOf(answer), `${coalescing.title}: ${step.title}`).toEqual(dataOf(seen));
  return [seen, use];
}

/**
 * The responses are recorded in `recorded/`, one file for each area, with the upstream calls: those behind one `->` were sent at the same time. Update them by
 * `npx vitest run test/engines -u`, and review the difference.
 */
describe.each(AREAS)('$name', ({ name, cases }) => {
  const recorded: string[] = [];
  let answered = 0;

  it.each(cases)('returns the same from every engine: $title', async (each) => {
    const [steps, data] = await prepared(each);
    const hasReads = !steps.some(isMutation);
    for (const engine of [first, ...equal, ...(hasReads ? [unbatched, coalescing] : [])]) engine.begin(data);
    for (const step of steps) {
      const [seen, use] = await compare(step, hasReads);
      note(seen, use);
      recorded.push(shown(step, seen, use));
    }
    answered += 1;
  });

  it('matches the recorded responses', async ({ skip }) => {
    if (answered < cases.length) skip('Not all cases were answered equally.');
    const file = new URL(`recorded/${name}.txt`, import.meta.url).pathname;
    const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n\n') : []);
    const titles = recorded.filter((text) => !known.has(text)).map((text) => text.slice(2, text.indexOf('\n')));
    await expect(`${recorded.join('\n\n')}\n`, `Answered otherwise: ${titles.join('; ')}`).toMatchFileSnapshot(file);
  });
});

describe('the corpus', () => {
  it('calls every operation', () => {
    expect(operations.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });

  it('causes every error', () => {
    const missing = Object.keys(ERROR_CODES).filter((code) => !codes.has(code));
    expect(missing.toSorted()).toEqual(NOT_CAUSED);
  });

  it('uses the fast path and compiled queries', () => {
    const share = (isUsed: (use: Use) => boolean) => uses.filter(isUsed).length / uses.length;
    expect(share(({ isFast }) => isFast)).toBeGreaterThan(0.5);
    expect(share(({ isCompiled }) => isCompiled)).toBeGreaterThan(0.2);
  });
});
