import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, executeSql } from './queries.ts';

const testGraph = useTestGraph();

const createSql = (where: string, rest = 'LIMIT 1') => `SELECT count(*) FROM orders WHERE svc.timezone('UTC')${where} ${rest}`;

const INVALID_SQL: readonly (readonly [code: string, sql: string])[] = [
  ['UNKNOWN_NAME', "SELECT count(*) FROM ordrs WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNKNOWN_NAME', createSql(" AND statuz = 'OPEN'")],
  ['UNKNOWN_NAME', createSql(' AND due_at IS NULL')],
  ['UNKNOWN_NAME', "SELECT lower(status) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['UNKNOWN_NAME', createSql('', 'ORDER BY amount LIMIT 1')],
  ['UNKNOWN_NAME', createSql(' AND EXISTS (SELECT 1 FROM invoices WHERE invoices.order_id = orders.id)')],
  ['UNKNOWN_NAME', "SELECT count(*) FROM orders WHERE svc.zone('UTC') LIMIT 1"],
  ['UNSUPPORTED', createSql(" AND status LIKE 'O%'")],
  ['UNSUPPORTED', createSql(' AND created_at BETWEEN 1 AND 2')],
  ['UNSUPPORTED', createSql('', 'OFFSET 1')],
  ['UNSUPPORTED', createSql('', 'LIMIT 1;')],
  ['UNSUPPORTED', createSql(' -- all')],
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
  ['OUT_OF_RANGE', createSql('', 'LIMIT 1000')],
  ['INVALID_FORMAT', "SELECT count(*) FROM orders WHERE svc.timezone('Mars') LIMIT 1"],
  ['INVALID_FORMAT', createSql(" AND created_at > 'yesterday'")],
  ['INVALID_FORMAT', createSql(" AND svc.calendar_range(created_at, '2026-02-30', '2026-03-01')")],
  ['NOT_ALLOWED', createSql(' AND created_at = 5')],
  ['NOT_ALLOWED', "SELECT status, count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['NOT_ALLOWED', "SELECT sum(status) FROM orders WHERE svc.timezone('UTC') LIMIT 1"],
  ['TOO_LONG', createSql(` AND ${'('.repeat(40)}status = 'OPEN'${')'.repeat(40)}`)],
];

describe('invalid SQL', () => {
  it.each(INVALID_SQL)('returns the code %s: %s', async (code, sql) => {
    const { result, errors } = await executeSql(testGraph, sql);
    expect(errors).toBeUndefined();
    expect(result).toMatchObject({ __typename: 'AnalyticsQueryError', line: expect.any(Number), column: expect.any(Number) });
    expect([result.issues.map((issue: { code: string }) => issue.code), result.message]).toEqual([[code], expect.any(String)]);
  });
});

describe('invalid SQL with other upstream messages', () => {
  const rewordedGraph = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (response.status === 200) return response;
      const [place = ''] = /line \d+, column \d+: /.exec(response.body) ?? [];
      return { ...response, body: JSON.stringify({ code: 'invalid_argument', message: `${place}Nope.` }) };
    }),
  });

  it('returns the same codes', async () => {
    for (const [code, sql] of INVALID_SQL) expect((await executeSql(rewordedGraph, sql)).result.issues).toMatchObject([{ code }]);
  });
});

describe('invalid SQL without a catalog', () => {
  const graphWithoutCatalog = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      request.path.endsWith(CATALOG) ? Promise.resolve({ status: 500, headers: {}, body: '{}' }) : usual(request),
    ),
  });

  it('returns OTHER if only the catalog knows the name, and the specific code otherwise', async () => {
    const fetchCode = async (sql: string) => (await executeSql(graphWithoutCatalog, sql)).result.issues[0].code;
    expect(await fetchCode(createSql(" AND statuz = 'OPEN'"))).toBe('OTHER');
    expect(await fetchCode(createSql(" AND status LIKE 'O%'"))).toBe('UNSUPPORTED');
  });
});

describe('invalid SQL without a position', () => {
  const graphWithoutPositions = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      return { ...response, body: response.body.replace(/line \d+, column \d+: /, '') };
    }),
  });

  it('returns OTHER without line and column', async () => {
    const { result } = await executeSql(graphWithoutPositions, createSql(" AND status LIKE 'O%'"));
    expect(result).toMatchObject({ line: null, column: null, issues: [{ code: 'OTHER' }] });
  });
});
