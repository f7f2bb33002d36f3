import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const createKeyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

/** Request of the last upstream call. */
const findLastRequest = () => testGraph.sandbox.received.at(-1)?.request;

/** The same mutation for both types that have custom fields. */
const TARGETS = [
  {
    record: 'customer 1',
    id: 'customerId',
    type: 'CustomerCustomFieldsUpdate',
    field: 'customerCustomFieldsUpdate',
    member: 'customer',
    operation: 'Customer/PatchCustomerDataFields',
    scope: 'customer_datafield:write',
  },
  {
    record: 'portfolio 1',
    id: 'portfolioId',
    type: 'PortfolioCustomFieldsUpdate',
    field: 'portfolioCustomFieldsUpdate',
    member: 'portfolio',
    operation: 'Portfolio/PatchPortfolioDataFields',
    scope: 'portfolio_datafield:write',
  },
] as const;

type Target = (typeof TARGETS)[number];

const printMutation = ({ type, field, member }: Target) => `mutation ($input: ${type}Input!) {
  result: ${field}(input: $input) {
    __typename
    ... on ${type}Payload { record: ${member} { rawId customFields { name value } } effect }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

const update = (target: Target, customFields: readonly object[], more: object = {}) =>
  testGraph.execute(printMutation(target), { input: { [target.id]: demoId(target.record), customFields, ...more } });

/** Indexes the values of custom fields by name. */
const indexByName = (fields: readonly { name: string; value: string }[]) =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]));

const READ = `query ($id: ID!, $names: [String!]) {
  customer(id: $id) { customFields(names: $names) {
    name value definition { label kind } text number boolean date
    money { minorUnits currencyCode amount }
    address { street houseNumber postalCode city countryCode countryText latitude longitude fullAddress }
    company { companyName registrationNumber vatNumber }
  } }
}`;

/** All typed fields as null, as for a value that none of them can represent. */
const NO_TYPED_VALUES = { text: null, number: null, boolean: null, date: null, money: null, address: null, company: null };

const read = async (names: readonly string[] | null) =>
  (await testGraph.execute(READ, { id: demoId('customer 0'), names })).data.customer.customFields;

describe('Customer.customFields', () => {
  it('returns money in the currency of each field with one shared ListDataFields call', async () => {
    const [[budget, insured], calls] = await testGraph.recordCalls(() => read(['insured_value', 'budget']));
    expect(budget).toMatchObject({ name: 'budget', definition: { label: 'Budget', kind: 'MONEY' }, money: { currencyCode: 'EUR' } });
    expect(insured).toMatchObject({ name: 'insured_value', money: { currencyCode: 'CHF', minorUnits: insured.value } });
    expect(budget.money.amount).toBe(`${budget.value.slice(0, -2)}.${budget.value.slice(-2)}`);
    expect(calls).toEqual(['Customer/GetCustomer', 'DataField/ListDataFields']);
  });

  it('requires one ListDataFields call for many customers', async () => {
    const query =
      '{ customers(first: 20) { nodes { customFields { name money { currencyCode } definition { kind } text number } } } customFieldDefinitions { name } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual(['Customer/SearchCustomers', 'DataField/ListDataFields']);
  });

  it('resolves money to null for a number field', async () => {
    expect(await read(['floor_area'])).toMatchObject([{ value: expect.stringMatching(/^\d+$/), money: null }]);
  });

  it('resolves addresses and companies without fetching definitions', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { customFields(names: ["site_address", "billing_company"]) {
      name value address { street houseNumber city fullAddress } company { companyName vatNumber } } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('customer 0') }));
    const [company, place] = data.customer.customFields;
    const [stored, storedPlace] = [JSON.parse(company.value), JSON.parse(place.value)];
    expect(company).toMatchObject({ address: null, company: { companyName: stored.company_name, vatNumber: stored.vat_number } });
    expect(place).toMatchObject({
      company: null,
      address: {
        street: storedPlace.street,
        houseNumber: storedPlace.house_number,
        city: storedPlace.city,
        fullAddress: storedPlace.full_address,
      },
    });
    expect(calls).toEqual(['Customer/GetCustomer']);
  });

  it('preserves a field without a definition, even if only the ID of the definition is selected', async () => {
    expect(await read(['legacy_code'])).toEqual([{ name: 'legacy_code', value: 'K-17', definition: null, ...NO_TYPED_VALUES }]);
    const query = 'query ($id: ID!) { customer(id: $id) { customFields(names: ["legacy_code", "budget"]) { definition { id rawId } } } }';
    const { data } = await testGraph.execute(query, { id: demoId('customer 0') });
    expect(data.customer.customFields).toMatchObject([{ definition: { rawId: 'budget' } }, { definition: null }]);
  });

  it('lists all fields sorted by name, or only the named fields that have a value', async () => {
    const all = (await read(null)).map(({ name }: { name: string }) => name);
    expect(all).toEqual([...all].sort());
    expect(all).toContain('legacy_code');
    expect((await read(['no_such_field', 'budget'])).map(({ name }: { name: string }) => name)).toEqual(['budget']);
    expect(await read([])).toEqual([]);
  });

  it('returns stored values if the key can’t read definitions, and FORBIDDEN for fields that require them', async () => {
    const variables = { id: demoId('customer 0'), names: ['budget'] };
    const { data, errors } = await testGraph.executeAs(createKeyWithout('datafield:read'), READ, variables);
    expect(data.customer.customFields).toMatchObject([
      { value: expect.stringMatching(/^\d+$/), definition: null, text: null, number: null, money: null },
    ]);
    const forbidden = { code: 'FORBIDDEN', missingScopes: ['datafield:read'] };
    const paths = ['definition', 'text', 'number', 'money'].map((field) => ['customer', 'customFields', 0, field]);
    expect(errors).toMatchObject(paths.map((path) => ({ path, extensions: forbidden })));
  });
});

describe('typed fields of a custom field', () => {
  /** Stores a value as a client other than this graph might have, then reads the field. */
  const storeAndRead = async (name: string, value: string) => {
    const id = demoId('customer 4');
    await update({ ...TARGETS[0], record: 'customer 4' } as never, [{ name, value: { json: value } }]);
    return (await testGraph.execute(READ, { id, names: [name] })).data.customer.customFields[0];
  };
  const CENTS = { currencyCode: 'EUR', minorUnits: '25000', amount: '250.00' };

  it.each([
    ['meter_number', 'M-1', { text: 'M-1' }],
    ['meter_number', '12', { text: '12' }],
    ['meter_number', 'true', { text: 'true' }],
    ['lead_source', 'fair', { text: 'fair' }],
    ['floor_area', '120', { number: '120' }],
    ['floor_area', '-0.30000000000000000001', { number: '-0.30000000000000000001' }],
    ['floor_area', '1e3', {}],
    ['has_parking', 'true', { boolean: true }],
    ['has_parking', 'false', { boolean: false }],
    ['has_parking', 'yes', {}],
    ['preferred_date', '2026-02-28', { date: '2026-02-28' }],
    ['preferred_date', '2026-02-30', {}],
    ['preferred_date', '28-02-2026', {}],
    ['budget', '25000', { money: CENTS }],
    ['unheard_of', '12', {}],
  ])('parses %s %j by its definition only', async (name, value, reading) => {
    expect(await storeAndRead(name, value)).toEqual({
      name,
      value,
      definition: name === 'unheard_of' ? null : expect.anything(),
      ...NO_TYPED_VALUES,
      ...reading,
    });
  });

  it('fetches no definitions if the value can’t be of the selected kind', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { customFields(names: ["legacy_code"]) { number boolean date money { amount } } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: demoId('customer 0') }));
    expect(data.customer.customFields).toEqual([{ number: null, boolean: null, date: null, money: null }]);
    expect(calls).toEqual(['Customer/GetCustomer']);
  });
});

describe.each(['customer', 'portfolio'])('%s.customField', (member) => {
  const id = demoId('portfolio 0');
  const query = `query ($id: ID!) { record: ${member}(id: $id) {
    budget: customField(name: "budget") { name value money { minorUnits } }
    legacy: customField(name: "__proto__") { value } none: customField(name: "no_such_field") { value }
    customFields(names: ["budget"]) { name value money { minorUnits } }
  } }`;

  it('returns a single value by name, as in the list, and null for missing names', async () => {
    await update({ ...TARGETS[0], record: 'portfolio 0' } as never, [{ name: 'budget', value: { money: { minorUnits: '700' } } }]);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
    expect(errors).toBeUndefined();
    const budget = { name: 'budget', value: '700', money: { minorUnits: '700' } };
    expect(data.record).toEqual({ budget, legacy: null, none: null, customFields: [budget] });
    expect(calls).toEqual(['Customer/GetCustomer', 'DataField/ListDataFields']);
  });
});

describe.each(TARGETS)('Mutation.$field', (target) => {
  it('sets and clears the named fields, preserves the rest, and sends each kind in its format', async () => {
    await update(target, [
      { name: 'meter_number', value: { text: 'M-1' } },
      { name: 'access_notes', value: { text: 'Stays.' } },
    ]);
    const address = { street: 'Havenkade', houseNumber: '12 b', latitude: 52.37, longitude: 4.89 };
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update(target, [
        { name: 'meter_number', value: null },
        { name: 'budget', value: { money: { minorUnits: '25000' } } },
        { name: 'site_address', value: { address } },
        { name: 'billing_company', value: { company: { companyName: 'Adler B.V.', vatNumber: '' } } },
        { name: 'floor_area', value: { number: '120.50' } },
        { name: 'has_parking', value: { boolean: false } },
        { name: 'preferred_date', value: { date: '2026-12-24' } },
        { name: 'last_inspection', value: { json: 120 } },
        { name: 'unheard_of', value: { json: [1, { two: true }] } },
      ]),
    );
    expect(calls).toEqual([target.operation]);
    expect(findLastRequest()).toEqual({
      [target.id]: demoId(target.record),
      fields: {
        meter_number: null,
        budget: '25000',
        site_address: '{"street":"Havenkade","house_number":"12 b","latitude":52.37,"longitude":4.89}',
        billing_company: '{"company_name":"Adler B.V.","vat_number":""}',
        floor_area: '120.50',
        has_parking: 'false',
        preferred_date: '2026-12-24',
        last_inspection: 120,
        unheard_of: [1, { two: true }],
      },
    });
    const { record, effect } = data.result;
    expect([record.rawId, effect]).toEqual([demoId(target.record), 'DONE']);
    const values = indexByName(record.customFields);
    expect(values).toMatchObject({
      access_notes: 'Stays.',
      budget: '25000',
      floor_area: '120.50',
      last_inspection: '120',
      unheard_of: '[1,{"two":true}]',
    });
    expect(values).not.toHaveProperty('meter_number');
  });

  it('returns an address and a company as they were sent', async () => {
    const address = {
      street: 'A',
      houseNumber: '1',
      postalCode: '1011',
      city: 'B',
      countryCode: 'NL',
      countryText: 'NL',
      latitude: -1.5,
      longitude: 2,
      fullAddress: 'A 1',
    };
    const company = { companyName: 'C', registrationNumber: '2', vatNumber: 'V' };
    await update(target, [
      { name: 'billing_address', value: { address } },
      { name: 'billing_company', value: { company } },
    ]);
    const query = READ.replace('customer(', `customer: ${target.member}(`);
    const { data } = await testGraph.execute(query, { id: demoId(target.record), names: ['billing_address', 'billing_company'] });
    expect(data.customer.customFields).toMatchObject([
      { address, company: null },
      { company, address: null },
    ]);
  });

  it.each([
    ['a code', { countryCode: 'NL' }, { countryCode: 'NL', countryText: 'NL' }],
    ['a name', { countryText: 'Germany' }, { countryCode: null, countryText: 'Germany' }],
    ['a code in lower case', { countryText: 'nl' }, { countryCode: null, countryText: 'nl' }],
  ])('returns a country that is stored as %s', async (_title, sent, returned) => {
    await update(target, [{ name: 'billing_address', value: { address: { city: 'B', ...sent } } }]);
    const query = READ.replace('customer(', `customer: ${target.member}(`);
    const { data } = await testGraph.execute(query, { id: demoId(target.record), names: ['billing_address'] });
    expect(data.customer.customFields).toMatchObject([{ address: { city: 'B', ...returned } }]);
  });

  const PATH = ['customFields', '0', 'value'];
  const TWICE = 'must be unique, but budget is specified twice.';
  it.each<[string, object[], object]>([
    [
      'latitude without longitude',
      [{ name: 'x', value: { address: { latitude: 1 } } }],
      { path: [...PATH, 'address'], message: 'must have both latitude and longitude, or neither.' },
    ],
    ['longitude without latitude', [{ name: 'x', value: { address: { longitude: 1, latitude: null } } }], { path: [...PATH, 'address'] }],
    [
      'a latitude above 90',
      [{ name: 'x', value: { address: { latitude: 90.5, longitude: 1 } } }],
      { path: [...PATH, 'address', 'latitude'] },
    ],
    [
      'a longitude below -180',
      [{ name: 'x', value: { address: { latitude: 1, longitude: -181 } } }],
      { path: [...PATH, 'address', 'longitude'] },
    ],
    [
      'a country text that differs from the code',
      [{ name: 'x', value: { address: { countryCode: 'NL', countryText: 'Belgium' } } }],
      { path: [...PATH, 'address', 'countryText'], message: 'can’t be combined with another `countryCode`.' },
    ],
    [
      'an empty company',
      [{ name: 'x', value: { company: { companyName: '', vatNumber: null } } }],
      { path: [...PATH, 'company'], message: 'must have at least one non-empty part.' },
    ],
    [
      'a duplicate name',
      [
        { name: 'budget', value: { text: '1' } },
        { name: 'budget', value: null },
      ],
      { path: ['customFields', '1', 'name'], message: TWICE },
    ],
    ['a blank name', [{ name: ' ', value: { text: '1' } }], { path: ['customFields', '0', 'name'], message: 'must not be blank.' }],
    ['an omitted value', [{ name: 'x' }], { path: PATH, message: 'is required. Send null to clear the field.' }],
    [
      'blank text',
      [{ name: 'x', value: { text: ' ' } }],
      { path: [...PATH, 'text'], message: 'must not be blank. Send null as the `value` to clear the field.' },
    ],
    [
      'an empty address',
      [{ name: 'x', value: { address: { street: '', city: null } } }],
      { path: [...PATH, 'address'], message: 'must have at least one non-empty part.' },
    ],
  ])('rejects %s without an upstream call', async (_case, customFields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => update(target, customFields));
    expect(data.result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('returns the upstream’s ValidationError for an empty list', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => update(target, []));
    const issue = { path: ['customFields'], message: 'must have at least 1 entry.' };
    expect(data.result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([expect.stringMatching(/\/Patch(Customer|Portfolio)DataFields$/)]);
  });

  it.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-3-1', '2026-03-01T00:00:00Z', ' 2026-03-01', '', 20260301])(
    'rejects the date %j without an upstream call',
    async (date) => {
      const [{ errors }, calls] = await testGraph.recordCalls(() => update(target, [{ name: 'x', value: { date } }]));
      expect(errors).toMatchObject([
        { message: expect.stringContaining('Date must be a date in the form YYYY-MM-DD'), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
      expect(calls).toEqual([]);
    },
  );

  it.each(['2024-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])('accepts the date %s', async (date) => {
    await update(target, [{ name: 'preferred_date', value: { date } }]);
    expect(findLastRequest()?.fields).toEqual({ preferred_date: date });
  });

  it('fetches the definitions once, only to verify currencies', async () => {
    const money = (minorUnits: string, currencyCode?: string) => ({ money: { minorUnits, currencyCode } });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update(target, [
        { name: 'budget', value: money('100', 'EUR') },
        { name: 'insured_value', value: money('200', 'CHF') },
      ]),
    );
    expect(indexByName(data.result.record.customFields)).toMatchObject({ budget: '100', insured_value: '200' });
    expect(calls).toEqual(['DataField/ListDataFields', target.operation]);
    const cases = [
      ['insured_value', 'must be CHF, the currency of the record, but is EUR.'],
      ['access_notes', 'must be omitted, because the currency of the record is unknown, but is EUR.'],
      ['unheard_of', 'must be omitted, because the currency of the record is unknown, but is EUR.'],
    ] as const;
    for (const [name, message] of cases) {
      const [other, otherCalls] = await testGraph.recordCalls(() => update(target, [{ name, value: money('300', 'EUR') }]));
      expect(other.data.result).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: [...PATH, 'money', 'currencyCode'], message }],
      });
      expect(otherCalls).toEqual(['DataField/ListDataFields']);
    }
  });

  it('rejects two values for one field without an upstream call', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => update(target, [{ name: 'x', value: { text: 'a', number: '1' } }]));
    expect(errors?.[0]?.message).toContain('Exactly one key must be specified');
    expect(calls).toEqual([]);
  });

  it('returns the upstream’s validation message for a value', async () => {
    const { data } = await update(target, [{ name: 'budget', value: { text: '250.00' } }]);
    expect(data.result).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ message: expect.stringContaining('an integer number of cents') }],
    });
  });

  it('sends __proto__ as a field name', async () => {
    await update(target, [{ name: '__proto__', value: { text: 'kept' } }]);
    expect(Object.entries(findLastRequest()?.fields ?? {})).toEqual([['__proto__', 'kept']]);
  });
});
