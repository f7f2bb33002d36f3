import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { formatMoney } from '../../../src/tools/displayValues.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });

const openRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });

/** Returns the text of a plan. */
async function fetchPlanText(tool: string, args: object): Promise<string> {
  const tools = await connectTools(testGraph.url, 'demo-owner');
  const { isError, body } = await tools.call(`svc_${tool}`, { ...args });
  await tools.close();
  expect([isError, body.errors]).toEqual([false, undefined]);
  return body.plan.join('\n');
}

/** What the plan of each tool must contain, for records named `mark`. */
const EXPECTED: Readonly<Record<string, (mark: string) => readonly (string | RegExp)[]>> = {
  appointment_book: (mark) => [
    'Agenda: Visits',
    'Appointment type: "Site survey"',
    `Customer: "${mark}"`,
    'Starts at: 10 March 2026 at 10:00 (Europe/Amsterdam)',
  ],
  appointment_cancel: (mark) => [
    `Title: "${mark}"`,
    'Appointment type: "Site survey"',
    /Starts at: \d+ \w+ 2026 at \d\d:\d\d \(Europe\/Amsterdam\)/,
    /Member: "\w+ \w+"/,
  ],
  inventory_move: () => [
    'Product: "Solar panel Basic 1"',
    'Source location: "Main warehouse"',
    'Destination location: "North depot"',
    'Quantity: 1',
    /Available: \d+/,
  ],
  invoice_send: (mark) => [/Order: O-\d+/, `Title: "${mark}"`, 'Email: "payer@example.com"', 'Total once: €20.00'],
  order_cancel: (mark) => [
    /Order: O-\d+/,
    'Reason: "Moved away."',
    `Title: "${mark}"`,
    `Product name: "${mark}", Quantity: 2, Total: €20.00`,
    'Refundable: €0.00',
  ],
  payment_refund: (mark) => [/Order: O-\d+/, 'Amount: €1.00', `Title: "${mark}"`, 'Received: €9.00', 'Refundable: €9.00'],
  problem_report: (mark) => [`Portfolio: "${mark}"`, `Title: "${mark}"`, /Reference number: C-\d+/],
  quote_confirm: (mark) => [/Quote: Q-\d+/, `Title: "${mark}"`, 'Unit price: €10.00, Total: €20.00'],
  quote_prepare: (mark) => [`Customer: "${mark}"`, 'Product: "Solar panel Basic 1", Quantity: 2', 'Price once: €2,588.95'],
  stock_adjust: () => ['Product: "Solar panel Basic 1"', 'Location: "Main warehouse"', 'Quantity delta: 1', 'Reason: Counted.'],
  work_order_complete: (mark) => [`Work order: "${mark}"`, 'Location: "Site address: Utrecht"', 'Is completed: yes'],
};

describe('plan text', () => {
  it.each(CHANGES)('describes $tool for people, without IDs or minor units', async ({ tool, args: createArgs }) => {
    const records = openRecords();
    const args = await createArgs(records);
    const text = await fetchPlanText(tool, args);
    for (const expected of EXPECTED[tool]?.(records.mark) ?? []) expect(text).toMatch(expected);
    expect(text).not.toMatch(/[\w-]{30,}/);
    expect(text).not.toMatch(/minor|\bversion\b|null|undefined|\[object/i);
    for (const id of Object.values(args).filter((value) => String(value).length > 20 && !String(value).includes('T')))
      expect(text).not.toContain(id);
  });

  it('doesn’t depend on the form of the IDs', async () => {
    const records = openRecords();
    const customerId = await records.id('Customer');
    const productId = await records.id('Product');
    const lines = (id: string) => [{ productId: id, quantity: 3 }];
    const raw = await fetchPlanText('quote_prepare', { customerId, lines: lines(productId) });
    expect(raw).toContain(`Product: "${records.mark}", Quantity: 3`);
    expect(
      await fetchPlanText('quote_prepare', {
        customerId: toGlobalId('Customer', customerId),
        lines: lines(toGlobalId('Product', productId)),
      }),
    ).toBe(raw);
  });

  it('contains the records of optional arguments only if passed', async () => {
    const records = openRecords();
    const args = (await CHANGES.find(({ tool }) => tool === 'appointment_book')?.args(records)) ?? {};
    const support = {
      ...args,
      agendaId: demoId('agenda support'),
      appointmentTypeId: demoId('appointment type call'),
      memberId: demoId('member planner'),
    };
    const text = await fetchPlanText('appointment_book', support);
    expect(text).toMatch(/Member: "\S+ \S+"/);
    expect(text).not.toContain('Work order');
    expect(text).toContain('Starts at: 10 March 2026 at 05:00 (America/New_York)');
    expect(await fetchPlanText('appointment_book', args)).not.toContain('Member');
  });

  it('groups repeated products and contains the price of each', async () => {
    const records = openRecords();
    const productId = demoId('product 1');
    const lines = [
      { productId, quantity: 1 },
      { productId, quantity: 2, priceType: 'ONCE' },
    ];
    const text = await fetchPlanText('quote_prepare', { customerId: await records.id('Customer'), lines });
    expect(text).toContain('- Product: "Solar panel Basic 1", Quantity: 2, Price type: once');
    expect(text.match(/Price once/g)).toHaveLength(1);
  });
});

describe('formatMoney', () => {
  it.each([
    ['1234.50', 'EUR', '€1,234.50'],
    ['-0.05', 'EUR', '-€0.05'],
    ['1234', 'JPY', '¥1,234'],
    ['1234.500', 'KWD', 'KWD 1,234.500'],
    // Cash in these currencies has no decimals, but amounts do.
    ['1234.50', 'HUF', 'HUF 1,234.50'],
    ['90071992547409931.23', 'USD', '$90,071,992,547,409,931.23'],
  ])('formats %s %s as %s', (amount, currency, expected) => {
    expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(expected);
  });
});
