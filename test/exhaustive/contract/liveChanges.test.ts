import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LocalBus } from '../../../src/live/bus.ts';
import type { ChangeEvent, LiveType } from '../../../src/live/changes.ts';
import { LIVE_TYPES } from '../../../src/live/changes.ts';
import { listSearches } from '../../../src/schema/search/searches.ts';
import { EACH_VARIANT, useMutations } from '../../support/contract/mutations.ts';

/** Records what is published. */
class RecordingBus extends LocalBus {
  readonly events: ChangeEvent[] = [];

  override publish(channel: string, event: ChangeEvent): void {
    this.events.push(event);
    super.publish(channel, event);
  }
}

const bus = new RecordingBus();
const testGraph = useMutations({ env: { LIVE: 'on' }, app: { bus } });
beforeAll(() => {
  // Created records must not look older than the request that creates them.
  testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
});
afterEach(() => testGraph.sandbox.faults.clear());

const TABLES: Readonly<Record<LiveType, string>> = {
  Customer: 'customers',
  Order: 'orders',
  Quote: 'quotes',
  Payment: 'payments',
  WorkOrder: 'work_orders',
  Problem: 'problems',
  Appointment: 'appointments',
};

/** The stored records of all live types, as text, by type and ID. */
function readRecords(): ReadonlyMap<string, string> {
  const { store } = testGraph.sandbox.world;
  return new Map(
    LIVE_TYPES.flatMap((type) =>
      store.all<{ id: string }>(`SELECT * FROM main.${TABLES[type]}`).map((row) => [`${type} ${row.id}`, JSON.stringify(row)] as const),
    ),
  );
}

/** Records that were created, changed, or deleted while a function ran. */
async function recordStored(run: () => Promise<unknown>): Promise<string[]> {
  const before = readRecords();
  await run();
  const after = readRecords();
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
}

/** Changed records that weren't published. A truncated list contains all records of its type. */
function findUnpublished(stored: readonly string[]): string[] {
  const changes = bus.events.flatMap((event) => event.changes);
  const isPublished = (key: string) =>
    changes.some(({ type, ids, isTruncated }) => (isTruncated && key.startsWith(`${type} `)) || ids.some((id) => key === `${type} ${id}`));
  return stored.filter((key) => !isPublished(key));
}

describe('mutation', () => {
  it.each(EACH_VARIANT)('publishes every record that it changes: %s', async (_title, mutation) => {
    const input = { ...(await testGraph.newInput(mutation)), idempotencyKey: `live ${mutation.title}` };
    bus.events.length = 0;
    const stored = await recordStored(async () =>
      expect((await testGraph.ask(mutation, input)).result).toMatchObject({ __typename: expect.stringMatching(/Payload$/) }),
    );
    expect(findUnpublished(stored)).toEqual([]);
    expect(bus.events.every(({ changes }) => changes.every(({ isTruncated }) => !isTruncated))).toBe(true);
  });

  it.each(EACH_VARIANT)('publishes every record that it changes if its response is lost: %s', async (_title, mutation) => {
    const input = { ...(await testGraph.newInput(mutation)), idempotencyKey: `lost ${mutation.title}` };
    bus.events.length = 0;
    testGraph.sandbox.faults.add({ operation: mutation.operation.name, cut: 'after' });
    const stored = await recordStored(() => testGraph.ask(mutation, input));
    expect(findUnpublished(stored)).toEqual([]);
  });
});

it('LIVE_TYPES are the types with a search', () => {
  expect([...LIVE_TYPES].sort()).toEqual(
    listSearches()
      .map(({ target }) => target.name)
      .sort(),
  );
});
