import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOverlay } from '../../../cli/verify/proposal.ts';
import { hasDrift, type Report, type VerifyOptions, verify } from '../../../cli/verify/verify.ts';
import { NO_OVERLAY, readOverlay } from '../../../src/upstream/contract/overlay.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { TransportError, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { openSandbox, START, type TestSandbox } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { DEVIATIONS } from './deviationCases.ts';
import {
  changeHeaders,
  changeMembers,
  changeRequests,
  changeResponses,
  createError,
  type Deviation,
  removeScope,
  respondWith,
} from './deviations.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ sendsDefaults: true });
});
afterAll(() => sandbox.close());

const UNCHANGED: Deviation = (request, send) => send(request);

/** The sandbox's responses to the reads of verifications, by request. Reads always return the same, so verifications can share them, which saves time. */
const responses = new Map<string, Promise<UpstreamResponse>>();
const cacheReads: Deviation = (request, send) => {
  const { path, body, apiKey } = request;
  const id = JSON.stringify([path, body, apiKey]);
  const response = responses.get(id) ?? send(request);
  responses.set(id, response);
  return response;
};

/** Verifies a sandbox through a deviation. With a `url`, each call is sent to that sandbox. */
async function run(deviation: Deviation, options: Partial<VerifyOptions> = {}, url?: string): Promise<Report> {
  const read = url === undefined ? cacheReads : UNCHANGED;
  // The sandbox's clock stands still in tests, unlike the clock of its HTTP server.
  const withDate: Deviation = async (request, send) => {
    const response = await read(request, send);
    return { ...response, headers: { ...response.headers, date: new Date(START * 1000).toUTCString() } };
  };
  const transport = interceptCalls((request, send) => deviation(request, (call) => withDate(call, send)))(
    httpTransport({ url: url ?? sandbox.url, connections: 1 }),
  );
  try {
    return await verify({ transport, apiKey: 'demo-owner', maxCalls: 2_000, nowMs: () => START * 1000, ...options });
  } finally {
    await transport.close();
  }
}

/** Drift and unknown members of a report, as text. */
const listProblems = ({ findings }: Report) =>
  findings.flatMap((finding) => {
    if (finding.verdict === 'DRIFT') return [`${finding.coordinate} ${finding.kind}`];
    return finding.verdict === 'UNKNOWN' ? [`${finding.coordinate} UNKNOWN`] : [];
  });

const listUnreached = ({ findings }: Report) =>
  findings.flatMap((finding) => (finding.verdict === 'UNREACHED' ? [`${finding.coordinate} ${finding.reason}`] : []));

/** No list contains the IDs of receipts, and the first orders have no reservations. */
const WITHOUT_DATA = ['Inventory/GetInventoryReceipt NO_DATA', 'Inventory/ListOrderReservations NO_DATA'];

describe('verification of an upstream that conforms to the contract', () => {
  it('finds no drift, reaches what lists lead to, and only sends reads', async () => {
    sandbox.received.length = 0;
    const report = await run(UNCHANGED, {}, sandbox.url);
    expect(listProblems(report)).toEqual([]);
    expect(listUnreached(report).filter((each) => each.includes('/'))).toEqual(WITHOUT_DATA);
    expect(hasDrift(report)).toBe(false);
    expect(report.overlay).toBeNull();
    expect(report.calls).toBe(sandbox.received.length);
    const isRead = /\/(Get|List|Search|Lookup|Prepare|Me|ExecuteQuery)/;
    expect(sandbox.received.map(({ operation }) => operation).filter((name) => !isRead.test(name))).toEqual([]);
    // Every root, column and relationship of the indexes.
    const indexes = report.findings.filter(({ coordinate }) => coordinate.startsWith('indexes.'));
    expect(indexes.filter(({ verdict }) => verdict !== 'CONFIRMED')).toEqual([]);
    expect(indexes.length).toBeGreaterThan(90);
  });
});

describe('verification of an upstream that deviates', () => {
  it.each(DEVIATIONS)('finds only the deviation: %s', async (_name, deviation, finding, isCorrectable) => {
    const report = await run(deviation);
    expect(listProblems(report)).toEqual([finding]);
    expect(hasDrift(report)).toBe(!finding.endsWith('UNKNOWN'));
    expect(report.overlay !== null).toBe(isCorrectable);
    if (!report.overlay) return;
    const reading = readOverlay(formatOverlay(report.overlay));
    if ('problems' in reading) throw new Error(reading.problems.join('\n'));
    const corrected = await run(deviation, { overlay: reading.overlay });
    expect(listProblems(corrected)).toEqual([]);
  });

  it('reports no drift if a row is created between two pages', async () => {
    // The new row is the first one, and moves all others by one.
    const shifted = changeRequests('/ListProducts', (request) =>
      request.pageSize === 2 ? { ...request, page: request.page === 2 ? 1 : 9 } : request,
    );
    expect(listProblems(await run(shifted))).toEqual([]);
  });

  it('reports no drift for null instead of an empty list', async () => {
    const emptied = changeMembers('Inventory', (name, value) => [[name, Array.isArray(value) && value.length === 0 ? null : value]]);
    expect(listProblems(await run(emptied))).toEqual([]);
  });

  it('reports no drift for occasional failures, because it retries each call', async () => {
    let calls = 0;
    const report = await run((request, send) => {
      calls += 1;
      return calls % 4 === 0 ? Promise.resolve(createError(503, 'unavailable')) : send(request);
    });
    expect(listProblems(report)).toEqual([]);
    expect(listUnreached(report).filter((each) => each.endsWith(' ERROR'))).toEqual([]);
  });

  it('continues with other operations if the key is rejected for one', async () => {
    const report = await run(respondWith('Journey/ListJourneyConfig', createError(401, 'unauthenticated')));
    expect(listProblems(report)).toEqual([]);
    expect(listUnreached(report)).toContain('Journey/ListJourneyConfig PERMISSION');
  });

  it('reports an operation with another name as not served', async () => {
    const report = await run(respondWith('Journey/ListJourneyConfig', createError(404, 'not_found')));
    expect(listUnreached(report)).toContain('Journey/ListJourneyConfig NOT_SERVED');
  });

  it('stops after three operations without a response', async () => {
    let calls = 0;
    const noResponse: Deviation = () => {
      calls += 1;
      return Promise.reject(new TransportError(true, true));
    };
    await expect(run(noResponse)).rejects.toThrow('No read succeeded (no response within 30 seconds).');
    expect(calls).toBe(6);
  });

  it('reports which request field to rename if names are in snake case', async () => {
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const changedRequests = changeRequests('/ListContacts', ({ page_size: size, pageSize: _, ...rest }) => ({ ...rest, pageSize: size }));
    const changedResponses = changeMembers('Contact', (name, value) => [[snake(name), value]]);
    const deviation: Deviation = (request, send) => changedResponses(request, (call) => changedRequests(call, send));
    const report = await run(deviation);
    const detail = expect.stringMatching(
      /; responses name the page size page_size, so rename pageSize of ListContactsRequest in an overlay$/,
    );
    expect(report.findings).toContainEqual(expect.objectContaining({ kind: 'PAGE_SIZE_IGNORED', detail }));
    const fields = { ...report.overlay?.fields, ListContactsRequest: { pageSize: 'page_size' } };
    expect(listProblems(await run(deviation, { overlay: { ...NO_OVERLAY, fields } }))).toEqual([]);
  });

  it('reports rate limit headers in another format', async () => {
    const prefixed = changeHeaders(({ 'ratelimit-remaining': remaining, 'ratelimit-reset': reset, ...rest }) => ({
      ...rest,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': reset,
    }));
    const { findings, facts } = await run(prefixed, { maxCalls: 20 });
    expect(findings.filter(({ verdict }) => verdict === 'DRIFT')).toEqual([]);
    const result = 'ABSENT, but x-ratelimit-remaining, x-ratelimit-reset (not supported by the graph)';
    expect(facts).toContainEqual({ subject: 'RateLimit-Reset', result });
  });

  it('uses several windows of a small rate limit, and stops if no window suffices', async () => {
    const limited = await openSandbox({ sendsDefaults: true, rateLimit: { limit: 100, windowSeconds: 60 } });
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
      limited.now += 60;
    };
    const report = await run(UNCHANGED, { wait }, limited.url);
    expect(report.cutBy).toBeNull();
    expect(waits.length).toBe(Math.floor(report.calls / 80));
    expect(waits.every((ms) => ms > 0 && ms <= 60_000)).toBe(true);
    const reserved = await run(UNCHANGED, { wait, reserve: 100 }, limited.url);
    await limited.close();
    expect(reserved.cutBy).toBe('RESERVE');
    expect(reserved.calls).toBeLessThan(5);
  });

  it('proposes one entry for all messages, and reports nothing else, if all lists rename a field', async () => {
    const deviation: Deviation = async (request, send) => {
      const response = await send(request);
      return { ...response, body: response.body.replaceAll('"hasMore":', '"more":') };
    };
    const { findings, overlay } = await run(deviation);
    const relevant = findings.filter(({ coordinate, verdict }) => /[.](hasMore|more)$/.test(coordinate) && verdict !== 'UNREACHED');
    const detail = expect.stringMatching(/^named more in \d\d messages$/);
    expect(relevant).toEqual([expect.objectContaining({ coordinate: '*.hasMore', kind: 'RENAMED', detail })]);
    expect(overlay).toEqual({ fields: { '*': { hasMore: 'more' } } });
  });

  it('proposes an entry for each message if all lists but one rename a field', async () => {
    const deviation: Deviation = async (request, send) => {
      const response = await send(request);
      return request.path.includes('.Contact/')
        ? response
        : { ...response, body: response.body.replaceAll('"createdAt":', '"created_at":') };
    };
    const { overlay } = await run(deviation);
    expect(overlay?.fields?.['*']).toBeUndefined();
    expect(overlay?.fields).toMatchObject({ QuoteRecord: { createdAt: 'created_at' }, OrderRecord: { createdAt: 'created_at' } });
  });

  it('reports what a missing scope makes unreachable, and does not call it', async () => {
    const changedRequests: string[] = [];
    const deviation = removeScope('quote:read', 'Quote');
    const report = await run((request, send) => {
      changedRequests.push(request.path);
      return deviation(request, send);
    });
    expect(listProblems(report)).toEqual([]);
    expect(listUnreached(report).filter((each) => each.includes('/'))).toEqual(
      expect.arrayContaining([...WITHOUT_DATA, 'Quote/GetQuote MISSING_SCOPE', 'Quote/ListQuotes MISSING_SCOPE']),
    );
    expect(listUnreached(report).filter((each) => each.includes('/'))).toHaveLength(WITHOUT_DATA.length + 2);
    expect(listUnreached(report)).toContain('QuoteRecord.title MISSING_SCOPE');
    expect(changedRequests.filter((path) => path.includes('.Quote/'))).toEqual([]);
  });

  it.each([
    ['another name of a column', { indexes: { orders: { columns: { quote_id: 'origin' } } } }],
    ['a catalog without a column', { indexes: { orders: { columns: { total_yearly: null } } } }],
    ['another name of a relationship', { indexes: { orders: { relationships: { offer: 'quote' } } } }],
    ['another name of a root', { indexes: { workorders: { root: 'work_orders' } } }],
    ['a catalog without a root', { indexes: { problems: null } }],
    ['a catalog without the IDs of a root', { indexes: { offers: null } }],
    ['ignored sort directions', { operations: { 'AnalyticsService/ExecuteQuery': { sortDirection: 'SQL' } } }],
    ['no descending order at all', { operations: { 'AnalyticsService/ExecuteQuery': { sortDirection: 'ASCENDING' } } }],
  ])('proposes what searches need: %s', async (name, expected) => {
    const [, deviation = UNCHANGED] = DEVIATIONS.find(([each]) => each === name) ?? [];
    expect((await run(deviation)).overlay).toEqual(expected);
  });

  it('sends no analytics queries with a key that lacks their scope', async () => {
    const sent: string[] = [];
    const deviation = removeScope('analytics:read', 'AnalyticsService');
    const report = await run((request, send) => {
      sent.push(request.path);
      return deviation(request, send);
    });
    expect(listProblems(report)).toEqual([]);
    expect(listUnreached(report)).toContain('indexes.orders.id MISSING_SCOPE');
    expect(sent.filter((path) => path.includes('.AnalyticsService/'))).toEqual([]);
  });

  it('reports timestamps with fractions of seconds', async () => {
    const deviation = changeResponses('AnalyticsService/ExecuteQuery', (response) =>
      JSON.parse(JSON.stringify(response).replaceAll(/("timestamp":"[^"]*:\d\d)Z"/g, '$1.000Z"')),
    );
    const report = await run(deviation);
    expect(listProblems(report)).toEqual([]);
    expect(report.facts).toContainEqual({ subject: 'timestamps of orders', result: 'with fractions of seconds' });
  });

  it('reports that default values are omitted, without drift', async () => {
    const other = await openSandbox({ sendsDefaults: false });
    const report = await run(UNCHANGED, {}, other.url);
    await other.close();
    expect(listProblems(report)).toEqual([]);
    expect(report.facts).toContainEqual({ subject: 'fields with default values', result: 'omitted' });
  });
});
