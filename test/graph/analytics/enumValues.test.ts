import { afterEach, describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask, askSql, CATALOG, counting, QUERY, SQL } from './ask.ts';

const sent: string[] = [];
const recording = interceptCalls((request, usual) => {
  sent.push(request.body);
  return usual(request);
});
const testGraph = useTestGraph({}, undefined, { transport: recording });
afterEach(() => testGraph.sandbox.faults.clear());

const compare = (field: string, operator: string, ...texts: string[]) => ({
  compare: { field, operator, values: texts.map((text) => ({ text })) },
});
const byStatus = (entity: string, more: object = {}) => ({
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
  it.each(ENTITIES)('returns %s.%s as a member of %s in the catalog and in cells', async (entity, field, type) => {
    const document = `{ __type(name: "${type}") { enumValues { name } } analyticsCatalog { entities { entity fields { name words } } } }`;
    const { data } = await testGraph.execute(document);
    const members = data.__type.enumValues.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'OTHER');
    const { fields } = data.analyticsCatalog.entities.find((each: { entity: string }) => each.entity === entity);
    expect(fields.find(({ name }: { name: string }) => name === field).words.toSorted()).toEqual(members.toSorted());
    const { answer } = await ask(
      testGraph,
      { entity, select: { records: ['id', field] } },
      `rows { cell(column: "${field}") { text value } }`,
    );
    expect(answer.rows.length).toBeGreaterThan(0);
    for (const { cell } of answer.rows) {
      expect(members).toContain(cell.text);
      expect(cell.value).toBe(cell.text);
    }
  });

  it('lists known values of no other texts in the catalog', async () => {
    const { data } = await testGraph.execute('{ analyticsCatalog { entities { fields { words } } } }');
    const words = data.analyticsCatalog.entities.flatMap(({ fields }: { fields: { words: string[] }[] }) =>
      fields.flatMap((each) => each.words),
    );
    expect(words).not.toEqual([]);
    expect(words.filter((word: string) => word.startsWith('PUBLIC_'))).toEqual([]);
  });

  it.each(['CANCELLED', 'PUBLIC_ORDER_STATUS_CANCELLED'])(
    'is accepted in filters as %s, and sent as the upstream spells it',
    async (text) => {
      sent.length = 0;
      const { answer } = await ask(
        testGraph,
        byStatus('ORDERS', { filter: { all: [compare('status', 'IN', text)] } }),
        `normalizedQuery ${STATUSES}`,
      );
      expect(answer.rows).toEqual([{ status: { text: 'CANCELLED', value: 'CANCELLED' }, count: { integer: expect.any(String) } }]);
      expect(sent.at(-1)).toContain('"PUBLIC_ORDER_STATUS_CANCELLED"');
      expect(answer.normalizedQuery.filter).toMatchObject({ all: [compare('status', 'IN', 'CANCELLED')] });
    },
  );

  it('accepts members in conditions of measures and behind relationships, which have other enums', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'NEQ', 'PAID') } };
    const measures = [{ count: {} }, { count: { name: 'open', condition: { any: [compare('status', 'EQ', 'OPEN')] } } }];
    sent.length = 0;
    const { answer } = await ask(
      testGraph,
      { entity: 'ORDERS', filter, select: { aggregate: { measures } } },
      'normalizedQuery rows { cells { value } }',
    );
    expect(sent.at(-1)).toContain('"PUBLIC_PAYMENT_STATUS_PAID"');
    expect(sent.at(-1)).toContain('"PUBLIC_ORDER_STATUS_OPEN"');
    expect(answer.normalizedQuery.filter).toEqual(filter);
    const [all, open] = answer.rows[0].cells.map(({ value }: { value: string }) => Number(value));
    expect(open).toBeLessThan(all);
  });

  it('doesn’t translate texts of fields that aren’t enums', async () => {
    const { answer } = await ask(testGraph, counting('CUSTOMERS', { filter: compare('title', 'EQ', 'OPEN') }), 'normalizedQuery');
    expect(answer.normalizedQuery.filter).toEqual(compare('title', 'EQ', 'OPEN'));
    expect(sent.at(-1)).toContain('"OPEN"');
  });

  it('rejects unknown values, and suggests one of the schema', async () => {
    const { answer } = await ask(testGraph, counting('ORDERS', { filter: compare('status', 'EQ', 'CANCELED') }));
    expect(answer.issues).toEqual([
      {
        path: ['query', 'filter', 'compare', 'values', '0', 'text'],
        code: 'UNKNOWN_NAME',
        limit: null,
        message: 'must be a value of status, but is "CANCELED". Did you mean CANCELLED?',
      },
    ]);
  });
});

describe('an enum value in SQL', () => {
  const where = (condition: string) =>
    `SELECT status, count(*)\nFROM orders\nWHERE svc.timezone('UTC') AND ${condition} GROUP BY status LIMIT 10`;

  it.each([
    ["status = 'CANCELLED'", ['CANCELLED']],
    ["status IN ('CANCELLED', 'PUBLIC_ORDER_STATUS_OPEN')", ['CANCELLED', 'OPEN']],
    ["(status = 'OPEN' OR status NOT IN ('OPEN','CANCELLED'))", ['FULFILLED', 'OPEN']],
    ["STATUS<>'OPEN' AND status != 'FULFILLED'", ['CANCELLED']],
  ])('is accepted in %s', async (condition, statuses) => {
    const { answer, errors } = await askSql(testGraph, where(condition), `normalizedSql ${STATUSES}`);
    expect(errors).toBeUndefined();
    expect(answer.rows.map(({ status }: { status: { text: string } }) => status.text).toSorted()).toEqual(statuses);
    expect(answer.normalizedSql).not.toContain('PUBLIC_');
    expect((await askSql(testGraph, answer.normalizedSql, STATUSES)).answer.rows).toEqual(answer.rows);
  });

  it('belongs to the entity of the nearest FROM', async () => {
    sent.length = 0;
    const exists = "EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id AND status = 'PAID') AND status = 'OPEN'";
    const { answer } = await askSql(testGraph, where(exists), 'normalizedSql normalizedQuery');
    expect(sent.at(-1)).toContain("'PUBLIC_PAYMENT_STATUS_PAID'");
    expect(sent.at(-1)).toContain("'PUBLIC_ORDER_STATUS_OPEN'");
    expect(answer.normalizedSql).toContain("status = 'PAID'");
    expect(JSON.stringify(answer.normalizedQuery)).not.toContain('PUBLIC_');
  });

  it('isn’t translated in strings that aren’t enum values', async () => {
    const sql =
      "SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND contains(reference_number, 'OPEN') AND currency <> 'it''s status = OPEN' LIMIT 1";
    const { calls } = await askSql(testGraph, sql);
    expect(calls).toEqual([SQL]);
    expect(JSON.parse(sent.at(-1) ?? '{}').sql).toBe(sql);
  });

  it('doesn’t move the place of an error behind it', async () => {
    const { answer } = await askSql(testGraph, where("status = 'OPEN' AND status = 'CANCELLED' AND cuont = 1"));
    const column = "WHERE svc.timezone('UTC') AND status = 'OPEN' AND status = 'CANCELLED' AND c".length;
    expect(answer).toMatchObject({ line: 3, column, issues: [{ code: 'UNKNOWN_NAME' }] });
    expect(answer.message).toMatch(new RegExp(`^line 3, column ${column}: `));
  });

  it('is spelled as in the schema in the examples, which can be sent', async () => {
    const { data } = await testGraph.execute('{ analyticsCatalog { sqlSupport { examples } } }');
    const { examples } = data.analyticsCatalog.sqlSupport;
    expect(examples.join('\n')).toContain("status <> 'CANCELLED'");
    for (const sql of examples) expect((await askSql(testGraph, sql)).answer).toMatchObject({ __typename: 'AnalyticsResult' });
  });
});

describe('an upstream that spells enum values in another way', () => {
  const lower = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const body = request.body.replaceAll(
        /(["'])(open|fulfilled|cancelled)\1/g,
        (_match, quote: string, word: string) => `${quote}PUBLIC_ORDER_STATUS_${word.toUpperCase()}${quote}`,
      );
      const response = await usual({ ...request, body });
      const spell = (text: string) => text.replaceAll(/PUBLIC_ORDER_STATUS_(\w+)/g, (_match, word: string) => word.toLowerCase());
      return { ...response, body: spell(response.body) };
    }),
  });

  it('gets its own spelling, which its catalog lists', async () => {
    const { answer, calls } = await ask(lower, byStatus('ORDERS', { filter: compare('status', 'NEQ', 'OPEN') }), STATUSES);
    expect(calls.at(-1)).toBe(QUERY);
    expect(answer.rows.map(({ status }: { status: { text: string } }) => status.text).toSorted()).toEqual(['CANCELLED', 'FULFILLED']);
    const sql = "SELECT status, count(*) FROM orders WHERE svc.timezone('UTC') AND status <> 'OPEN' GROUP BY status LIMIT 9";
    expect((await askSql(lower, sql, STATUSES)).answer.rows).toEqual(answer.rows);
  });
});

describe('without a catalog', () => {
  const without = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      request.path.endsWith(CATALOG)
        ? Promise.resolve({ status: 500, headers: {}, body: '{"code":"internal","message":"No."}' })
        : usual(request),
    ),
  });

  it('enum values are translated by the contract', async () => {
    const { answer } = await ask(without, byStatus('ORDERS', { filter: compare('status', 'EQ', 'CANCELLED') }), STATUSES);
    expect(answer.rows).toMatchObject([{ status: { text: 'CANCELLED' } }]);
  });

  it('those behind a relationship, whose enum isn’t known, fail with the error of the catalog', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PAID') } };
    const { answer, errors, calls } = await ask(without, counting('ORDERS', { filter }));
    expect(answer).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(calls).not.toContain(QUERY);
    const own = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PUBLIC_PAYMENT_STATUS_PAID') } };
    expect((await ask(without, counting('ORDERS', { filter: own }))).answer.__typename).toBe('AnalyticsResult');
  });
});

describe('a catalog without relationships', () => {
  const without = useTestGraph({}, undefined, {
    transport: interceptCalls(async (request, usual) => {
      const response = await usual(request);
      if (!request.path.endsWith(CATALOG)) return response;
      const { entities, ...rest } = JSON.parse(response.body);
      return { ...response, body: JSON.stringify({ ...rest, entities: entities.map((each: object) => ({ ...each, relationships: [] })) }) };
    }),
  });

  it('requires the upstream’s spelling behind a relationship', async () => {
    const filter = { related: { relationship: 'payments', filter: compare('status', 'EQ', 'PAID') } };
    const { answer } = await ask(without, counting('ORDERS', { filter }));
    expect(answer.issues).toMatchObject([
      {
        path: ['query', 'filter', 'related', 'filter', 'compare', 'values', '0', 'text'],
        code: 'NOT_ALLOWED',
        message: expect.stringMatching(/^must be spelled as in the Workspace API, such as PUBLIC_PAYMENT_STATUS_PAID, because/),
      },
    ]);
  });
});
