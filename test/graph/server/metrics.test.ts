import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LedgerUnavailableError, OverloadedError } from '../../../src/failures/failures.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { makeCatalog } from '../../support/catalogs.ts';
import { TestClock } from '../../support/clock.ts';
import { FOREIGN_HOSTS, getStatuses, LOCAL_HOSTS } from '../../support/hosts.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const TRUSTED = 'query Contacts { contacts(first: 3) { nodes { id } } }';
const file = join(mkdtempSync(join(tmpdir(), 'metrics-')), 'trusted.json');
writeFileSync(file, JSON.stringify({ 'contacts-v1': TRUSTED }));

const testGraph = useTestGraph({}, undefined, {
  // The clock is stopped, so that the upstream's health is checked only once.
  app: { clock: new TestClock() },
  env: { ADMIN_PORT: '0', TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also' },
  upstream: { breaker: { threshold: 0.5, calls: 4, minCalls: 2, halfOpenAfterMs: 3_600_000 } },
});

const fetchAdmin = (path: string, init?: RequestInit) => fetch(`${testGraph.adminUrl}${path}`, init);
const scrape = async () => (await fetchAdmin('/metrics')).text();

/** Parses the values of the metrics by series. */
async function fetchSeries(): Promise<ReadonlyMap<string, number>> {
  const lines = (await scrape()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

beforeAll(() => waitUntil(async () => (await fetchSeries()).get('upstream_up') === 1));

/** The increase of each matching series while a function runs, without unchanged series. */
async function measureGrowth(execute: () => Promise<unknown>, names: RegExp): Promise<Readonly<Record<string, number>>> {
  const before = await fetchSeries();
  await execute();
  const grown = [...(await fetchSeries())].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([name, increase]) => increase !== 0 && names.test(name)));
}

/** Polls until a condition holds: a request is counted when its connection is done with it, which its client can't observe. */
async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}

const createSentSeries = (operation: string, outcome: string) =>
  `upstream_request_duration_seconds_count{rpc_method="${operation}",outcome="${outcome}"}`;

describe('/metrics', () => {
  it('rejects requests for other hosts if only this machine can reach it', async () => {
    const url = String(testGraph.adminUrl);
    expect(await getStatuses(url, '/metrics', FOREIGN_HOSTS)).toEqual(FOREIGN_HOSTS.map(() => 403));
    expect(await getStatuses(url, '/metrics', LOCAL_HOSTS)).toEqual(LOCAL_HOSTS.map(() => 200));
  });

  it('counts each call that the upstream has received and each retry', async () => {
    await testGraph.execute('{ contacts(first: 1) { nodes { id } } }');
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 503, times: 1 });
    const { received } = testGraph.sandbox;
    const before = received.length;
    const grown = await measureGrowth(() => testGraph.execute('{ contacts(first: 2) { nodes { id } } }'), /^upstream_re.*(_count|_total)/);
    expect(received.slice(before).map(({ operation }) => operation)).toEqual(['Contact/ListContacts', 'Contact/ListContacts']);
    expect(grown).toEqual({
      [createSentSeries('Contact/ListContacts', 'failed')]: 1,
      [createSentSeries('Contact/ListContacts', 'ok')]: 1,
      upstream_retries_total: 1,
    });
  });

  it('counts operations by trusted document, and all others together', async () => {
    const execute = async () => {
      await testGraph.execute(TRUSTED);
      await testGraph.execute('{ contacts(first: 4) { nodes { id } } }');
      await testGraph.execute('{ contacts(first: 5) { nodes { id } } }');
      await testGraph.executeAs(null, 'query Secret { contacts(first: 5) { nodes { id } } }');
    };
    const of = (id: string, outcome: string) =>
      `graphql_operation_duration_seconds_count{graphql_operation_type="query",document_id="${id}",outcome="${outcome}"}`;
    expect(await measureGrowth(execute, /^graphql_operation.*_count/)).toEqual({
      [of('contacts-v1', 'ok')]: 1,
      [of('ad-hoc', 'ok')]: 2,
      [of('ad-hoc', 'failed')]: 1,
    });
  });

  it('counts reads shared by several requests, and responses by status', async () => {
    const queryContacts = (alias: string) => testGraph.execute(`{ ${alias}: contacts(first: 6) { nodes { id } } }`);
    const before = (await fetchSeries()).get('upstream_coalesced_calls_total') ?? 0;
    const execute = async () => {
      const held = testGraph.gate.hold('Contact/ListContacts');
      const requests = [queryContacts('one'), queryContacts('two'), queryContacts('three')];
      await waitUntil(async () => (await fetchSeries()).get('upstream_coalesced_calls_total') === before + 2);
      held.release();
      await Promise.all(requests);
    };
    expect(await measureGrowth(execute, /coalesced_calls_total|_count.*Contact/)).toEqual({
      upstream_coalesced_calls_total: 2,
      [createSentSeries('Contact/ListContacts', 'ok')]: 1,
    });
    const notFoundSeries = 'http_server_request_duration_seconds_count{http_response_status_code="404"}';
    const before404 = (await fetchSeries()).get(notFoundSeries) ?? 0;
    await fetch(`${testGraph.url}/nothing`);
    await waitUntil(async () => (await fetchSeries()).get(notFoundSeries) === before404 + 1);
  });

  it('counts uses of idempotency keys by outcome', async () => {
    const create = (lastName: string) =>
      testGraph.execute(`mutation { contactCreate(input: { lastName: "${lastName}", idempotencyKey: "metrics" }) { __typename } }`);
    const execute = async () => {
      await create('Once');
      await create('Once');
      await create('Other');
    };
    const of = (kind: string) => `ledger_outcomes_total{kind="${kind}"}`;
    expect(await measureGrowth(execute, /^ledger/)).toEqual({ [of('done')]: 1, [of('replayed')]: 1, [of('key_reused')]: 1 });
  });

  it('counts operations by error code, once per operation, including errors of result unions', async () => {
    const execute = async () => {
      await testGraph.executeAs(null, '{ a: contacts(first: 5) { nodes { id } } b: contacts(first: 5) { nodes { id } } }');
      await testGraph.execute('mutation { contactCreate(input: { lastName: "A", idempotencyKey: " " }) { __typename } }');
      await testGraph.execute('{ nonsense }');
    };
    const of = (type: string, code: string) => `graphql_operation_errors_total{graphql_operation_type="${type}",code="${code}"}`;
    expect(await measureGrowth(execute, /^graphql_operation_errors_total/)).toEqual({
      [of('query', 'UNAUTHENTICATED')]: 1,
      [of('mutation', 'BAD_USER_INPUT')]: 1,
    });
  });

  it('starts counters at 0 if the values of their label are known', async () => {
    const known = [
      'ledger_outcomes_total{kind="unavailable"}',
      'graphql_operation_errors_total{graphql_operation_type="mutation",code="INTERNAL_SERVER_ERROR"}',
    ];
    const values = await fetchSeries();
    expect([...known, 'upstream_unsent_calls_total{reason="queue"}'].map((name) => values.get(name))).toEqual([0, 0, 0]);
  });

  it('counts the calls saved by list pages, as `extensions.cost` reports them', async () => {
    const { key, listed } = makeCatalog(testGraph.sandbox.world, 30);
    const of = listed.slice(0, 20).map((rawId) => ({ __typename: 'Product', rawId }));
    const document = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { rawId name } } }';
    let savedCalls = 0;
    const execute = async () => {
      savedCalls = (await testGraph.executeAs(key, document, { of })).cost?.savedCalls ?? 0;
    };
    expect(await measureGrowth(execute, /saved_calls_total/)).toEqual({ upstream_saved_calls_total: savedCalls });
    expect(savedCalls).toBeGreaterThan(0);
  });

  it('exposes the quota but no key', async () => {
    const text = await scrape();
    expect((await fetchSeries()).get('upstream_ratelimit_remaining')).toBeGreaterThan(0);
    expect(text).not.toContain('demo-owner');
    expect(text).not.toContain('Secret');
  });

  it('exposes which breaker is open', async () => {
    expect((await fetchSeries()).get('breaker_open{service="Contact"}')).toBe(0);
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 500, times: 10 });
    for (const first of [7, 8, 9, 10]) await testGraph.execute(`{ contacts(first: ${first}) { nodes { id } } }`);
    expect((await fetchSeries()).get('breaker_open{service="Contact"}')).toBe(1);
    expect((await fetchSeries()).get('breaker_open{service="all"}')).toBe(0);
  });
});

describe('metrics of a graph whose ledger fails', () => {
  const failures: Error[] = [];
  class FailingStore extends SqliteLedgerStore {
    override claim(): Promise<never> {
      return Promise.reject(failures.shift());
    }
  }
  const failing = useTestGraph({}, undefined, {
    env: { ADMIN_PORT: '0' },
    ledger: createMemoryLedger({ store: new FailingStore(':memory:') }),
  });

  it('count uses of an unavailable or overloaded ledger separately from uses that the upstream rejects', async () => {
    failures.push(new LedgerUnavailableError(), new OverloadedError('Too many.'), new Error('unexpected'));
    for (const name of ['A', 'B', 'C'])
      await failing.execute(`mutation { contactCreate(input: { lastName: "${name}", idempotencyKey: "${name}" }) { __typename } }`);
    const text = await (await fetch(`${failing.adminUrl}/metrics`)).text();
    const counts = Object.fromEntries(
      Array.from(text.matchAll(/^ledger_outcomes_total\{kind="(\w+)"\} ([1-9]\d*)$/gm), ([, kind, count]) => [kind, count]),
    );
    expect(counts).toEqual({ unavailable: '1', overloaded: '1', failed: '1' });
  });
});

describe('admin port', () => {
  it('serves the health checks of the main port', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const responses = await Promise.all([fetchAdmin(path), fetch(`${testGraph.url}${path}`)]);
      const [own, main] = await Promise.all(responses.map((response) => response.json()));
      expect([responses.map(({ status }) => status), own]).toEqual([[200, 200], main]);
    }
  });

  it('serves nothing else', async () => {
    for (const path of ['/graphql', '/livez', '/readyz']) expect((await fetchAdmin(path)).status).toBe(404);
    expect((await fetchAdmin('/metrics', { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${testGraph.url}/metrics`)).status).toBe(404);
  });
});
