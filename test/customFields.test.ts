import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from './sandbox/makeKey.ts';
import { demoId } from './sandbox/sandbox.ts';
import { useWorld } from './world.ts';

const world = useWorld();

const keyWithout = (scope: string) => makeKey(world.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });

/** What the last call carried. */
const lastRequest = () => world.sandbox.received.at(-1)?.request;

/** The same mutation on both kinds of record that have custom fields. */
const KINDS = [
  {
    record: 'customer 1',
    id: 'customerId',
    type: 'CustomerDataFieldsUpdate',
    field: 'customerDataFieldsUpdate',
    member: 'customer',
    operation: 'Customer/PatchCustomerDataFields',
    scope: 'customer_datafield:write',
  },
  {
    record: 'portfolio 1',
    id: 'portfolioId',
    type: 'PortfolioDataFieldsUpdate',
    field: 'portfolioDataFieldsUpdate',
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
    ... on NotFoundError { id }
    ... on ForbiddenError { missingScopes }
    ... on MutationError { code }
  }
}`;

const update = (kind: Kind, customFields: readonly object[], more: object = {}) =>
  world.graph(document(kind), { input: { [kind.id]: demoId(kind.record), customFields, ...more } });

/** Custom fields as an object by name. */
const byName = (fields: readonly { name: string; value: string }[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

const READ = `query ($id: ID!, $names: [String!]) {
  customer(id: $id) { customFields(names: $names) {
    name value field { label type }
    money { minorUnits currency amount }
    location { street houseNumber zipcode city country latitude longitude fullAddress }
    company { companyName registrationNumber vatNumber }
  } }
}`;

const read = async (names: readonly string[] | null) =>
  (await world.graph(READ, { id: demoId('customer 0'), names })).data.customer.customFields;

describe('Customer.customFields', () => {
  it('reads money in the currency of each data field, with one ListDataFields for all of them', async () => {
    const [[budget, insured], calls] = await world.calls(() => read(['insured_value', 'budget']));
    expect(budget).toMatchObject({ name: 'budget', field: { label: 'Budget', type: 'CURRENCY' }, money: { currency: 'EUR' } });
    expect(insured).toMatchObject({ name: 'insured_value', money: { currency: 'CHF', minorUnits: insured.value } });
    expect(budget.money.amount).toBe(`${budget.value.slice(0, -2)}.${budget.value.slice(-2)}`);
    expect(calls).toEqual(['Customer/GetCustomer', 'DataField/ListDataFields']);
  });

  it('needs one ListDataFields for many customers', async () => {
    const query = '{ customers(first: 20) { nodes { customFields { name money { currency } field { type } } } } dataFields { name } }';
    const [{ errors }, calls] = await world.calls(() => world.graph(query));
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual(['Customer/SearchCustomers', 'DataField/ListDataFields']);
  });

  it('reads a whole number that is no money as no money', async () => {
    expect(await read(['floor_area'])).toMatchObject([{ value: expect.stringMatching(/^\d+$/), money: null }]);
  });

  it('reads locations and companies without asking for the data fields', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { customFields(names: ["site_address", "billing_company"]) {
      name value location { street houseNumber city fullAddress } company { companyName vatNumber } } } }`;
    const [{ data }, calls] = await world.calls(() => world.graph(query, { id: demoId('customer 0') }));
    const [company, place] = data.customer.customFields;
    const [stored, storedPlace] = [JSON.parse(company.value), JSON.parse(place.value)];
    expect(company).toMatchObject({ location: null, company: { companyName: stored.company_name, vatNumber: stored.vat_number } });
    expect(place).toMatchObject({
      company: null,
      location: {
        street: storedPlace.street,
        houseNumber: storedPlace.house_number,
        city: storedPlace.city,
        fullAddress: storedPlace.full_address,
      },
    });
    expect(calls).toEqual(['Customer/GetCustomer']);
  });

  it('keeps a name that the workspace has no data field of, even where only the keys of its data field are asked for', async () => {
    expect(await read(['legacy_code'])).toEqual([
      { name: 'legacy_code', value: 'K-17', field: null, money: null, location: null, company: null },
    ]);
    const query = 'query ($id: ID!) { customer(id: $id) { customFields(names: ["legacy_code", "budget"]) { field { id rawId } } } }';
    const { data } = await world.graph(query, { id: demoId('customer 0') });
    expect(data.customer.customFields).toMatchObject([{ field: { rawId: 'budget' } }, { field: null }]);
  });

  it('answers all fields in the order of their names, or those that are named and have a value', async () => {
    const all = (await read(null)).map(({ name }: { name: string }) => name);
    expect(all).toEqual([...all].sort());
    expect(all).toContain('legacy_code');
    expect((await read(['no_such_field', 'budget'])).map(({ name }: { name: string }) => name)).toEqual(['budget']);
    expect(await read([])).toEqual([]);
  });

  it('answers the stored values to a key that may not read data fields, and says what the rest takes', async () => {
    const variables = { id: demoId('customer 0'), names: ['budget'] };
    const { data, errors } = await world.graphAs(keyWithout('datafield:read'), READ, variables);
    expect(data.customer.customFields).toMatchObject([{ value: expect.stringMatching(/^\d+$/), field: null, money: null }]);
    const forbidden = { code: 'FORBIDDEN', missingScopes: ['datafield:read'] };
    expect(errors).toMatchObject([{ extensions: forbidden }, { extensions: forbidden }]);
  });
});

describe.each(KINDS)('Mutation.$field', (kind) => {
  it('sets and clears what is named, leaves the rest, and sends money as cents and objects as text', async () => {
    await update(kind, [
      { name: 'meter_number', set: { text: 'M-1' } },
      { name: 'access_notes', set: { text: 'Stays.' } },
    ]);
    const location = { street: 'Havenkade', houseNumber: '12 b', latitude: 52.37, longitude: 4.89 };
    const [{ data }, calls] = await world.calls(() =>
      update(kind, [
        { name: 'meter_number', set: { clear: true } },
        { name: 'budget', set: { money: { minorUnits: '25000' } } },
        { name: 'site_address', set: { location } },
        { name: 'billing_company', set: { company: { companyName: 'Adler B.V.', vatNumber: '' } } },
        { name: 'floor_area', set: { json: 120 } },
        { name: 'unheard_of', set: { json: [1, { two: true }] } },
      ]),
    );
    expect(calls).toEqual([kind.operation]);
    expect(lastRequest()).toEqual({
      [kind.id]: demoId(kind.record),
      fields: {
        meter_number: null,
        budget: '25000',
        site_address: '{"house_number":"12 b","latitude":52.37,"longitude":4.89,"street":"Havenkade"}',
        billing_company: '{"company_name":"Adler B.V.","vat_number":""}',
        floor_area: 120,
        unheard_of: [1, { two: true }],
      },
    });
    const { record, effect } = data.result;
    expect([record.rawId, effect]).toEqual([demoId(kind.record), 'DONE']);
    const values = byName(record.customFields);
    expect(values).toMatchObject({ access_notes: 'Stays.', budget: '25000', floor_area: '120', unheard_of: '[1,{"two":true}]' });
    expect(values).not.toHaveProperty('meter_number');
  });

  it('reads back a location and a company as they were given', async () => {
    const location = {
      street: 'A',
      houseNumber: '1',
      zipcode: '1011',
      city: 'B',
      country: 'NL',
      latitude: -1.5,
      longitude: 2,
      fullAddress: 'A 1',
    };
    const company = { companyName: 'C', registrationNumber: '2', vatNumber: 'V' };
    await update(kind, [
      { name: 'billing_address', set: { location } },
      { name: 'billing_company', set: { company } },
    ]);
    const query = READ.replace('customer(', `customer: ${kind.member}(`);
    const { data } = await world.graph(query, { id: demoId(kind.record), names: ['billing_address', 'billing_company'] });
    expect(data.customer.customFields).toMatchObject([
      { location, company: null },
      { company, location: null },
    ]);
  });

  const PATH = ['customFields', '0', 'set'];
  const TWICE = 'must be given once, but budget is given twice.';
  it.each<[string, object[], object]>([
    [
      'latitude without longitude',
      [{ name: 'x', set: { location: { latitude: 1 } } }],
      { path: [...PATH, 'location'], message: 'must have latitude and longitude together, or neither.' },
    ],
    ['longitude without latitude', [{ name: 'x', set: { location: { longitude: 1, latitude: null } } }], { path: [...PATH, 'location'] }],
    [
      'a latitude beyond the pole',
      [{ name: 'x', set: { location: { latitude: 90.5, longitude: 1 } } }],
      { path: [...PATH, 'location', 'latitude'] },
    ],
    [
      'a longitude beyond the date line',
      [{ name: 'x', set: { location: { latitude: 1, longitude: -181 } } }],
      { path: [...PATH, 'location', 'longitude'] },
    ],
    [
      'a company with nothing in it',
      [{ name: 'x', set: { company: { companyName: '', vatNumber: null } } }],
      { path: [...PATH, 'company'], message: 'must have at least one part that is not empty.' },
    ],
    [
      'a name twice',
      [
        { name: 'budget', set: { text: '1' } },
        { name: 'budget', set: { clear: true } },
      ],
      { path: ['customFields', '1', 'name'], message: TWICE },
    ],
    ['a blank name', [{ name: ' ', set: { text: '1' } }], { path: ['customFields', '0', 'name'], message: 'must not be blank.' }],
    ['clear: false', [{ name: 'x', set: { clear: false } }], { path: PATH }],
    ['no fields at all', [], { path: ['customFields'], message: 'must have at least 1 entry.' }],
  ])('refuses %s, and sends nothing', async (_case, customFields, issue) => {
    const [{ data }, calls] = await world.calls(() => update(kind, customFields));
    expect(data.result).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT', issues: [issue] });
    expect(calls).toEqual([]);
  });

  it('refuses two values for one field, and sends nothing', async () => {
    const [{ errors }, calls] = await world.calls(() => update(kind, [{ name: 'x', set: { text: 'a', clear: true } }]));
    expect(errors?.[0]?.message).toContain('Exactly one key must be specified');
    expect(calls).toEqual([]);
  });

  it('passes on why the upstream refuses a value', async () => {
    const { data } = await update(kind, [{ name: 'budget', set: { text: '250.00' } }]);
    expect(data.result).toMatchObject({ __typename: 'ValidationError', issues: [{ message: expect.stringContaining('whole cents') }] });
  });

  it('carries a name that JavaScript gives a meaning of its own', async () => {
    await update(kind, [{ name: '__proto__', set: { text: 'kept' } }]);
    expect(Object.entries(lastRequest()?.fields ?? {})).toEqual([['__proto__', 'kept']]);
  });

  it('shows the record as it is now when its idempotency key is repeated, and changes nothing', async () => {
    const more = { idempotencyKey: 'fields-once' };
    await update(kind, [{ name: 'meter_number', set: { text: 'M-2' } }], more);
    const [{ data }, calls] = await world.calls(() => update(kind, [{ name: 'meter_number', set: { text: 'M-2' } }], more));
    expect(data.result).toMatchObject({ effect: 'REPLAYED', record: { rawId: demoId(kind.record) } });
    expect(calls).toEqual(['Customer/GetCustomer']);
  });

  it('says which record does not exist', async () => {
    const { data } = await update(kind, [{ name: 'budget', set: { clear: true } }], { [kind.id]: 'nothing' });
    expect(data.result).toEqual({ __typename: 'NotFoundError', id: 'nothing', code: 'NOT_FOUND' });
  });

  it('names the missing scope, and sends nothing', async () => {
    const input = { [kind.id]: demoId(kind.record), customFields: [{ name: 'budget', set: { clear: true } }] };
    const [{ data }, calls] = await world.calls(() => world.graphAs('demo-reader', document(kind), { input }));
    expect(data.result).toMatchObject({ __typename: 'ForbiddenError', missingScopes: [kind.scope] });
    expect(calls).toEqual([]);
  });
});
