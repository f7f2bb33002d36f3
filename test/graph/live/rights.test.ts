import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LocalBus } from '../../../src/live/bus.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { watchRecords } from '../../support/subscribe.ts';
import { parseSeries, scrape } from '../../support/telemetry/scrape.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { ANYTHING, customerId, OWNER, signal, toId, useLiveCustomers } from './liveCustomers.ts';

const QUERY = 'AnalyticsService/ExecuteQuery';
const ENTRIES = { alice: { key: OWNER } };

const clock = new TestClock(0, Date.now());
const provider = await startIdentityProvider(clock.unixMs);
afterAll(() => provider.close());
const assignments = new AssignmentFile(ENTRIES);

// The timers of graphs that start from now on: heartbeats are sent when a test advances them.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

const bus = new LocalBus();
const log: { readonly msg: string }[] = [];
const testGraph = useTestGraph({}, undefined, {
  clock,
  app: { clock, bus },
  logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  env: { LIVE: 'on', ADMIN_PORT: '0', ...createSignInSettings(provider, assignments) },
});

/** Advances the clocks without a heartbeat. */
const advance = (seconds: number) => {
  clock.now += seconds * 1_000;
};

const { watch, getRejection, change, run, makeMemberKey, restrictView, restrictScopes } = useLiveCustomers(testGraph);
afterEach(() => {
  assignments.write(ENTRIES);
  testGraph.auth?.authenticator.forgetAssignments();
});

const withoutScopes = (...missing: readonly string[]) =>
  makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => !missing.includes(scope)) });
const signInAs = (subject: string, seconds = 300) => provider.issue(subject, { claims: { exp: Math.floor(clock.now / 1000) + seconds } });
const assign = (entries: object) => assignments.write(entries);
const sendHangup = () => testGraph.auth?.authenticator.forgetAssignments();

/** How a caller loses its rights, and what the subscription receives instead of the next signal. */
const LOSSES: readonly (readonly [
  name: string,
  open: () => string | Promise<string>,
  lose: (key: string) => unknown,
  end: object | null,
])[] = [
  [
    'a member that lost full access half a minute ago',
    makeMemberKey,
    (key) => {
      restrictView(key);
      advance(31);
    },
    { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['ids'], code: 'REQUIRED' }] } },
  ],
  [
    'a member whose roles the graph has just removed',
    makeMemberKey,
    (key) => testGraph.execute(`mutation { memberRolesSet(input: { memberId: "member ${key}", roleIds: [] }) { __typename } }`),
    { extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['ids'], code: 'REQUIRED' }] } },
  ],
  [
    'a key that was revoked half a minute ago',
    makeMemberKey,
    (key) => {
      run(`UPDATE api_keys SET revoked_at = '1' WHERE name = :key`, { key });
      advance(31);
    },
    { extensions: { code: 'UNAUTHENTICATED' } },
  ],
  [
    'a key that lost a scope half a minute ago',
    makeMemberKey,
    (key) => {
      restrictScopes(key, ['me:read', 'analytics:read']);
      advance(31);
    },
    { extensions: { code: 'FORBIDDEN', missingScopes: ['customer:read'] } },
  ],
  [
    'an account that was removed half a minute ago',
    () => signInAs('alice'),
    () => {
      assign({});
      advance(31);
    },
    null,
  ],
  [
    'an account that was removed before SIGHUP',
    () => signInAs('alice'),
    () => {
      assign({});
      sendHangup();
    },
    null,
  ],
  [
    'an account that was limited to other scopes before SIGHUP',
    () => signInAs('alice'),
    () => {
      assign({ alice: { key: OWNER, scopes: ['me:read', 'order:read', 'analytics:read'] } });
      sendHangup();
    },
    null,
  ],
  [
    'an account that lost analytics:read before SIGHUP',
    () => signInAs('alice'),
    () => {
      assign({ alice: { key: OWNER, scopes: ['me:read', 'customer:read'] } });
      sendHangup();
    },
    null,
  ],
  [
    'an account that got another key before SIGHUP',
    () => signInAs('alice'),
    () => {
      assign({ alice: { key: 'demo-neighbour' } });
      sendHangup();
    },
    null,
  ],
  [
    'an account that was signed out before SIGHUP',
    () => signInAs('alice'),
    () => {
      assign({ alice: { key: OWNER, issuedAfter: Math.floor(clock.now / 1000) + 1 } });
      sendHangup();
    },
    null,
  ],
  ['an account whose token has expired since the last heartbeat', () => signInAs('alice', 10), () => advance(16), null],
];

describe('open subscription', () => {
  it.each(LOSSES)('ends without a signal to %s', async (_name, open, lose, end) => {
    const key = await open();
    const subscription = await watch(key);
    await lose(key);
    await change();
    const last = await subscription.next();
    if (end === null) return expect(last).toBe(null);
    expect([last, await subscription.next()]).toMatchObject([{ data: null, errors: [end] }, null]);
  });

  it('can’t be opened again after full access was lost half a minute ago, or immediately if the graph removed it', async () => {
    const key = makeMemberKey();
    await watch(key);
    restrictView(key);
    advance(31);
    expect(await getRejection(key)).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    const other = makeMemberKey();
    await watch(other);
    await testGraph.execute(`mutation { memberRolesSet(input: { memberId: "member ${other}", roleIds: [] }) { __typename } }`);
    expect(await getRejection(other)).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });

  it('costs a call per type and one for the scopes in 30 seconds, however many subscriptions of the key receive signals', async () => {
    const key = makeMemberKey();
    const types = ['CUSTOMER', 'ORDER'];
    const [subscriptions, opening] = await testGraph.recordCalls(() =>
      Promise.all(Array.from({ length: 8 }, () => watch(key, undefined, types))),
    );
    expect(opening).toEqual([QUERY, QUERY]);
    const countCalls = async (act: () => Promise<unknown>) => {
      const before = testGraph.sandbox.received.length;
      await act();
      const names = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
      return [QUERY, 'Workspace/Me'].map((name) => names.filter((each) => each === name).length);
    };
    const receive = async () => {
      await change(1);
      expect(await Promise.all(subscriptions.map((each) => each.next()))).toEqual(subscriptions.map(() => signal(toId(1))));
    };
    expect(await countCalls(receive)).toEqual([0, 0]);
    advance(31);
    // The grants of the key that changes the record are fetched, too.
    expect(await countCalls(receive)).toEqual([1, 2]);
    expect(await countCalls(receive)).toEqual([0, 0]);
  });

  it('costs nothing while nothing changes', async () => {
    const key = makeMemberKey();
    const subscription = await watch(key);
    const before = testGraph.sandbox.received.length;
    for (let beat = 0; beat < 10; beat += 1) {
      advance(30);
      vi.advanceTimersByTime(30_000);
      expect(await subscription.next()).toMatchObject({ data: { recordsChanged: { ids: [], isTruncated: false, source: null } } });
    }
    expect(testGraph.sandbox.received.slice(before)).toEqual([]);
  });

  it('ends when its token expires, without waiting for a heartbeat', async () => {
    // The token is accepted for 50 ms more, because the clocks of the provider and the graph can differ by five seconds.
    const subscription = await watch(await signInAs('alice', clock.now / 1000 - Math.floor(clock.now / 1000) - 4.95));
    advance(1);
    expect(await subscription.next()).toBe(null);
  });
});

describe('`ids` of a subscription', () => {
  it('must be those of records that the caller can read', async () => {
    const { data } = await testGraph.executeAs('demo-regional', '{ customers(first: 1) { nodes { id } } }');
    const [{ id: visible }] = data.customers.nodes;
    const hidden = (await testGraph.execute('{ customers(first: 100) { nodes { id } } }')).data.customers.nodes
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id !== visible);
    const missing = '00000000-0000-4000-8000-000000000000';
    const error = await getRejection(OWNER, [toId(0), missing, 'x', `${toId(0)}x`, toGlobalId('Customer', '💥')]);
    expect(error).toMatchObject({
      path: ['recordsChanged'],
      extensions: { code: 'BAD_USER_INPUT', issues: [1, 2, 3, 4].map((index) => ({ path: ['ids', String(index)], code: 'NOT_ALLOWED' })) },
    });
    const found = [];
    for (const id of hidden.slice(0, 5)) if (await getRejection('demo-regional', [visible, id])) found.push(id);
    expect(found.length).toBeGreaterThan(0);
    await watch('demo-regional', [visible]);
  });

  it('cost one read per record at the start, and raw IDs one per type', async () => {
    const key = makeMemberKey();
    const [, calls] = await testGraph.recordCalls(() => watch(key, [toId(0), customerId(1)], ['CUSTOMER', 'PROBLEM']));
    expect(calls.sort()).toEqual(['Customer/GetCustomer', 'Customer/GetCustomer', 'Problem/GetProblem']);
    const [, repeated] = await testGraph.recordCalls(() => watch(key, [toId(0)]));
    expect(repeated).toEqual([]);
  });

  it('count against COST_LIMIT, like the analytics query of each type', async () => {
    const { app, sandbox, close } = await startTestGraph({}, undefined, { env: { LIVE: 'on', COST_LIMIT: '12' } });
    onTestFinished(close);
    const open = (count: number) =>
      watchRecords(
        app.url,
        OWNER,
        ['CUSTOMER'],
        Array.from({ length: count }, (_, index) => toId(index)),
      );
    const rejected = await open(3);
    expect(await rejected.next()).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_EXPENSIVE', limit: 12 } }] });
    expect(sandbox.received).toEqual([]);
    const accepted = await open(2);
    onTestFinished(() => accepted.close());
    expect(await accepted.next()).toMatchObject({ data: { recordsChanged: { isTruncated: true } } });
  });

  it('cause no signal while the caller can’t read their records, and one after a record is gone', async () => {
    const key = makeMemberKey();
    const ids = [0, 1, 2].map(toId);
    const subscriptions = [await watch(key, ids), await watch(key, ids)];
    run('UPDATE customers SET workspace_id = :other WHERE id = :id', { other: 'other', id: customerId(2) });
    onTestFinished(() =>
      run('UPDATE customers SET workspace_id = :workspace WHERE id = :id', { workspace: demoId('workspace'), id: customerId(2) }),
    );
    advance(31);
    const publish = (...indexes: readonly number[]) =>
      bus.publish(demoId('workspace'), {
        source: 'GRAPH',
        changes: [{ type: 'Customer', ids: indexes.map(customerId), isTruncated: false }],
      });
    const receive = () => Promise.all(subscriptions.map((each) => each.next()));
    const [received, calls] = await testGraph.recordCalls(async () => {
      publish(0, 2);
      return receive();
    });
    expect(received).toEqual([signal(toId(0), toId(2)), signal(toId(0), toId(2))]);
    expect(calls).toEqual(['Customer/GetCustomer', 'Customer/GetCustomer']);
    restrictView(key);
    advance(31);
    publish(2);
    bus.publish(demoId('workspace'), {
      source: 'GRAPH',
      changes: [{ type: 'Customer', ids: [0, 1, 2].map(customerId), isTruncated: true }],
    });
    expect(await receive()).toEqual([ANYTHING, ANYTHING]);
    const { store } = testGraph.sandbox.world;
    store.run(`UPDATE customer_views SET customers = 'all' WHERE id = :id`, { id: `view ${key}` });
    advance(31);
    publish(1);
    expect(await receive()).toEqual([signal(toId(1)), signal(toId(1))]);
  });
});

describe('key whose workspace is unknown', () => {
  it('can’t subscribe without me:read', async () => {
    expect(await getRejection(withoutScopes('me:read'))).toMatchObject({
      extensions: { code: 'FORBIDDEN', requiredScopes: ['me:read'], missingScopes: ['me:read'] },
    });
  });

  it('can’t subscribe if the Workspace API doesn’t report the workspace', async () => {
    const { app, sandbox, close } = await startTestGraph({}, undefined, { env: { LIVE: 'on' } });
    onTestFinished(close);
    sandbox.faults.add({ operation: 'Workspace/Me', body: JSON.stringify({ apiKey: { scopes: ALL_SCOPES } }) });
    const subscription = await watchRecords(app.url, OWNER, ['CUSTOMER']);
    expect(await subscription.next()).toMatchObject({ errors: [{ extensions: { code: 'UPSTREAM_UNSUPPORTED' } }] });
  });

  it('changes records without a signal, which is logged and counted', async () => {
    const count = async () => parseSeries(await scrape(testGraph.adminUrl)).get('live_unpublished_changes_total') ?? 0;
    const before = await count();
    log.length = 0;
    const key = withoutScopes('me:read');
    for (let time = 0; time < 3; time += 1) expect((await change(0, key)).data.customerUpdate.__typename).toBe('CustomerUpdatePayload');
    expect([(await count()) - before, log.filter(({ msg }) => msg.startsWith('changes not signaled')).length]).toEqual([3, 1]);
    expect(log.some((line) => JSON.stringify(line).includes(key))).toBe(false);
  });
});
