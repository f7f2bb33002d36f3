import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FULL } from '../../sandbox/demo.ts';
import type { Sizes } from '../../sandbox/kernel/plan.ts';
import type { Snapshot } from '../../sandbox/kernel/snapshot.ts';
import { createDemoWorld, openSandbox, START, type TestSandbox } from '../sandbox/sandbox.ts';
import type { Area, Case } from './corpus/case.ts';
import { TRUSTED } from './corpus/forms.ts';
import { type Engine, type EngineOptions, openEngine, type PathUse, type RecordedResponse, type Step, type StepResult } from './engine.ts';
import { watchFastPath } from './fastPathUse.ts';
import { printStep } from './printStep.ts';
import { ReplaceableWorld } from './replaceableWorld.ts';

/** On the fast path or through Yoga; compiled from the first execution on or never. */
const FAST_COMPILED = { FAST_PATH: 'true', COMPILE_AFTER: '1' };
const FAST_INTERPRETED = { FAST_PATH: 'true', COMPILE_AFTER: '0' };
const YOGA_COMPILED = { FAST_PATH: 'false', COMPILE_AFTER: '1' };
const YOGA_INTERPRETED = { FAST_PATH: 'false', COMPILE_AFTER: '0' };

/** The engine whose responses are recorded. */
const FIRST: EngineOptions = { title: 'fast path, compiled', env: FAST_COMPILED };
/** Engines that must return the same responses as the first one, with the same upstream calls and log lines. */
const EQUAL: readonly EngineOptions[] = [
  { title: 'fast path, interpreted', env: FAST_INTERPRETED },
  { title: 'yoga, compiled', env: YOGA_COMPILED },
  { title: 'yoga, interpreted', env: YOGA_INTERPRETED },
  { title: 'upstream that omits defaults', env: YOGA_INTERPRETED, sendsDefaults: false },
];
/** The engine that must return the same data, but can send other calls. */
const UNBATCHED: EngineOptions = { title: 'without list batching', env: { ...FAST_COMPILED, LIST_BATCHING: 'off' } };

/** The content of a demo world: by default, that of the tests. */
function snapshotWorld(...seedAndSizes: [seed?: number, sizes?: Sizes]): Snapshot {
  const world = createDemoWorld(() => START * 1000, ...seedAndSizes);
  const data = world.store.takeSnapshot();
  world.close();
  return data;
}

/** The part of a response that doesn't depend on the number of calls: everything but the cost. */
function omitCost(response: RecordedResponse): RecordedResponse {
  const { status, headers, body } = response;
  const { 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: body.replace(/"cost":\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}/, '') };
}

const isMutation = ({ request }: Step) => typeof request !== 'function' && /\bmutation\b/.test(`${request.path} ${request.body}`);

/** Whether the response depends on the number of calls. */
const dependsOnCalls = ({ body }: RecordedResponse) => body.includes('QUERY_TOO_EXPENSIVE');

interface OpenEngines {
  readonly first: Engine;
  readonly equal: readonly Engine[];
  readonly unbatched: Engine;
}

/** All engines, and the sandbox in which the cases create their records. */
class Engines {
  readonly #pristine: Snapshot;
  readonly #replaceableWorld: ReplaceableWorld;
  readonly #sandbox: TestSandbox;
  readonly #engines: OpenEngines;
  /** The data of `npm start`, created once a case needs it. */
  #full: Snapshot | undefined;

  private constructor(pristine: Snapshot, replaceableWorld: ReplaceableWorld, sandbox: TestSandbox, engines: OpenEngines) {
    this.#pristine = pristine;
    this.#replaceableWorld = replaceableWorld;
    this.#sandbox = sandbox;
    this.#engines = engines;
  }

  static async open(): Promise<Engines> {
    const trusted = join(mkdtempSync(join(tmpdir(), 'engines-')), 'documents.json');
    writeFileSync(trusted, JSON.stringify(TRUSTED));
    const shared = { TRUSTED_DOCUMENTS: trusted, TRUSTED_DOCUMENTS_MODE: 'also', APQ: 'true' };
    const pristine = snapshotWorld();
    const replaceableWorld = new ReplaceableWorld(pristine);
    const sandbox = await openSandbox({ world: replaceableWorld.world });
    const open = (options: EngineOptions) => openEngine({ ...options, env: { ...shared, ...options.env } }, pristine);
    const [first, unbatched] = await Promise.all([open(FIRST), open(UNBATCHED)]);
    const equal = await Promise.all(EQUAL.map(open));
    return new Engines(pristine, replaceableWorld, sandbox, { first, equal, unbatched });
  }

  /** Sends the requests of a case to every engine. Returns the recorded form of the responses. */
  async run(each: Case): Promise<string[]> {
    const [steps, data] = await this.#prepare(each);
    const isReadOnly = !steps.some(isMutation);
    const { first, equal, unbatched } = this.#engines;
    for (const engine of [first, ...equal, ...(isReadOnly ? [unbatched] : [])]) engine.reset(data);
    const recorded: string[] = [];
    for (const step of steps) {
      const [seen, use] = await this.#compare(step, isReadOnly);
      recorded.push(printStep(step, seen, use));
    }
    return recorded;
  }

  async close(): Promise<void> {
    const { first, equal, unbatched } = this.#engines;
    for (const each of [this.#sandbox, first, ...equal, unbatched]) await each.close();
  }

  /** The steps of a case and its initial data. */
  async #prepare({ steps, startsFull }: Case): Promise<readonly [readonly Step[], Snapshot]> {
    if (typeof steps !== 'function') {
      if (!startsFull) return [steps, this.#pristine];
      this.#full ??= snapshotWorld(1, FULL);
      return [steps, this.#full];
    }
    this.#replaceableWorld.reset(this.#pristine);
    const made = await steps({ url: this.#sandbox.url, world: this.#sandbox.world });
    return [made, this.#sandbox.world.store.takeSnapshot()];
  }

  async #compare(step: Step, isReadOnly: boolean): Promise<readonly [StepResult, PathUse]> {
    const { first, equal, unbatched } = this.#engines;
    const [seen, use] = await first.send(step);
    for (const engine of equal) {
      const [other] = await engine.send(step);
      expect(other, `${engine.title}: ${step.title}`).toEqual(seen);
    }
    if (!isReadOnly) return [seen, use];
    const [other] = await unbatched.send(step);
    if (!dependsOnCalls(seen)) expect(omitCost(other), `${UNBATCHED.title}: ${step.title}`).toEqual(omitCost(seen));
    return [seen, use];
  }
}

/**
 * Declares the tests of some areas. Their responses are recorded in `recorded/`, one file for each area, with the upstream calls: those behind one `->` were
 * sent at the same time. Update them with `npx vitest run test/engines -u`, and review the difference.
 */
export function compareEngines(areas: readonly Area[]): void {
  let engines: Engines;
  let stopWatching = () => {};

  beforeAll(async () => {
    stopWatching = watchFastPath();
    engines = await Engines.open();
  });
  afterAll(async () => {
    stopWatching();
    await engines.close();
  });

  describe.each(areas)('$name', ({ name, cases }) => {
    const recorded: string[] = [];
    let completed = 0;

    it.each(cases)('returns the same from every engine: $title', async (each) => {
      recorded.push(...(await engines.run(each)));
      completed += 1;
    });

    it('matches the recorded responses', async ({ skip }) => {
      if (completed < cases.length) skip('Not all cases were answered equally.');
      const file = new URL(`recorded/${name}.txt`, import.meta.url).pathname;
      const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n\n') : []);
      const titles = recorded.filter((text) => !known.has(text)).map((text) => text.slice(2, text.indexOf('\n')));
      await expect(`${recorded.join('\n\n')}\n`, `Changed: ${titles.join('; ')}`).toMatchFileSnapshot(file);
    });
  });
}
