import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { demoWorld, openSandbox, START, type TestSandbox } from '../sandbox/sandbox.ts';
import type { Case } from './corpus/case.ts';
import { AREAS } from './corpus/corpus.ts';
import { type Engine, type EngineOptions, openEngine, type Seen, type Step, type Use } from './engine.ts';
import { watchFastPath } from './fastPathUse.ts';
import { shown } from './shown.ts';
import { Stage } from './stage.ts';

/** Compiled from the first time on, or never. */
const COMPILED = { COMPILE_AFTER: '1' };
const INTERPRETED = { COMPILE_AFTER: '0' };

/** The first one's responses are recorded. The next ones must answer the same, with the same upstream calls and log lines. */
const FIRST: EngineOptions = { title: 'fast path, compiled', env: { FAST_PATH: 'true', ...COMPILED } };
const EQUAL: readonly EngineOptions[] = [
  { title: 'fast path, interpreted', env: { FAST_PATH: 'true', ...INTERPRETED } },
  { title: 'yoga, compiled', env: { FAST_PATH: 'false', ...COMPILED } },
  { title: 'yoga, interpreted', env: { FAST_PATH: 'false', ...INTERPRETED } },
  { title: 'upstream that omits defaults', env: { FAST_PATH: 'false', ...INTERPRETED }, sendsDefaults: false },
];

let stop = () => {};
let stage: Stage;
let sandbox: TestSandbox;
let first: Engine;
let equal: readonly Engine[];
let pristine: Uint8Array;

beforeAll(async () => {
  stop = watchFastPath();
  const demo = demoWorld(() => START * 1000);
  pristine = demo.store.serialize();
  demo.close();
  stage = new Stage(pristine);
  sandbox = await openSandbox({ world: stage.world });
  first = await openEngine(FIRST, pristine);
  equal = await Promise.all(EQUAL.map((options) => openEngine(options, pristine)));
});
afterAll(async () => {
  stop();
  for (const each of [sandbox, first, ...equal]) await each.close();
});

/** The steps of a case, and the data that they begin with. */
async function prepared({ steps }: Case): Promise<readonly [readonly Step[], Uint8Array]> {
  if (typeof steps !== 'function') return [steps, pristine];
  stage.reset(pristine);
  const made = await steps({ url: sandbox.url, world: sandbox.world });
  return [made, sandbox.world.store.serialize()];
}

const uses: Use[] = [];
const called = new Set<string>();

function note({ waves }: Seen, use: Use): void {
  uses.push(use);
  for (const call of waves.flat()) called.add(call.slice(0, call.indexOf(' ')));
}

describe.each(AREAS)('$name', ({ name, cases }) => {
  const recorded: string[] = [];
  let answered = 0;

  it.each(cases)('is answered equally by every engine: $title', async (each) => {
    const [steps, data] = await prepared(each);
    answered += 1;
    for (const engine of [first, ...equal]) engine.begin(data);
    for (const step of steps) {
      const [seen, use] = await first.send(step);
      note(seen, use);
      recorded.push(shown(step, seen, use));
      for (const engine of equal) {
        const [other] = await engine.send(step);
        expect(other, `${engine.title}: ${step.title}`).toEqual(seen);
      }
    }
  });

  it('is answered as recorded', async ({ skip }) => {
    if (answered < cases.length) skip('Not all cases ran.');
    const file = new URL(`recorded/${name}.txt`, import.meta.url).pathname;
    const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n\n') : []);
    const titles = recorded.filter((text) => !known.has(text)).map((text) => text.slice(2, text.indexOf('\n')));
    await expect(`${recorded.join('\n\n')}\n`, `Answered otherwise: ${titles.join('; ')}`).toMatchFileSnapshot(file);
  });
});

describe('the corpus', () => {
  it('calls every operation', () => {
    expect(operations.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });
});
