import { describe, expect, it } from 'vitest';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { CUSTOMER } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** A literal as the value of `filter` of `orderSearch`. */
const search = (filter: string) => `{ orderSearch(first: 1, filter: ${filter}) { nodes { id } } }`;
const create = (field: string, input: string) => `mutation { ${field}(input: { ${input} }) { __typename } }`;
const createTask = (values: string) => create('advancedTaskUpdate', `advancedTaskId: "x", values: ${values}`);
const analyze = (query: string) => `{ analyticsQuery(query: { entity: ORDERS, select: { records: ["id"] }, ${query} }) { __typename } }`;

/** A document with a wrong literal, the name that its error reports, and the literal's rule. */
const WRONG: readonly (readonly [scalar: string, document: string, name: string, literal: string, message: string])[] = [
  ['Int', '{ customers(first: "many") { nodes { id } } }', 'first', '"many"', 'Int cannot represent non-integer value: "many"'],
  ['Int64', create('customerFileUploadCreate', 'sizeBytes: 1.5'), 'input.sizeBytes', '1.5', 'Int64 must be a 64-bit integer, but is 1.5.'],
  [
    'Decimal',
    create('productCreate', 'vatRate: 0.21'),
    'input.vatRate',
    '0.21',
    'Decimal must be a decimal string of at most 100 characters, such as "0.21", but is 0.21.',
  ],
  [
    'Date',
    '{ agenda(id: "x") { availableSlots(day: "2026-02-30", appointmentTypeId: "x") { startsAt } } }',
    'day',
    '"2026-02-30"',
    'Date must be a date in the form YYYY-MM-DD, but is "2026-02-30".',
  ],
  [
    'DateTime',
    search('{ createdAt: { gte: NOW } }'),
    'filter.createdAt.gte',
    'NOW',
    'DateTime must be an RFC 3339 timestamp, such as 2026-03-31T09:30:00Z, but is NOW.',
  ],
  [
    'Version',
    create('orderCancel', 'orderId: "x", expectedVersion: " "'),
    'input.expectedVersion',
    '" "',
    'Version must be the unmodified `version` of a record, not blank and at most 200 characters, but is " ".',
  ],
  [
    'CountryCode',
    create('contactCreate', 'phoneCountryCode: "nl"'),
    'input.phoneCountryCode',
    '"nl"',
    'CountryCode must be two uppercase letters, but is "nl".',
  ],
  [
    'CurrencyCode in a list',
    search('{ currencyCodes: ["EUR", true] }'),
    'filter.currencyCodes',
    'true',
    'CurrencyCode must be an ISO 4217 currency code, such as EUR, but is true.',
  ],
  [
    'HexColor',
    create('teamCreate', 'name: "x", color: {}'),
    'input.color',
    '{}',
    'HexColor must be # and six hexadecimal digits, but is {}.',
  ],
  ['TimeZone', analyze('timezone: "Mars"'), 'query.timezone', '"Mars"', 'TimeZone must be an IANA time zone, but is "Mars".'],
  ['JSON', createTask(`${'['.repeat(33)}${']'.repeat(33)}`), 'input.values', '[', 'JSON must not nest more than 32 levels deep.'],
  ['JSON with a long text', createTask(`"${'x'.repeat(70_000)}"`), 'input.values', '"xx', 'JSON must have at most 65536 characters.'],
  [
    'DateTime as a default',
    'query ($from: DateTime = "soon") { orderSearch(filter: { createdAt: { gte: $from } }) { nodes { id } } }',
    '$from',
    '"soon"',
    'DateTime must be an RFC 3339 timestamp, such as 2026-03-31T09:30:00Z, but is "soon".',
  ],
  [
    'CurrencyCode in an object of a list of a default',
    'query ($or: [OrderSearchFilterInput!] = [{ currencyCodes: "€" }]) { orderSearch(filter: { or: $or }) { nodes { id } } }',
    '$or.currencyCodes',
    '"€"',
    'CurrencyCode must be an ISO 4217 currency code, such as EUR, but is "€".',
  ],
  ['Boolean of a directive', '{ __typename @skip(if: "no") }', 'if', '"no"', 'Boolean cannot represent a non boolean value: "no"'],
];

describe('wrong literal', () => {
  it.each(WRONG)('fails validation with its name and location: %s', async (_scalar, query, name, literal, message) => {
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([status, data, calls]).toEqual([400, undefined, []]);
    expect(errors).toContainEqual({
      message: `Invalid value of "${name}": ${message}`,
      locations: [{ line: 1, column: query.indexOf(literal) + 1 }],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });
});

describe('valid literal', () => {
  const setBudget = (minorUnits: string) => `mutation {
    customerCustomFieldsUpdate(input: { customerId: "${CUSTOMER}", customFields: [{ name: "budget", value: { money: { minorUnits: ${minorUnits} } } }] }) { __typename }
  }`;

  it.each(['9007199254740993', '-9223372036854775808', '"9223372036854775807"'])('keeps all its digits as Int64: %s', async (literal) => {
    const { received } = testGraph.sandbox;
    const { errors } = await testGraph.execute(setBudget(literal));
    expect([errors, received.at(-1)?.request]).toMatchObject([undefined, { fields: { budget: literal.replaceAll('"', '') } }]);
  });

  it('repeats an integer that exceeds Int64 in its error', async () => {
    const { errors } = await testGraph.execute(setBudget('9223372036854775808'));
    expect(errors?.[0]?.message).toMatch(/Int64 must be a 64-bit integer, but is 9223372036854775808\.$/);
  });

  it('accepts a name for a scalar with text', async () => {
    const { errors } = await testGraph.execute(search('{ currencyCodes: [EUR] }'));
    expect(errors).toBeUndefined();
  });

  it('fails with its path if a variable makes JSON invalid', async () => {
    const query = `mutation ($deep: JSON) { advancedTaskUpdate(input: { advancedTaskId: "x", values: { a: [$deep] } }) { __typename } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(query, { deep: JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) as unknown }),
    );
    expect([errors, calls]).toMatchObject([[{ path: ['advancedTaskUpdate'], extensions: { code: 'BAD_USER_INPUT' } }], []]);
  });
});

describe('wrong value of a variable', () => {
  it('fails with BAD_USER_INPUT and the path of the value', async () => {
    const query = 'query ($filter: OrderSearchFilterInput) { orderSearch(filter: $filter) { nodes { id } } }';
    const { errors } = await testGraph.execute(query, { filter: { createdAt: { gte: 'soon' } } });
    expect(errors).toMatchObject([
      {
        message:
          'Variable "$filter" got invalid value "soon" at "filter.createdAt.gte"; DateTime must be an RFC 3339 timestamp, such as 2026-03-31T09:30:00Z, but is "soon".',
        locations: [{ line: 1, column: 8 }],
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  });
});

describe('both paths', () => {
  const both = useBothPaths();

  it.each(ACCEPTS)('reject wrong literals equally, in %s', async (accept) => {
    for (const [, query] of [WRONG[1], WRONG[4], WRONG[12]] as typeof WRONG) {
      const [first, second] = await both.equal(queryRequest(query, {}, { accept }));
      const expected = `${accept === 'application/json' ? 200 : 400} GRAPHQL_VALIDATION_FAILED`;
      expect([summarizeStatus(first), summarizeStatus(second), first.calls]).toEqual([expected, expected, []]);
    }
  });
});
