import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_OVERLAY, readOverlay } from '../../../src/upstream/contract/overlay.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { TransportError, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { formatOverlay } from '../../../src/verify/proposal.ts';
import { hasDrift, type Report, type VerifyOptions, verify } from '../../../src/verify/verify.ts';
import { openSandbox, START, type TestSandbox } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { always, answering, asking, type Deviation, refused, serving, withHeaders, withoutScope } from './deviations.ts';
import { DIFFERING } from './differing.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ sendsDefaults: true });
});
afterAll(() => sandbox.close());

const FAITHFUL: Deviation = (request, usual) => usual(request);

/** The sandbox's responses to the reads of verifications, by request. Reads always return the same, so verifications can share them, which saves time. */
const responses = new Map<string, Promise<UpstreamResponse>>();
const remembered: Deviation = (request, usual) => {
  const { path, body, apiKey } = request;
  const id = JSON.stringify([path, body, apiKey]);
  const response = responses.get(id) ?? usual(request);
  responses.set(id, response);
  return response;
};

/** Verifies a sandbox through a deviation. With a `url`, each call is sent to that sandbox. */
async function run(deviation: Deviation, options: Partial<VerifyOptions> = {}, url?: string): Promise<Report> {
  const read = url === undefined ? remembered : FAITHFUL;
  // The sandbox's clock stands still in tests, unlike the clock of its HTTP server.
  const dated: Deviation = async (request, usual) => {
    const response = await read(request, usual);
    return { ...response, headers: { ...response.headers, date: new Date(START * 1000).toUTCString() } };
  };
  const transport = interceptCalls((request, usual) => deviation(request, (sent) => dated(sent, usual)))(
    httpTransport({ url: url ?? sandbox.url, connections: 1 }),
  );
  try {
    return await verify({ transport, apiKey: 'demo-owner', maxCalls: 2_000, nowMs: () => START * 1000, ...options });
  } finally {
    await transport.close();
  }
}

/** Drift and unknown members of a report, as text. */
const wrongIn = ({ findings }: Report) =>
  findings.flatMap((finding) => {
    if (finding.verdict === 'DRIFT') return [`${finding.coordinate} ${finding.kind}`];
    return finding.verdict === 'UNKNOWN' ? [`${finding.coordinate} UNKNOWN`] : [];
  });

const unreachedIn = ({ findings }: Report) =>
  findings.flatMap((finding) => (finding.verdict === 'UNREACHED' ? [`${finding.coordinate} ${finding.reason}`] : []));

/** No list contains the IDs of receipts, and the first orders have no reservations. */
const WITHOUT_DATA = ['Inventory/GetInventoryReceipt NO_DATA', 'Inventory/ListOrderReservations NO_DATA'];

describe('verification of an upstream that conforms to the contract', () => {
  it('finds no drift, reaches what lists lead to, and only sends reads', async () => {
    sandbox.received.length = 0;
    const report = await run(FAITHFUL, {}, sandbox.url);
    expect(wrongIn(report)).toEqual([]);
    expect(unreachedIn(report).filter((each) => each.includes('/'))).toEqual(WITHOUT_DATA);
    expect(hasDrift(report)).toBe(false);
    expect(report.overlay).toBeNull();
    expect(report.calls).toBe(sandbox.received.length);
    expect(
      sandbox.received.map(({ operation }) => operation).filter((name) => !/\/(Get|List|Search|Lookup|Prepare|Me)/.test(name)),
    ).toEqual([]);
  });
});

describe('verification of an upstream that deviates', () => {
  it.each(DIFFERING)('finds only the deviation: %s', async (_name, deviation, finding, isHealed) => {
    const report = await run(deviation);
    expect(wrongIn(report)).toEqual([finding]);
    expect(hasDrift(report)).toBe(!finding.endsWith('UNKNOWN'));
    expect(report.overlay !== null).toBe(isHealed);
    if (!report.overlay) return;
    const reading = readOverlay(formatOverlay(report.overlay));
    if ('problems' in reading) throw new Error(reading.problems.join('\n'));
    const healed = await run(deviation, { overlay: reading.overlay });
    expect(wrongIn(healed)).toEqual([]);
  });

  it('reports no drift if a row is created between two pages', async () => {
    // The new row is the first one, and moves all others by one.
    const moved = asking('/ListProducts', (request) =>
      request.pageSize === 2 ? { ...request, page: request.page === 2 ? 1 : 9 } : request,
    );
    expect(wrongIn(await run(moved))).toEqual([]);
  });

  it('reports no drift for null instead of an empty list', async () => {
    const emptied = answering('Inventory', (name, value) => [[name, Array.isArray(value) && value.length === 0 ? null : value]]);
    expect(wrongIn(await run(emptied))).toEqual([]);
  });

  it('reports no drift for occasional failures, because it retries each call', async () => {
    let calls = 0;
    const report = await run((request, usual) => {
      calls += 1;
      return calls % 4 === 0 ? Promise.resolve(refused(503, 'unavailable')) : usual(request);
    });
    expect(wrongIn(report)).toEqual([]);
    expect(unreachedIn(report).filter((each) => each.endsWith(' ERROR'))).toEqual([]);
  });

  it('continues with other operations if the key is rejected for one', async () => {
    const report = await run(always('Journey/ListJourneyConfig', refused(401, 'unauthenticated')));
    expect(wrongIn(report)).toEqual([]);
    expect(unreachedIn(report)).toContain('Journey/ListJourneyConfig PERMISSION');
  });

  it('reports an operation with another name as not served', async () => {
    const report = await run(always('Journey/ListJourneyConfig', refused(404, 'not_found')));
    expect(unreachedIn(report)).toContain('Journey/ListJourneyConfig NOT_SERVED');
  });

  it('stops after three operations without a response', async () => {
    let calls = 0;
    const silent: Deviation = () => {
      calls += 1;
      return Promise.reject(new TransportError(true, true));
    };
    await expect(run(silent)).rejects.toThrow('No read succeeded (no response within 30 seconds).');
    expect(calls).toBe(6);
  });

  it('reports which request field to rename if names are in snake case', async () => {
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const asked = asking('/ListContacts', ({ page_size: size, pageSize: _, ...rest }) => ({ ...rest, pageSize: size }));
    const answered = answering('Contact', (name, value) => [[snake(name), value]]);
    const deviation: Deviation = (request, usual) => answered(request, (sent) => asked(sent, usual));
    const report = await run(deviation);
    const detail = expect.stringMatching(
      /; responses name the page size page_size, so rename pageSize of ListContactsRequest in an overlay$/,
    );
    expect(report.findings).toContainEqual(expect.objectContaining({ kind: 'PAGE_SIZE_IGNORED', detail }));
    const fields = { ...report.overlay?.fields, ListContactsRequest: { pageSize: 'page_size' } };
    expect(wrongIn(await run(deviation, { overlay: { ...NO_OVERLAY, fields } }))).toEqual([]);
  });

  it('reports rate limit headers in another format', async () => {
    const prefixed = withHeaders(({ 'ratelimit-remaining': remaining, 'ratelimit-reset': reset, ...rest }) => ({
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
    const tight = await openSandbox({ sendsDefaults: true, rateLimit: { limit: 100, windowSeconds: 60 } });
    const waits: number[] = [];
    const wait = async (ms: number) => {
      waits.push(ms);
      tight.now += 60;
    };
    const report = await run(FAITHFUL, { wait }, tight.url);
    expect(report.cutBy).toBeNull();
    expect(waits.length).toBe(Math.floor(report.calls / 80));
    expect(waits.every((ms) => ms > 0 && ms <= 60_000)).toBe(true);
    const never = await run(FAITHFUL, { wait, reserve: 100 }, tight.url);
    await tight.close();
    expect(never.cutBy).toBe('RESERVE');
    expect(never.calls).toBeLessThan(5);
  });

  it('finds a service by one of the specified names', async () => {
    expect(wrongIn(await run(serving('Quote', 'Offers')))).toEqual([]);
    const report = await run(serving('Quote', 'Offers'), { serviceNames: { Quote: ['Proposals', 'Offers'] } });
    expect(wrongIn(report)).toEqual(['Quote SERVICE_NAME']);
    expect(report.overlay).toEqual({ services: { Quote: 'Offers' } });
  });

  it('measures the latency of each service by percentiles', async () => {
    let now = 0;
    let calls = 0;
    const slow: Deviation = async (request, usual) => {
      if (request.path.includes('.Team/')) {
        calls += 1;
        now += calls === 1 ? 900 : 20;
      }
      return usual(request);
    };
    const { latencies } = await run(slow, { elapsedMs: () => now });
    expect(latencies[0]).toEqual({ service: 'Team', calls, p50Ms: 20, p95Ms: 900 });
    expect(latencies.slice(1).every(({ p95Ms }) => p95Ms === 0)).toBe(true);
  });

  it('proposes one entry for all messages, and reports nothing else, if all lists rename a field', async () => {
    const deviation: Deviation = async (request, usual) => {
      const answer = await usual(request);
      return { ...answer, body: answer.body.replaceAll('"hasMore":', '"more":') };
    };
    const { findings, overlay } = await run(deviation);
    const about = findings.filter(({ coordinate, verdict }) => /[.](hasMore|more)$/.test(coordinate) && verdict !== 'UNREACHED');
    const detail = expect.stringMatching(/^named more in \d\d messages$/);
    expect(about).toEqual([expect.objectContaining({ coordinate: '*.hasMore', kind: 'RENAMED', detail })]);
    expect(overlay).toEqual({ fields: { '*': { hasMore: 'more' } } });
  });

  it('proposes an entry for each message if all lists but one rename a field', async () => {
    const deviation: Deviation = async (request, usual) => {
      const answer = await usual(request);
      return request.path.includes('.Contact/') ? answer : { ...answer, body: answer.body.replaceAll('"createdAt":', '"created_at":') };
    };
    const { overlay } = await run(deviation);
    expect(overlay?.fields?.['*']).toBeUndefined();
    expect(overlay?.fields).toMatchObject({ QuoteRecord: { createdAt: 'created_at' }, OrderRecord: { createdAt: 'created_at' } });
  });

  it('reports what a missing scope makes unreachable, and does not call it', async () => {
    const asked: string[] = [];
    const deviation = withoutScope('quote:read', 'Quote');
    const report = await run((request, usual) => {
      asked.push(request.path);
      return deviation(request, usual);
    });
    expect(wrongIn(report)).toEqual([]);
    expect(unreachedIn(report).filter((each) => each.includes('/'))).toEqual(
      expect.arrayContaining([...WITHOUT_DATA, 'Quote/GetQuote MISSING_SCOPE', 'Quote/ListQuotes MISSING_SCOPE']),
    );
    expect(unreachedIn(report).filter((each) => each.includes('/'))).toHaveLength(WITHOUT_DATA.length + 2);
    expect(unreachedIn(report)).toContain('QuoteRecord.title MISSING_SCOPE');
    expect(asked.filter((path) => path.includes('.Quote/'))).toEqual([]);
  });

  it('reports that default values are omitted, without drift', async () => {
    const other = await openSandbox({ sendsDefaults: false });
    const report = await run(FAITHFUL, {}, other.url);
    await other.close();
    expect(wrongIn(report)).toEqual([]);
    expect(report.facts).toContainEqual({ subject: 'fields with default values', result: 'omitted' });
  });
});
