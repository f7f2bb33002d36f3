import { afterEach, describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, createCountQuery, executeQuery, executeSql, QUERY, SQL } from './queries.ts';

const sentBodies: string[] = [];
const recordingTransport = interceptCalls((request, usual) => {
  sentBodies.push(request.body);
  return usual(request);
});
const testGraph = useTestGraph({}, undefined, { transport: recordingTransport });
afterEach(() => testGraph.sandbox.faults.clear());

const compare = (field: string, operator: string, ...texts: string[]) => ({
  compare: { field, operator, values: texts.map((text) => ({ text })) },
});
const groupByStatus = (entity: string, more: object = {}) => ({
  entity,
  select: { aggregate: { measures: [{ count: {} }], dimensions: [{ field: 'status' }] } },
  ...more,
});
const STATUSES = 'rows { status: cell(column: "status") { text value } count: cell(column: "count") { integer } }';

const ENTITIES = [
  ['ORDERS', 'status', 'OrderStatus'],
  ['OFFERS', 'status', 'QuoteStatus'],
  ['WORKORDERS', 'status', 'WorkOrderStatus'],
  ['PROBLEMS', 'status', 'ProblemStatus'],
  ['PAYMENTS', 'status', 'PaymentStatus'],
  ['PAYMENTS', 'provider', 'PaymentProvider'],
  ['APPOINTMENTS', 'status', 'AppointmentStatus'],
  ['APPOINTMENTS', 'source', 'AppointmentSource'],
] as const;

describe('enum values in analytics', () => {
  it.each(ENTITIES)('returns %s.%s as a value of %s in the catalog and in cells', async (entity, field, type) => {
    const document = `{ __type(name: "${type}") { enumValues { name } } analyticsCatalog { entities { entity fields { name words } } } }`;
    const { data } = await testGraph.execute(document);
    const members = data.__type.enumValues.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'OTHER');
    const { fields } = data.analyticsCatalog.entities.find((each: { entity: string }) => each.entity === entity);
    expect(fields.find(({ name }: { name: string }) => name === field).words.toSorted()).toEqual(members.toSorted());
    const { result } = await executeQuery(
      testGraph,
      { entity, select: { records: ['id', field] } },
      `rows { cell(column: "${field}") { text value } }`,
    );
    expect(result.rows.length).toBeGreaterThan(0);
    for (const { cell } of result.rows) {
      expect(members).toContain(cell.text);
      expect(cell.value).toBe(cell.text);
    }
  });

  it('lists no known values of other text fields in the catalog', async () => {
    const { data } = await testGraph.execute('{ analyticsCatalog { entities { fields { words } } } }');
    const values = data.analyticsCatalog.entities.flatMap(({ fields }: { fields: { words: string[] }[] }) =>
      fields.flatMap((each) => each.words),
    );
    expect(values).not.toEqual([]);
    expect(values.filter((value: string) => value.startsWith('PUBLIC_'))).toEqual([]);
  });

  it.each(['CANCELLED', 'PUBLIC_ORDER_STATUS_CANCELLED'])('accepts %s in filters and sends the upstream’s spelling', async (text) => {
    sentBodies.length = 0;
    const { result } = await executeQuery(
      testGraph,
      groupByStatus('ORDERS', { filter: { all: [compare('status', 'IN', text)] } }),
      `normalizedQuery ${STATUSES}`,
    );
    expect(result.rows).toEqual([{ status: { text: 'CANCELLED', value: 'CANCELLED' }, count: { integer: expect.any(String) } }]);
    expect(sentBodies.at(-1)).toContain('"PUBLIC_ORDER_STATUS_CANCELLED"');
    expect(result.normalizedQuery.filter).toMatchObject({ all: [compare('status', 'IN', 'CANCELLED')] });
  });

  it('accepts values in conditions of measures and related filters, which have other enums', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'NEQ', 'PAID') } };
    const measures = [{ count: {} }, { count: { name: 'open', condition: { any: [compare('status', 'EQ', 'OPEN')] } } }];
    sentBodies.length = 0;
    const { result } = await executeQuery(
      testGraph,
      { entity: 'ORDERS', filter, select: { aggregate: { measures } } },
      'normalizedQuery rows { cells { value } }',
    );
    expect(sentBodies.at(-1)).toContain('"PUBLIC_PAYMENT_STATUS_PAID"');
    expect(sentBodies.at(-1)).toContain('"PUBLIC_ORDER_STATUS_OPEN"');
    expect(result.normalizedQuery.filter).toEqual(filter);
    const [all, open] = result.rows[0].cells.map(({ value }: { value: string }) => Number(value));
    expect(open).toBeLessThan(all);
  });

  it('doesn’t translate text of fields that aren’t enums', async () => {
    const { result } = await executeQuery(
      testGraph,
      createCountQuery('CUSTOMERS', { filter: compare('title', 'EQ', 'OPEN') }),
      'normalizedQuery',
    );
    expect(result.normalizedQuery.filter).toEqual(compare('title', 'EQ', 'OPEN'));
    expect(sentBodies.at(-1)).toContain('"OPEN"');
  });

  it('rejects unknown values and suggests one of the schema', async () => {
    const { result } = await executeQuery(testGraph, createCountQuery('ORDERS', { filter: compare('status', 'EQ', 'CANCELED') }));
    expect(result.issues).toEqual([
      {
        path: ['query', 'filter', 'compare', 'values', '0', 'text'],
        code: 'UNKNOWN_NAME',
        limit: null,
        message: 'must be a value of status, but is "CANCELED". Did you mean CANCELLED?',
      },
    ]);
  });
});

describe('enum value in SQL', () => {
  const where = (condition: string) =>
    `SELECT status, count(*)\nFROM orders\nWHERE svc.timezone('UTC') AND ${condition} GROUP BY status LIMIT 10`;

  it.each([
    ["status = 'CANCELLED'", ['CANCELLED']],
    ["status IN ('CANCELLED', 'PUBLIC_ORDER_STATUS_OPEN')", ['CANCELLED', 'OPEN']],
    ["(status = 'OPEN' OR status NOT IN ('OPEN','CANCELLED'))", ['FULFILLED', 'OPEN']],
    ["STATUS<>'OPEN' AND status != 'FULFILLED'", ['CANCELLED']],
  ])('accepts %s', async (condition, statuses) => {
    const { result, errors } = await executeSql(testGraph, where(condition), `normalizedSql ${STATUSES}`);
    expect(errors).toBeUndefined();
    expect(result.rows.map(({ status }: { status: { text: string } }) => status.text).toSorted()).toEqual(statuses);
    expect(result.normalizedSql).not.toContain('PUBLIC_');
    expect((await executeSql(testGraph, result.normalizedSql, STATUSES)).result.rows).toEqual(result.rows);
  });

  it('belongs to the entity of the nearest FROM', async () => {
    sentBodies.length = 0;
    const exists = "EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id AND status = 'PAID') AND status = 'OPEN'";
    const { result } = await executeSql(testGraph, where(exists), 'normalizedSql normalizedQuery');
    expect(sentBodies.at(-1)).toContain("'PUBLIC_PAYMENT_STATUS_PAID'");
    expect(sentBodies.at(-1)).toContain("'PUBLIC_ORDER_STATUS_OPEN'");
    expect(result.normalizedSql).toContain("status = 'PAID'");
    expect(JSON.stringify(result.normalizedQuery)).not.toContain('PUBLIC_');
  });

  it('remains unchanged in strings that aren’t enum values', async () => {
    const sql =
      "SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND contains(reference_number, 'OPEN') AND currency <> 'it''s status = OPEN' LIMIT 1";
    const { calls } = await executeSql(testGraph, sql);
    expect(calls).toEqual([SQL]);
    expect(JSON.parse(sentBodies.at(-1) ?? '{}').sql).toBe(sql);
  });

  it('preserves the position of a later error', async () => {
    const { result } = await executeSql(testGraph, where("status = 'OPEN' AND status = 'CANCELLED' AND cuont = 1"));
    const column = "WHERE svc.timezone('UTC') AND status = 'OPEN' AND status = 'CANCELLED' AND c".length;
    expect(result).toMatchObject({ line: 3, column, issues: [{ code: 'UNKNOWN_NAME' }] });
    expect(result.message).toMatch(new RegExp(`^line 3, column ${column}: `));
  });

  it('matches the schema’s spelling in the examples, which are executable', async () => {
    const { data } = await testGraph.execute('{ analyticsCatalog { sqlSupport { examples } } }');
    const { examples } = data.analyticsCatalog.sqlSupport;
    expect(examples.join('\n')).toContain("status <> 'CANCELLED'");
    for (const sql of examples) expect((await executeSql(testGraph, sql)).result).toMatchObject({ __typename: 'AnalyticsResult' });
  });
});

describe('upstream with other spellings of enum values', () => {
  const lowercaseGraph = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const body = request.body.replaceAll(
        /(["'])(open|fulfilled|cancelled)\1/g,
        (_match, quote: string, value: string) => `${quote}PUBLIC_ORDER_STATUS_${value.toUpperCase()}${quote}`,
      );
      const response = await usual({ ...request, body });
      const spell = (text: string) => text.replaceAll(/PUBLIC_ORDER_STATUS_(\w+)/g, (_match, value: string) => value.toLowerCase());
      return { ...response, body: spell(response.body) };
    }),
  });

  it('receives its own spelling from its catalog', async () => {
    const { result, calls } = await executeQuery(
      lowercaseGraph,
      groupByStatus('ORDERS', { filter: compare('status', 'NEQ', 'OPEN') }),
      STATUSES,
    );
    expect(calls.at(-1)).toBe(QUERY);
    expect(result.rows.map(({ status }: { status: { text: string } }) => status.text).toSorted()).toEqual(['CANCELLED', 'FULFILLED']);
    const sql = "SELECT status, count(*) FROM orders WHERE svc.timezone('UTC') AND status <> 'OPEN' GROUP BY status LIMIT 9";
    expect((await executeSql(lowercaseGraph, sql, STATUSES)).result.rows).toEqual(result.rows);
  });
});

describe('missing catalog', () => {
  const limitedGraph = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      request.path.endsWith(CATALOG)
        ? Promise.resolve({ status: 500, headers: {}, body: '{"code":"internal","message":"No."}' })
        : usual(request),
    ),
  });

  it('translates enum values by the contract', async () => {
    const { result } = await executeQuery(
      limitedGraph,
      groupByStatus('ORDERS', { filter: compare('status', 'EQ', 'CANCELLED') }),
      STATUSES,
    );
    expect(result.rows).toMatchObject([{ status: { text: 'CANCELLED' } }]);
  });

  it('returns the error of the catalog for related enum values, whose enum is unknown', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PAID') } };
    const { result, errors, calls } = await executeQuery(limitedGraph, createCountQuery('ORDERS', { filter }));
    expect(result).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(calls).not.toContain(QUERY);
    const own = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PUBLIC_PAYMENT_STATUS_PAID') } };
    expect((await executeQuery(limitedGraph, createCountQuery('ORDERS', { filter: own }))).result.__typename).toBe('AnalyticsResult');
  });
});

describe('catalog without relationships', () => {
  const limitedGraph = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (!request.path.endsWith(CATALOG)) return response;
      const { entities, ...rest } = JSON.parse(response.body);
      return { ...response, body: JSON.stringify({ ...rest, entities: entities.map((each: object) => ({ ...each, relationships: [] })) }) };
    }),
  });

  it('requires the upstream’s spelling behind a relationship', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PAID') } };
    const { result } = await executeQuery(limitedGraph, createCountQuery('ORDERS', { filter }));
    expect(result.issues).toMatchObject([
      {
        path: ['query', 'filter', 'related', 'filter', 'compare', 'values', '0', 'text'],
        code: 'NOT_ALLOWED',
        message: expect.stringMatching(/^must be spelled as in the Workspace API, such as PUBLIC_PAYMENT_STATUS_PAID, because/),
      },
    ]);
  });
});
