import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOverlay } from '../../src/upstream/contract/overlay.ts';
import { httpTransport } from '../../src/upstream/transport/http.ts';
import { overlayText } from '../../src/verify/proposal.ts';
import { hasDrift, type Report, type VerifyOptions, verify } from '../../src/verify/verify.ts';
import { openSandbox, START, type TestSandbox } from '../sandbox/sandbox.ts';
import { sendingBy } from '../support/sendingBy.ts';
import { answering, asking, capping, type Deviation, serving, withoutScope, wording } from './deviations.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ sendsDefaults: true });
});
afterAll(() => sandbox.close());

const FAITHFUL: Deviation = (request, usual) => usual(request);

async function run(deviation: Deviation, options: Partial<VerifyOptions> = {}, url = sandbox.url): Promise<Report> {
  const transport = sendingBy((request, usual) => deviation(request, usual))(httpTransport({ url, connections: 1 }));
  try {
    return await verify({ transport, apiKey: 'demo-owner', maxCalls: 2_000, nowMs: () => START * 1000, ...options });
  } finally {
    await transport.close();
  }
}

/** What is wrong by a report: drifts and unknown members, as text. */
const wrongIn = ({ findings }: Report) =>
  findings.flatMap((finding) => {
    if (finding.verdict === 'DRIFT') return [`${finding.coordinate} ${finding.kind}`];
    return finding.verdict === 'UNKNOWN' ? [`${finding.coordinate} UNKNOWN`] : [];
  });

const unreachedIn = ({ findings }: Report) =>
  findings.flatMap((finding) => (finding.verdict === 'UNREACHED' ? [`${finding.coordinate} ${finding.reason}`] : []));

/** No list shows the ids of receipts, and the first orders have no reservations. */
const WITHOUT_DATA = ['Inventory/GetInventoryReceipt NO_DATA', 'Inventory/ListOrderReservations NO_DATA'];

describe('a verification of an upstream that keeps to the contract', () => {
  it('finds nothing wrong, reaches what a list leads to, and sends reads only', async () => {
    sandbox.received.length = 0;
    const report = await run(FAITHFUL);
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

/** Each deviation with the only thing that is to be found, and whether an overlay heals it. */
const DEVIATIONS: readonly (readonly [name: string, deviation: Deviation, finding: string, isHealed: boolean])[] = [
  [
    'a renamed member',
    answering('Quote', (name, value) => [[name === 'title' ? 'subject' : name, value]]),
    'QuoteRecord.title RENAMED',
    true,
  ],
  [
    'a filter that is ignored',
    asking('/ListProblems', ({ customerId: _, ...rest }) => rest),
    'ListProblemsRequest.customerId FILTER_IGNORED',
    false,
  ],
  ['words of an enum with another prefix', wording('PUBLIC_QUOTE_STATUS_', 'QUOTATION_STATE_'), 'QuoteRecord.status ENUM', true],
  [
    'moments in milliseconds',
    answering('Contact', (name, value) => [[name, name === 'createdAt' ? String(Number(value) * 1000) : value]]),
    'ContactRecord.createdAt MILLISECONDS',
    false,
  ],
  ['another name of a service', serving('Quote', 'Quotes'), 'Quote SERVICE_NAME', true],
  ['a smaller greatest page', capping('/ListProducts', 40), 'Catalog/ListProducts PAGE_CAP', true],
  ['pages that are all the first one', asking('/ListProducts', ({ page: _, ...rest }) => rest), 'Catalog/ListProducts PAGE_IGNORED', false],
  [
    'a member that nobody knows',
    answering('Quote', (name, value) =>
      name === 'title'
        ? [
            [name, value],
            ['nickname', 'x'],
          ]
        : [[name, value]],
    ),
    'QuoteRecord.nickname UNKNOWN',
    false,
  ],
  [
    'text where a number was expected',
    answering('Quote', (name, value) => [[name, name === 'quantity' ? String(value) : value]]),
    'QuoteLineRecord.quantity TYPE',
    false,
  ],
];

describe('a verification of an upstream that differs', () => {
  it.each(DEVIATIONS)('by %s finds that and nothing else', async (_name, deviation, finding, isHealed) => {
    const report = await run(deviation);
    expect(wrongIn(report)).toEqual([finding]);
    expect(hasDrift(report)).toBe(!finding.endsWith('UNKNOWN'));
    expect(report.overlay !== null).toBe(isHealed);
    if (!report.overlay) return;
    const reading = readOverlay(overlayText(report.overlay));
    if ('problems' in reading) throw new Error(reading.problems.join('\n'));
    const healed = await run(deviation, { overlay: reading.overlay });
    expect(wrongIn(healed)).toEqual([]);
  });

  it('by a scope that the key lacks finds what is out of reach, and calls none of it', async () => {
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

  it('by leaving defaults out tells that, and takes no absence for a drift', async () => {
    const other = await openSandbox({ sendsDefaults: false });
    const report = await run(FAITHFUL, {}, other.url);
    await other.close();
    expect(wrongIn(report)).toEqual([]);
    expect(report.facts).toContainEqual({ subject: 'members that hold their default', result: 'left out' });
  });
});
