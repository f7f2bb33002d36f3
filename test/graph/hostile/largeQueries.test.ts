import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AbandonedError } from '../../../src/failures/failures.ts';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListProducts } from '../../../src/upstream/contract/generated/operations.ts';
import type { Reservation } from '../../../src/upstream/traffic/quota.ts';
import type { Sender } from '../../../src/upstream/traffic/senders.ts';
import { PAUSE_ITERATIONS, TURN_WORK, Turns } from '../../../src/upstream/traffic/turns.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { WatchedQuota } from '../upstream/watchedQuota.ts';

const PRODUCTS = 'Catalog/ListProducts';
const CONTACTS = 'Contact/ListContacts';
const ALIASES = Array.from({ length: 12 }, (_, index) => `p${index}`);
const LARGE = `{ ${ALIASES.map((alias) => `${alias}: products(first: 100) { nodes { id rawId name sku } }`).join(' ')} }`;
const SMALL = '{ contacts(first: 1) { nodes { rawId } } }';

/** Records the key hashes of the finished operations, in order. */
class RecordingQuota extends WatchedQuota {
  readonly endedKeys: string[] = [];

  override release(reservation: Reservation): void {
    this.endedKeys.push(reservation.key.hash);
    super.release(reservation);
  }
}

describe('many large queries of a key', () => {
  const COUNT = 40;
  const quota = new RecordingQuota();
  const testGraph = useTestGraph({}, undefined, { upstream: { quota } });

  it('don’t delay a small query of another key if one response resumes all of them', async () => {
    const other = makeKey(testGraph.sandbox.world);
    await testGraph.executeAs(other, SMALL);
    const expected = (await testGraph.execute(LARGE)).data;
    expect(expected.p11.nodes.length).toBeGreaterThan(10);
    const [products, contacts] = [testGraph.gate.hold(PRODUCTS), testGraph.gate.hold(CONTACTS)];
    const [{ large, small }, calls] = await testGraph.recordCalls(async () => {
      const admitted = quota.waitForAdmitted(COUNT);
      const running = Array.from({ length: COUNT }, () => testGraph.execute(LARGE));
      const overtaking = testGraph.executeAs(other, SMALL);
      await Promise.all([admitted, products.arrived, contacts.arrived]);
      quota.endedKeys.length = 0;
      products.release();
      await products.answered;
      contacts.release();
      return { large: await Promise.all(running), small: await overtaking };
    });
    expect(small.data.contacts.nodes).toHaveLength(1);
    for (const { data, errors } of large) expect([data, errors]).toEqual([expected, undefined]);
    expect(calls.filter((name) => name === PRODUCTS)).toHaveLength(1);
    expect(quota.endedKeys.indexOf(hashApiKey(other))).toBeLessThan(COUNT / 2);
  });
});

describe('aliases of the same read', () => {
  const testGraph = useTestGraph();

  it('continue in separate turns of the event loop', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const session = upstream.openSession(createKeyCredential('demo-owner'), 'a request');
    await session.admit({ maxCalls: 3, probeCalls: 0, minCalls: 0, expected: 1, isLowerBound: false }, 300_000);
    let turn = 0;
    const resumedIn: number[] = [];
    const reading = Promise.all(
      Array.from({ length: 3 }, () => session.call(ListProducts, { page: 1, pageSize: 20 }).then(() => resumedIn.push(turn))),
    );
    for (; resumedIn.length < 3; turn += 1) await nextTurn();
    await reading;
    expect(new Set(resumedIn).size).toBe(3);
    session.finish();
    await upstream.close();
  });
});

describe('Requester', () => {
  const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

  it('weighs a response by the calls that it can lead to', async () => {
    const waits = vi.spyOn(Turns.prototype, 'waitForTurn');
    onTestFinished(() => waits.mockRestore());
    const read = async (first: number) => {
      waits.mockClear();
      const { data } = await testGraph.execute(`{ customers(first: ${first}) { nodes { orders(first: 1) { totalCount } } } }`);
      expect(data.customers.nodes).toHaveLength(first);
      return waits.mock.calls.map(([, work = 0]) => work);
    };
    expect(Math.max(...(await read(2)))).toBeLessThan(TURN_WORK);
    expect(Math.max(...(await read(20)))).toBeGreaterThan(TURN_WORK);
  });
});

describe('Turns', () => {
  const HALF = 75;
  const LARGE_VALUES = 100_000;
  const key = new Key('key');
  const [one, another] = [new Key('one'), new Key('another')];

  /** A request that waits for responses. */
  const createRequester = (sender: Sender, workPerResponse: number, mayCallAgain = false) => ({
    sender,
    values: workPerResponse,
    workPerResponse,
    mayCallAgain,
    isDisconnected: false,
    resumedIn: 0,
    turn: null,
  });
  type Requester = ReturnType<typeof createRequester>;

  /** Records which responses resume their request in each turn of the event loop. */
  function recordTurns() {
    const turns = new Turns();
    const resumed: string[][] = [[]];
    const resume = async (name: string, waiting: Requester) => {
      // Responses arrive after the test has started to count turns.
      await Promise.resolve();
      await turns.resume({}, waiting);
      resumed.at(-1)?.push(name);
    };
    /** Waits for `count` turns. Returns the resumed responses per iteration of the event loop, without empty ones. */
    const pass = async (count: number) => {
      for (let iteration = 0; iteration < count * (1 + PAUSE_ITERATIONS); iteration += 1) {
        await nextTurn();
        resumed.push([]);
      }
      return resumed.filter(({ length }) => length > 0);
    };
    return { turns, resume, pass };
  }

  it('resumes a response at once if little else is resumed in the turn', async () => {
    const { turns } = recordTurns();
    const [large, medium] = [createRequester(key, LARGE_VALUES), createRequester(key, HALF)];
    expect(turns.waitForTurn(large, LARGE_VALUES)).toBeUndefined();
    await nextTurn();
    for (let index = 0; index < 4; index += 1) expect(turns.waitForTurn(medium)).toBeUndefined();
    expect(turns.waitForTurn(large, LARGE_VALUES)).toBeInstanceOf(Promise);
    expect(turns.waitForTurn(medium)).toBeUndefined();
  });

  it('starts ten small requests per turn', async () => {
    const { turns } = recordTurns();
    const small = createRequester(key, 50);
    for (let index = 0; index < 10; index += 1) expect(turns.waitForTurn(small)).toBeUndefined();
    await turns.waitForTurn(small);
    expect(turns.waitForTurn(small)).toBeUndefined();
  });

  it('alternates between keys and resumes one large response per turn', async () => {
    const { resume, pass } = recordTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void resume(name, createRequester(one, LARGE_VALUES));
    for (const name of ['b1', 'b2']) void resume(name, createRequester(another, LARGE_VALUES));
    expect(await pass(7)).toEqual([['a1'], ['a2'], ['b1'], ['a3'], ['b2'], ['a4']]);
  });

  it('lets the event loop serve the network between two turns, also if the work of one leads to the next', async () => {
    const { turns } = recordTurns();
    let iterations = 0;
    const taken: number[] = [];
    const work = async () => {
      for (let part = 0; part < 3; part += 1) {
        await turns.waitToWork(key, TURN_WORK);
        taken.push(iterations);
      }
    };
    void work();
    void work();
    for (; iterations < 8 * (1 + PAUSE_ITERATIONS); iterations += 1) await nextTurn();
    const pauses = taken.slice(1).map((iteration, index) => iteration - (taken[index] ?? 0));
    // The first part starts at once.
    expect(pauses.slice(1)).toEqual(Array.from({ length: 4 }, () => 1 + PAUSE_ITERATIONS));
  });

  it('resumes as many small responses per turn as fit', async () => {
    const { resume, pass } = recordTurns();
    for (const name of ['1', '2', '3', '4', '5']) void resume(name, createRequester(key, HALF));
    expect(await pass(4)).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  it('resumes a request only with all responses that can lead to further calls', async () => {
    const { resume, pass } = recordTurns();
    const [first, second, last] = [true, true, false].map((mayCallAgain) => createRequester(key, LARGE_VALUES, mayCallAgain)) as [
      Requester,
      Requester,
      Requester,
    ];
    for (const name of ['1', '2']) void resume(name, first);
    for (const name of ['3', '4']) void resume(name, second);
    for (const name of ['5', '6']) void resume(name, last);
    expect(await pass(5)).toEqual([['1', '2'], ['3', '4'], ['5'], ['6']]);
  });

  it('rejects a response whose client has disconnected meanwhile', async () => {
    const { resume } = recordTurns();
    const first = resume('first', createRequester(key, LARGE_VALUES));
    const second = resume('second', { ...createRequester(key, LARGE_VALUES), isDisconnected: true });
    await first;
    await expect(second).rejects.toThrow(AbandonedError);
  });
});
