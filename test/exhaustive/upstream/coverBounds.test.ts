import { describe, expect, it } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { loaderForOperation } from '../../../src/loaders/loaderForOperation.ts';
import { Loaders } from '../../../src/loaders/loaders.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream, type Upstream } from '../../../src/upstream/client.ts';
import { decodeProductRecord } from '../../../src/upstream/contract/generated/decoders.ts';
import { GetProduct } from '../../../src/upstream/contract/generated/operations.ts';
import type { ProductRecord } from '../../../src/upstream/contract/generated/records.ts';
import { createClock } from '../../support/clock.ts';
import { SEED } from '../../support/seeded.ts';
import { StubCatalog, type Version } from '../../support/stubCatalog.ts';

const KEYS = 60;
const REQUESTS = 40;

const loadRecords = (upstream: Upstream, key: string, ids: readonly string[]) =>
  new Loaders(upstream.openSession(createKeyCredential(key), 'a request')).get(loaderForOperation<ProductRecord>(GetProduct)).loadMany(ids);

function fill(catalog: StubCatalog, count: number): void {
  for (let index = catalog.all.size; index < count; index += 1) catalog.all.set(`p${index}`, { id: `p${index}`, name: '0' });
  catalog.listed = [...catalog.all.keys()];
}

/** A random subset of the items. */
const pickSome = (random: Random, items: readonly string[], count: number) => [
  ...new Set(Array.from({ length: items.length > 0 ? count : 0 }, () => random.pick(items))),
];

/** Changes a list, so that what is known about it may no longer be true. */
function changeList(random: Random, catalog: StubCatalog): void {
  const kind = random.nextInteger(0, 9);
  if (kind === 0) catalog.listed = [];
  else if (kind === 1) catalog.listed = [...catalog.all.keys()];
  else if (kind === 2) catalog.listed = catalog.listed.slice(0, random.nextInteger(0, catalog.listed.length));
  else if (kind === 3) catalog.listed = catalog.listed.toReversed();
  else if (kind === 4) fill(catalog, catalog.all.size + random.nextInteger(1, 500));
  else if (kind === 5) catalog.listed = catalog.listed.filter(() => random.nextBoolean(0.5));
}

/** Time between the requests of a key, in milliseconds. */
const REQUEST_INTERVAL_MS = 20_000;
/** How long a list is paused after a batch that wasted calls, in milliseconds. */
const PAUSE_MS = 60_000;

interface Outcome {
  readonly startMs: number;
  readonly requested: number;
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
      now += random.nextBoolean(0.05) ? 700_000 : REQUEST_INTERVAL_MS;
      changeList(random, catalog);
      const ids = pickSome(
        random,
        random.nextBoolean(0.5) ? catalog.listed : [...catalog.all.keys()],
        random.pick([1, 5, 10, 20, 60, 200]),
      );
      const before = catalog.calls;
      await loadRecords(upstream, `key ${key}`, ids);
      outcomes.push({ startMs: now, requested: ids.length, loss: catalog.calls - before - ids.length });
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
      for (const { requested, loss } of lossy) expect(loss).toBeLessThanOrEqual(Math.max(1, Math.floor(requested / 3)));
      for (const [index, { startMs }] of lossy.slice(1).entries())
        expect(startMs - (lossy[index]?.startMs ?? 0)).toBeGreaterThanOrEqual(PAUSE_MS);
    }
    const losses = outcomesByKey.flat().map(({ loss }) => loss);
    expect(Math.max(...losses)).toBeGreaterThan(0);
    expect(losses.reduce((total, loss) => total + loss, 0)).toBeLessThan(-10 * KEYS * REQUESTS);
  });
});

describe('records that appear, change, and disappear between calls', () => {
  /** The versions of a record, with when each was created. Undefined if the record didn't exist. */
  type History = { readonly revision: number; readonly version: Version | undefined }[];

  it('resolve to a state that they had during the request', async () => {
    const random = new Random(SEED);
    const catalog = new StubCatalog();
    const histories = new Map<string, History>();
    let revision = 0;
    const put = (id: string, version: Version | undefined) => {
      if (version) catalog.all.set(id, version);
      else catalog.all.delete(id);
      histories.set(id, [...(histories.get(id) ?? []), { revision, version }]);
    };
    fill(catalog, 350);
    for (const version of catalog.all.values()) put(version.id, version);
    const change = () => {
      revision += 1;
      const id = `p${random.nextInteger(0, 399)}`;
      const index = catalog.listed.indexOf(id);
      if (index >= 0) catalog.listed.splice(index, 1);
      if (random.nextBoolean(0.2)) return put(id, undefined);
      put(id, { id, name: String(revision) });
      if (random.nextBoolean(0.9)) catalog.listed.splice(random.nextInteger(0, catalog.listed.length), 0, id);
    };
    catalog.onCall = async () => {
      // Responses arrive in a different order than requests.
      for (let turns = random.nextInteger(0, 3); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      if (random.nextBoolean(0.7)) change();
    };
    const upstream = createUpstream({ transport: catalog, timeoutMs: 10_000, callsPerRequest: 1_000 });
    let comparedCount = 0;
    for (let request = 0; request < 150; request += 1) {
      const requested = pickSome(
        random,
        Array.from({ length: 400 }, (_, index) => `p${index}`),
        random.pick([5, 30, 100, 200]),
      );
      const firstRevision = revision;
      const before = catalog.calls;
      const loaded = await loadRecords(upstream, 'a key', requested);
      if (request > 0 && requested.length > 90) expect(catalog.calls - before).toBeLessThan(requested.length);
      for (const [index, id] of requested.entries()) {
        const versions = histories.get(id) ?? [{ revision: 0, version: undefined }];
        // All versions except those that were replaced before the request started.
        const possible = versions
          .filter((_, position) => (versions[position + 1]?.revision ?? Number.POSITIVE_INFINITY) > firstRevision)
          .map(({ version }) => (version ? decodeProductRecord(version) : null));
        if ((versions[0]?.revision ?? 0) > firstRevision) possible.push(null);
        expect(possible, `${id} in request ${request}`).toContainEqual(loaded[index]);
        comparedCount += 1;
      }
    }
    expect(comparedCount).toBeGreaterThan(5_000);
  });
});
