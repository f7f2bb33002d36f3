import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const keyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

/** Request of the last upstream call. */
const lastRequest = () => testGraph.sandbox.received.at(-1)?.request;

/** The same mutation on both kinds of record that have custom fields. */
const KINDS = [
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

type Kind = (typeof KINDS)[number];

const document = ({ type, field, member }: Kind) => `mutation ($input: ${type}Input!) {
  result: ${field}(input: $input) {
    __typename
    ... on ${type}Payload { record: ${member} { rawId customFields { name value } } effect }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

const update = (kind: Kind, customFields: readonly object[], more: object = {}) =>
  testGraph.execute(document(kind), { input: { [kind.id]: demoId(kind.record), customFields, ...more } });

/** Custom fields as an object by name. */
const byName = (fields: readonly { name: string; value: string }[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

const READ = `query ($id: ID!, $names: [String!]) {
  customer(id: $id) { customFields(names: $names) {
    name value definition { label kind } text number boolean date
    money { minorUnits currencyCode amount }
    address { street houseNumber postalCode city country latitude longitude fullAddress }
    company { companyName registrationNumber vatNumber }
  } }
}`;

/** The typed fields of a value that none of them reads. */
const UNREAD = { text: null, number: null, boolean: null, date: null, money: null, address: null, company: null };

const read = async (names: readonly string[] | null) =>
  (await testGraph.execute(READ, { id: demoId('customer 0'), names })).data.customer.customFields;

describe('Customer.customFields', () => {
  it('reads money in the currency of each data field, with one ListDataFields for all of them', async () => {
    const [[budget, insured], calls] = await testGraph.recordCalls(() => read(['insured_value', 'budget']));
    expect(budget).toMatchObject({ name: 'budget', definition: { label: 'Budget', kind: 'MONEY' }, money: { currencyCode: 'EUR' } });
    expect(insured).toMatchObject({ name: 'insured_value', money: { currencyCode: 'CHF', minorUnits: insured.value } });
    expect(budget.money.amount).toBe(`${budget.value.slice(0, -2)}.${budget.value.slice(-2)}`);
    expect(calls).toEqual(['Customer/GetCustomer', 'DataField/ListDataFields']);
  });

  it('needs one ListDataFields for many customers', async () => {
    const query =
      '{ customers(first: 20) { nodes { customFields { name money { currencyCode } definition { kind } text number } } } customFieldDefinitions { name } }';
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual(['Customer/SearchCustomers', 'DataField/ListDataFields']);
  });

  it('reads a whole number that is no money as no money', async () => {
    expect(await read(['floor_area'])).toMatchObject([{ value: expect.stringMatching(/^\d+$/), money: null }]);
  });

  it('reads addresses and companies without asking for the definitions', async () => {
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

  it('keeps a name that the workspace has not defined, even where only the keys of its definition are asked for', async () => {
    expect(await read(['legacy_code'])).toEqual([{ name: 'legacy_code', value: 'K-17', definition: null, ...UNREAD }]);
    const query = 'query ($id: ID!) { customer(id: $id) { customFields(names: ["legacy_code", "budget"]) { definition { id rawId } } } }';
    const { data } = await testGraph.execute(query, { id: demoId('customer 0') });
    expect(data.customer.customFields).toMatchObject([{ definition: { rawId: 'budget' } }, { definition: null }]);
  });

  it('answers all fields in the order of their names, or those that are named and have a value', async () => {
    const all = (await read(null)).map(({ name }: { name: string }) => name);
    expect(all).toEqual([...all].sort());
    expect(all).toContain('legacy_code');
    expect((await read(['no_such_field', 'budget'])).map(({ name }: { name: string }) => name)).toEqual(['budget']);
    expect(await read([])).toEqual([]);
  });

  it('answers the stored values to a key that may not read the definitions, and says what the rest takes', async () => {
    const variables = { id: demoId('customer 0'), names: ['budget'] };
    const { data, errors } = await testGraph.executeAs(keyWithout('datafield:read'), READ, variables);
    expect(data.customer.customFields).toMatchObject([
      { value: expect.stringMatching(/^\d+$/), definition: null, text: null, number: null, money: null },
    ]);
    const forbidden = { code: 'FORBIDDEN', missingScopes: ['datafield:read'] };
    const paths = ['definition', 'text', 'number', 'money'].map((field) => ['customer', 'customFields', 0, field]);
    expect(errors).toMatchObject(paths.map((path) => ({ path, extensions: forbidden })));
  });
});

describe('the typed fields of a custom field', () => {
  /** A customer that holds a value as it may have been stored by other means than this graph. */
  const storing = async (name: string, value: string) => {
    const id = demoId('customer 4');
    await update({ ...KINDS[0], record: 'customer 4' } as never, [{ name, value: { json: value } }]);
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
  ])('read %s %j by its definition alone', async (name, value, reading) => {
    expect(await storing(name, value)).toEqual({
      name,
      value,
      definition: name === 'unheard_of' ? null : expect.anything(),
      ...UNREAD,
      ...reading,
    });
  });

  it('ask for no definitions where the value cannot be of the kind', async () => {
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

  it('answers one value by its name, as the list has it, and null where there is none', async () => {
    await update({ ...KINDS[0], record: 'portfolio 0' } as never, [{ name: 'budget', value: { money: { minorUnits: '700' } } }]);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
    expect(errors).toBeUndefined();
    const budget = { name: 'budget', value: '700', money: { minorUnits: '700' } };
    expect(data.record).toEqual({ budget, legacy: null, none: null, customFields: [budget] });
    expect(calls).toEqual(['Customer/GetCustomer', 'DataField/ListDataFields']);
  });
});

describe.each(KINDS)('Mutation.$field', (kind) => {
  it('sets and clears what is named, leaves the rest, and sends each kind in its form', async () => {
    await update(kind, [
      { name: 'meter_number', value: { text: 'M-1' } },
      { name: 'access_notes', value: { text: 'Stays.' } },
    ]);
    const address = { street: 'Havenkade', houseNumber: '12 b', latitude: 52.37, longitude: 4.89 };
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update(kind, [
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
    expect(calls).toEqual([kind.operation]);
    expect(lastRequest()).toEqual({
      [kind.id]: demoId(kind.record),
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
    expect([record.rawId, effect]).toEqual([demoId(kind.record), 'DONE']);
    const values = byName(record.customFields);
    expect(values).toMatchObject({
      access_notes: 'Stays.',
      budget: '25000',
      floor_area: '120.50',
      last_inspection: '120',
      unheard_of: '[1,{"two":true}]',
    });
    expect(values).not.toHaveProperty('meter_number');
  });

  it('reads back an address and a company as they were given', async () => {
    const address = {
      street: 'A',
      houseNumber: '1',
      postalCode: '1011',
      city: 'B',
      country: 'NL',
      latitude: -1.5,
      longitude: 2,
      fullAddress: 'A 1',
    };
    const company = { companyName: 'C', registrationNumber: '2', vatNumber: 'V' };
    await update(kind, [
      { name: 'billing_address', value: { address } },
      { name: 'billing_company', value: { company } },
    ]);
    const query = READ.replace('customer(', `customer: ${kind.member}(`);
    const { data } = await testGraph.execute(query, { id: demoId(kind.record), names: ['billing_address', 'billing_company'] });
    expect(data.customer.customFields).toMatchObject([
      { address, company: null },
      { company, address: null },
    ]);
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
      'a latitude beyond the pole',
      [{ name: 'x', value: { address: { latitude: 90.5, longitude: 1 } } }],
      { path: [...PATH, 'address', 'latitude'] },
    ],
    [
      'a longitude beyond the date line',
      [{ name: 'x', value: { address: { latitude: 1, longitude: -181 } } }],
      { path: [...PATH, 'address', 'longitude'] },
    ],
    [
      'a company with nothing in it',
      [{ name: 'x', value: { company: { companyName: '', vatNumber: null } } }],
      { path: [...PATH, 'company'], message: 'must have at least one non-empty part.' },
    ],
    [
      'a name twice',
      [
        { name: 'budget', value: { text: '1' } },
        { name: 'budget', value: null },
      ],
      { path: ['customFields', '1', 'name'], message: TWICE },
    ],
    ['a blank name', [{ name: ' ', value: { text: '1' } }], { path: ['customFields', '0', 'name'], message: 'must not be blank.' }],
    ['a value that is left out', [{ name: 'x' }], { path: PATH, message: 'is required. Send null to clear the field.' }],
    [
      'blank text',
      [{ name: 'x', value: { text: ' ' } }],
      { path: [...PATH, 'text'], message: 'must not be blank. Send null as the `value` to clear the field.' },
    ],
    [
      'an address with nothing in it',
      [{ name: 'x', value: { address: { street: '', city: null } } }],
      { path: [...PATH, 'address'], message: 'must have at least one non-empty part.' },
    ],
  ])('refuses %s, and sends nothing', async (_case, customFields, issue) => {
    const [{ data }, calls] = await testGraph.recordCalls(() => update(kind, customFields));
    expect(data.result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('refuses no fields at all when the upstream has', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => update(kind, []));
    const issue = { path: ['customFields'], message: 'must have at least 1 entry.' };
    expect(data.result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([expect.stringMatching(/\/Patch(Customer|Portfolio)DataFields$/)]);
  });

  it.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-3-1', '2026-03-01T00:00:00Z', ' 2026-03-01', '', 20260301])(
    'refuses the day %j, and sends nothing',
    async (date) => {
      const [{ errors }, calls] = await testGraph.recordCalls(() => update(kind, [{ name: 'x', value: { date } }]));
      expect(errors).toMatchObject([
        { message: expect.stringContaining('Date must be a date in the form YYYY-MM-DD'), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
      expect(calls).toEqual([]);
    },
  );

  it.each(['2024-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])('takes the day %s', async (date) => {
    await update(kind, [{ name: 'preferred_date', value: { date } }]);
    expect(lastRequest()?.fields).toEqual({ preferred_date: date });
  });

  it('reads the data fields to compare the currency of amounts, once and only then', async () => {
    const money = (minorUnits: string, currencyCode?: string) => ({ money: { minorUnits, currencyCode } });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      update(kind, [
        { name: 'budget', value: money('100', 'EUR') },
        { name: 'insured_value', value: money('200', 'CHF') },
      ]),
    );
    expect(byName(data.result.record.customFields)).toMatchObject({ budget: '100', insured_value: '200' });
    expect(calls).toEqual(['DataField/ListDataFields', kind.operation]);
    const cases = [
      ['insured_value', 'must be CHF, the currency of the record, but is EUR.'],
      ['access_notes', 'must be omitted, because the currency of the record is unknown, but is EUR.'],
      ['unheard_of', 'must be omitted, because the currency of the record is unknown, but is EUR.'],
    ] as const;
    for (const [name, message] of cases) {
      const [other, otherCalls] = await testGraph.recordCalls(() => update(kind, [{ name, value: money('300', 'EUR') }]));
      expect(other.data.result).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: [...PATH, 'money', 'currencyCode'], message }],
      });
      expect(otherCalls).toEqual(['DataField/ListDataFields']);
    }
  });

  it('refuses two values for one field, and sends nothing', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => update(kind, [{ name: 'x', value: { text: 'a', number: '1' } }]));
    expect(errors?.[0]?.message).toContain('Exactly one key must be specified');
    expect(calls).toEqual([]);
  });

  it('passes on why the upstream refuses a value', async () => {
    const { data } = await update(kind, [{ name: 'budget', value: { text: '250.00' } }]);
    expect(data.result).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ message: expect.stringContaining('an integer number of cents') }],
    });
  });

  it('carries a name that JavaScript gives a meaning of its own', async () => {
    await update(kind, [{ name: '__proto__', value: { text: 'kept' } }]);
    expect(Object.entries(lastRequest()?.fields ?? {})).toEqual([['__proto__', 'kept']]);
  });
});
