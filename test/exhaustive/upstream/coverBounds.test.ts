import { describe, expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { loaderOver } from '../../../src/loaders/loaderOver.ts';
import { Loaders } from '../../../src/loaders/loaders.ts';
import { createUpstream, type Upstream } from '../../../src/upstream/client.ts';
import { decodeProductRecord } from '../../../src/upstream/contract/generated/decoders.ts';
import { GetProduct } from '../../../src/upstream/contract/generated/operations.ts';
import type { ProductRecord } from '../../../src/upstream/contract/generated/records.ts';
import { createClock } from '../../support/clock.ts';
import { SEED } from '../../support/seeded.ts';
import { StubCatalog, type Version } from '../../support/stubCatalog.ts';

const KEYS = 60;
const REQUESTS = 40;

const load = (upstream: Upstream, key: string, ids: readonly string[]) =>
  new Loaders(upstream.openSession(key, 'a request')).of(loaderOver<ProductRecord>(GetProduct)).loadMany(ids);

function fill(catalog: StubCatalog, count: number): void {
  for (let index = catalog.all.size; index < count; index += 1) catalog.all.set(`p${index}`, { id: `p${index}`, name: '0' });
  catalog.listed = [...catalog.all.keys()];
}

/** A random subset of the items. */
const someOf = (random: Random, items: readonly string[], count: number) => [
  ...new Set(Array.from({ length: items.length > 0 ? count : 0 }, () => random.pick(items))),
];

/** Changes a list, so that what is known about it may no longer be true. */
function upset(random: Random, catalog: StubCatalog): void {
  const act = random.integer(0, 9);
  if (act === 0) catalog.listed = [];
  else if (act === 1) catalog.listed = [...catalog.all.keys()];
  else if (act === 2) catalog.listed = catalog.listed.slice(0, random.integer(0, catalog.listed.length));
  else if (act === 3) catalog.listed = catalog.listed.toReversed();
  else if (act === 4) fill(catalog, catalog.all.size + random.integer(1, 500));
  else if (act === 5) catalog.listed = catalog.listed.filter(() => random.chance(0.5));
}

/** Time between the requests of a key, in milliseconds. */
const REQUEST_INTERVAL_MS = 20_000;
/** How long a list is paused after a batch that wasted calls, in milliseconds. */
const PAUSE_MS = 60_000;

interface Outcome {
  readonly atMs: number;
  readonly wanted: number;
  /** Calls in addition to one per record. Negative if pages saved calls. */
  readonly loss: number;
}

/** Reads records of many keys, and changes their lists between the requests. Returns the outcomes of each key. */
async function measureLosses(): Promise<Outcome[][]> {
  const random = new Random(SEED);
  let now = 0;
  const outcomesByKey: Outcome[][] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const catalog = new StubCatalog();
    fill(catalog, random.pick([0, 1, 2, 99, 100, 101, 200, 500, 3_000]));
    const upstream = createUpstream({ transport: catalog, timeoutMs: 10_000, callsPerRequest: 1_000, clock: createClock(() => now) });
    const outcomes: Outcome[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      now += random.chance(0.05) ? 700_000 : REQUEST_INTERVAL_MS;
      upset(random, catalog);
      const ids = someOf(random, random.chance(0.5) ? catalog.listed : [...catalog.all.keys()], random.pick([1, 5, 10, 20, 60, 200]));
      const before = catalog.calls;
      await load(upstream, `key ${key}`, ids);
      outcomes.push({ atMs: now, wanted: ids.length, loss: catalog.calls - before - ids.length });
    }
    outcomesByKey.push(outcomes);
  }
  return outcomesByKey;
}

describe('covering list that changes between requests', () => {
  it('wastes at most a third of a batch, at most once a minute, and saves far more', async () => {
    const outcomesByKey = await measureLosses();
    for (const outcomes of outcomesByKey) {
      const lossy = outcomes.filter(({ loss }) => loss > 0);
      for (const { wanted, loss } of lossy) expect(loss).toBeLessThanOrEqual(Math.max(1, Math.floor(wanted / 3)));
      for (const [index, { atMs }] of lossy.slice(1).entries()) expect(atMs - (lossy[index]?.atMs ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    }
    const losses = outcomesByKey.flat().map(({ loss }) => loss);
    expect(Math.max(...losses)).toBeGreaterThan(0);
    expect(losses.reduce((total, loss) => total + loss, 0)).toBeLessThan(-10 * KEYS * REQUESTS);
  });
});

describe('records that appear, change, and disappear between calls', () => {
  /** The versions of a record, with when each was created. Undefined if the record didn't exist. */
  type History = { readonly since: number; readonly version: Version | undefined }[];

  it('are returned in a state that they had during the request', async () => {
    const random = new Random(SEED);
    const catalog = new StubCatalog();
    const histories = new Map<string, History>();
    let moment = 0;
    const put = (id: string, version: Version | undefined) => {
      if (version) catalog.all.set(id, version);
      else catalog.all.delete(id);
      histories.set(id, [...(histories.get(id) ?? []), { since: moment, version }]);
    };
    fill(catalog, 350);
    for (const version of catalog.all.values()) put(version.id, version);
    const change = () => {
      moment += 1;
      const id = `p${random.integer(0, 399)}`;
      const isListed = catalog.listed.indexOf(id);
      if (isListed >= 0) catalog.listed.splice(isListed, 1);
      if (random.chance(0.2)) return put(id, undefined);
      put(id, { id, name: String(moment) });
      if (random.chance(0.9)) catalog.listed.splice(random.integer(0, catalog.listed.length), 0, id);
    };
    catalog.onCall = async () => {
      // Responses arrive in a different order than requests.
      for (let turns = random.integer(0, 3); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      if (random.chance(0.7)) change();
    };
    const upstream = createUpstream({ transport: catalog, timeoutMs: 10_000, callsPerRequest: 1_000 });
    let answers = 0;
    for (let request = 0; request < 150; request += 1) {
      const wanted = someOf(
        random,
        Array.from({ length: 400 }, (_, index) => `p${index}`),
        random.pick([5, 30, 100, 200]),
      );
      const from = moment;
      const before = catalog.calls;
      const got = await load(upstream, 'a key', wanted);
      if (request > 0 && wanted.length > 90) expect(catalog.calls - before).toBeLessThan(wanted.length);
      for (const [index, id] of wanted.entries()) {
        const states = histories.get(id) ?? [{ since: 0, version: undefined }];
        // All versions except those that were replaced before the request started.
        const possible = states
          .filter((_, place) => (states[place + 1]?.since ?? Number.POSITIVE_INFINITY) > from)
          .map(({ version }) => (version ? decodeProductRecord(version) : null));
        if ((states[0]?.since ?? 0) > from) possible.push(null);
        expect(possible, `${id} in request ${request}`).toContainEqual(got[index]);
        answers += 1;
      }
    }
    expect(answers).toBeGreaterThan(5_000);
  });
});
