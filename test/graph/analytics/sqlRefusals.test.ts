import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { askSql, CATALOG } from './ask.ts';

const testGraph = useTestGraph();

const counting = (where: string, rest = 'LIMIT 1') => `SELECT count(*) FROM orders WHERE svc.timezone('UTC')${where} ${rest}`;

const REFUSED: readonly (readonly [code: string, sql: string])[] = [
  ['UNKNOWN_NAME', "SELECT count(*) FROM ordrs WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNKNOWN_NAME', counting(" AND statuz = 'OPEN'")],
  ['UNKNOWN_NAME', counting(' AND due_at IS NULL')],
  ['UNKNOWN_NAME', "SELECT lower(status) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNKNOWN_NAME', counting('', 'ORDER BY amount LIMIT 1')],
  ['UNKNOWN_NAME', counting(' AND EXISTS (SELECT 1 FROM invoices WHERE invoices.order_id = orders.id)')],
  ['UNKNOWN_NAME', "SELECT count(*) FROM orders WHERE svc.zone('UTC') LIMIT 1"],
  ['UNSUPPORTED', counting(" AND status LIKE 'O%'")],
  ['UNSUPPORTED', counting(' AND created_at BETWEEN 1 AND 2')],
  ['UNSUPPORTED', counting('', 'OFFSET 1')],
  ['UNSUPPORTED', counting('', 'LIMIT 1;')],
  ['UNSUPPORTED', counting(' -- all')],
  ['UNSUPPORTED', `SELECT count(*) FROM "orders" WHERE svc.timezone('UTC') LIMIT 1`],
  ['UNSUPPORTED', "SELECT * FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNSUPPORTED', 'DELETE FROM orders'],
  ['UNSUPPORTED', "SELECT count(*) FROM orders JOIN payments ON true WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNSUPPORTED', "SELECT DISTINCT status FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['INVALID_SYNTAX', "SELECT count(*) FROM orders svc.timezone('UTC') LIMIT 1"],
  ['INVALID_SYNTAX', "SELECT count(*, FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['INVALID_SYNTAX', 'count(*)'],
  ['REQUIRED', "SELECT count(*) FROM orders WHERE svc.timezone('UTC')"],
  ['REQUIRED', 'SELECT count(*) FROM orders'],
  ['OUT_OF_RANGE', counting('', 'LIMIT 1000')],
  ['INVALID_FORMAT', "SELECT count(*) FROM orders WHERE svc.timezone('Mars') LIMIT 1"],
  ['INVALID_FORMAT', counting(" AND created_at > 'yesterday'")],
  ['INVALID_FORMAT', counting(" AND svc.calendar_range(created_at, '2026-02-30', '2026-03-01')")],
  ['NOT_ALLOWED', counting(' AND created_at = 5')],
  ['NOT_ALLOWED', "SELECT status, count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['NOT_ALLOWED', "SELECT sum(status) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['TOO_LONG', counting(` AND ${'('.repeat(40)}status = 'OPEN'${')'.repeat(40)}`)],
];

describe('refused SQL', () => {
  it.each(REFUSED)('has the code %s: %s', async (code, sql) => {
    const { answer, errors } = await askSql(testGraph, sql);
    expect(errors).toBeUndefined();
    expect(answer).toMatchObject({ __typename: 'AnalyticsQueryError', line: expect.any(Number), column: expect.any(Number) });
    expect([answer.issues.map((issue: { code: string }) => issue.code), answer.message]).toEqual([[code], expect.any(String)]);
  });
});

describe('refused SQL of an upstream with other messages', () => {
  const reworded = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (response.status === 200) return response;
      const [place = ''] = /line \d+, column \d+: /.exec(response.body) ?? [];
      return { ...response, body: JSON.stringify({ code: 'invalid_argument', message: `${place}Nope.` }) };
    }),
  });

  it('has the same codes', async () => {
    for (const [code, sql] of REFUSED) expect((await askSql(reworded, sql)).answer.issues).toMatchObject([{ code }]);
  });
});

describe('refused SQL without a catalog', () => {
  const without = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      request.path.endsWith(CATALOG) ? Promise.resolve({ status: 500, headers: {}, body: '{}' }) : usual(request),
    ),
  });

  it('has the code OTHER if only the catalog knows the name, and its own code otherwise', async () => {
    const codeOf = async (sql: string) => (await askSql(without, sql)).answer.issues[0].code;
    expect(await codeOf(counting(" AND statuz = 'OPEN'"))).toBe('OTHER');
    expect(await codeOf(counting(" AND status LIKE 'O%'"))).toBe('UNSUPPORTED');
  });
});

describe('refused SQL without a place', () => {
  const placeless = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      return { ...response, body: response.body.replace(/line \d+, column \d+: /, '') };
    }),
  });

  it('has the code OTHER, and no line', async () => {
    const { answer } = await askSql(placeless, counting(" AND status LIKE 'O%'"));
    expect(answer).toMatchObject({ line: null, column: null, issues: [{ code: 'OTHER' }] });
  });
});
