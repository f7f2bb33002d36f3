import { describe, expect, it } from 'vitest';
import { BoundedCache } from '../../../src/lib/boundedCache.ts';
import { fc } from '../../support/seeded.ts';

const ENTRIES = 4;
const WEIGHT = 12;
const TTL_MS = 10;

type Step =
  | { readonly act: 'get'; readonly key: string }
  | { readonly act: 'delete'; readonly key: string }
  | { readonly act: 'set'; readonly key: string; readonly value: number }
  | { readonly act: 'wait'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('get' as const), key }),
  fc.record({ act: fc.constant('delete' as const), key }),
  fc.record({ act: fc.constant('set' as const), key, value: fc.integer({ min: 1, max: 14 }) }),
  fc.record({ act: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 6 }) }),
);

interface Kept {
  readonly key: string;
  readonly value: number;
  readonly until: number;
}

/** A reference implementation with an array, in which the most recently used entry is last. */
class Model {
  entries: Kept[] = [];
  readonly evicted: number[] = [];

  get(key: string, now: number): number | undefined {
    const found = this.entries.find((each) => each.key === key);
    this.delete(key);
    if (!found || found.until <= now) return undefined;
    this.entries.push(found);
    return found.value;
  }

  delete(key: string): void {
    this.entries = this.entries.filter((each) => each.key !== key);
  }

  set(key: string, value: number, now: number): void {
    this.delete(key);
    if (value > WEIGHT) return;
    const weight = () => this.entries.reduce((sum, each) => sum + each.value, value);
    while (this.entries.length >= ENTRIES || weight() > WEIGHT) this.evicted.push((this.entries.shift() as Kept).value);
    this.entries.push({ key, value, until: now + TTL_MS });
  }
}

describe('bounded cache', () => {
  it('evicts the least recently used entries above its number, weight and time limits', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0;
        const evicted: number[] = [];
        const cache = new BoundedCache<number>({
          entries: ENTRIES,
          weight: { max: WEIGHT, weightOf: (_key, value) => value },
          ttlMs: TTL_MS,
          clock: { unixMs: () => 0, monotonicMs: () => now },
          onEvict: (value) => evicted.push(value),
        });
        const model = new Model();
        for (const each of steps) {
          if (each.act === 'wait') now += each.ms;
          else if (each.act === 'get') expect(cache.get(each.key)).toBe(model.get(each.key, now));
          else if (each.act === 'delete') for (const one of [cache, model]) one.delete(each.key);
          else {
            cache.set(each.key, each.value);
            model.set(each.key, each.value, now);
          }
          expect([...cache.values()]).toEqual(model.entries.map(({ value }) => value));
        }
        expect(evicted).toEqual(model.evicted);
      }),
      { numRuns: 500 },
    );
  });

  it('deletes entries on request, and has no default limits', () => {
    const cache = new BoundedCache<number>({});
    for (let value = 0; value < 1_000; value += 1) cache.set(String(value), value);
    cache.deleteWhere((value) => value % 2 === 0);
    expect([...cache.values()]).toHaveLength(500);
    expect([cache.get('0'), cache.get('999')]).toEqual([undefined, 999]);
  });
});
