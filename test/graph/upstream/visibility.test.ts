import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { createClockAhead } from '../../support/clock.ts';
import { spec } from '../../support/spec.ts';
import { type GraphResult, postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const KEYS = ['demo-owner', 'demo-regional', 'demo-subcontractor'] as const;

const RECORDS = Array.from({ length: 12 }, (_, index) => index);
const of = [
  ...RECORDS.map((index) => ({ __typename: 'Product', rawId: demoId(`product ${index}`) })),
  ...RECORDS.map((index) => ({ __typename: 'Contact', rawId: demoId(`contact ${index}`) })),
];

/** Selects lists, records by ID, batches, and related records. All keys can see the first customer, two of the three the second. */
const DOCUMENT = `query ($seen: ID!, $hidden: ID!, $of: [_Any!]!) {
  customers(first: 12) { nodes { rawId title customFields { name definition { label } } payments(first: 3) { nodes { rawId } } } pageInfo { hasNextPage } }
  contacts(first: 40) { nodes { rawId } }
  products(first: 40) { nodes { rawId } }
  customFieldDefinitions { name }
  seen: customer(id: $seen) {
    rawId customField(name: "budget") { value } timelineEvents(first: 5) { nodes { summary } }
    quotes(first: 3) { nodes { lines { product { rawId } } } }
  }
  hidden: customer(id: $hidden) { rawId title orders(first: 3) { nodes { rawId } } }
  _entities(representations: $of) { ... on Product { rawId name } ... on Contact { rawId lastName } }
}`;
const variables = { seen: demoId('customer 0'), hidden: demoId('customer 1'), of };

const normalize = ({ data, errors = [] }: GraphResult) => ({
  data,
  errors: errors.map(({ path, extensions }) => [path?.join('.'), extensions.code, extensions.reason]).toSorted(),
});

/** Executes the document in a new graph without requests of other keys. */
async function executeAlone(key: string) {
  const testGraph = await startTestGraph();
  try {
    return normalize(await postQuery(testGraph.app.url, key, DOCUMENT, variables));
  } finally {
    await testGraph.close();
  }
}

const expected = new Map<string, Awaited<ReturnType<typeof executeAlone>>>();
beforeAll(async () => {
  for (const key of KEYS) expected.set(key, await executeAlone(key));
});

describe.each([
  ['default', {}],
  ['without batching', { LIST_BATCHING: 'off' }],
  ['with a read cache', { READ_CACHE_MS: '60000' }],
])('concurrent members of one workspace (%s)', (_name, env) => {
  const testGraph = useTestGraph({}, undefined, { env });

  it('receive the same results as without others', async () => {
    for (let round = 0; round < 2; round += 1) {
      const keys = Array.from({ length: 12 }, (_, index) => KEYS[(index + round) % KEYS.length] ?? KEYS[0]);
      const results = await Promise.all(
        keys.map(async (key) => ({ key, result: normalize(await testGraph.executeAs(key, DOCUMENT, variables)) })),
      );
      for (const { key, result } of results) expect(result, key).toEqual(expected.get(key));
    }
    const [owner, regional, subcontractor] = KEYS.map((key) => expected.get(key));
    expect(owner?.errors).toEqual([]);
    expect(owner?.data.seen.customField.value).toMatch(/^\d+$/);
    expect(regional?.data.hidden).toBeNull();
    expect(regional?.errors).toContainEqual(['hidden', 'FORBIDDEN', 'PERMISSION_OR_RESOURCE']);
    expect(JSON.stringify(regional?.data)).not.toContain(variables.hidden);
    expect(subcontractor?.data.seen.customField).toBeNull();
    expect(subcontractor?.errors).toContainEqual([expect.stringMatching(/^_entities/), 'FORBIDDEN', 'PERMISSION_OR_RESOURCE']);
  });
});

describe('mutation of a member with restricted visibility', () => {
  const testGraph = useTestGraph();
  const UPDATE = `mutation ($input: CustomerCustomFieldsUpdateInput!) { customerCustomFieldsUpdate(input: $input) { __typename
    ... on ForbiddenError { code reason } ... on CustomerCustomFieldsUpdatePayload { effect customer { customFields { name } } } } }`;
  const update = async (key: string, name: string, idempotencyKey: string) => {
    const customFields = [{ name, value: { text: 'Ring twice.' } }];
    const input = { customerId: demoId('customer 0'), customFields, idempotencyKey };
    const { data, errors } = await testGraph.executeAs(key, UPDATE, { input });
    return errors ? { ...data?.customerCustomFieldsUpdate, errors } : data?.customerCustomFieldsUpdate;
  };

  it('fails for a hidden custom field and succeeds for a visible one', async () => {
    expect(await update('demo-subcontractor', 'meter_number', 'hidden')).toEqual({
      __typename: 'ForbiddenError',
      code: 'FORBIDDEN',
      reason: 'PERMISSION_OR_RESOURCE',
    });
    const updated = await update('demo-subcontractor', 'access_notes', 'seen');
    expect(updated.effect).toBe('DONE');
    expect(updated.customer.customFields.map(({ name }: { name: string }) => name)).not.toContain('meter_number');
  });

  it('returns no record to a retry if the member can’t see the customer anymore', async () => {
    const first = await update('demo-regional', 'access_notes', 'again');
    expect(first).toMatchObject({ effect: 'DONE', customer: { customFields: expect.any(Array) } });
    const member = { teamId: demoId('team north'), memberId: demoId('member regional planner') };
    await post(testGraph.sandbox.url, 'demo-owner', 'Team/RemoveTeamMember', member);
    const [again, calls] = await testGraph.recordCalls(() => update('demo-regional', 'access_notes', 'again'));
    await post(testGraph.sandbox.url, 'demo-owner', 'Team/AddTeamMember', member);
    const errors = [{ path: ['customerCustomFieldsUpdate', 'customer'], extensions: { code: 'FORBIDDEN' } }];
    expect(again).toMatchObject({ effect: 'REPLAYED', customer: null, errors });
    expect(calls).toEqual(['Customer/GetCustomer']);
  });
});

describe('record that a member can’t see', () => {
  const testGraph = useTestGraph();
  const fetchReason = async (key: string) => {
    const { errors } = await testGraph.executeAs(key, 'query ($id: ID!) { customer(id: $id) { title } }', { id: demoId('customer 1') });
    return errors?.[0]?.extensions.reason;
  };

  it('has another reason than a missing scope, but the same as a missing permission', spec('5.33'), async () => {
    expect(await fetchReason(makeKey(testGraph.sandbox.world, { scopes: ['me:read'] }))).toBe('MISSING_SCOPE');
    expect(await fetchReason(makeKey(testGraph.sandbox.world, { permissions: [] }))).toBe('PERMISSION_OR_RESOURCE');
    expect(await fetchReason('demo-regional')).toBe('PERMISSION_OR_RESOURCE');
  });
});

describe('role whose permissions are reduced between two requests', () => {
  const clockLead = { ms: 0 };
  const CACHE_MS = 60_000;
  const testGraph = useTestGraph();
  const caching = useTestGraph({}, undefined, { env: { READ_CACHE_MS: String(CACHE_MS) }, clock: createClockAhead(() => clockLead.ms) });
  const READ = `{ customer(id: "${demoId('customer 0')}") { title payments(first: 1) { nodes { rawId } } } }`;

  const read = async ({ executeAs: execute }: typeof testGraph, key: string) => {
    const { data, errors = [] } = await execute(key, READ);
    expect(data).not.toBeUndefined();
    return errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`);
  };
  const reducePermissions = async ({ sandbox }: typeof testGraph, access: object) => {
    const request = { id: demoId('role sales'), name: 'Sales', access };
    expect((await post(sandbox.url, 'demo-owner', 'Role/UpdateRole', request)).status).toBe(200);
  };
  const BOARDS = { boardAccess: { level: 'PUBLIC_DIRECTORY_PERMISSION_LEVEL_READ_ONLY' } };

  it('affects the second request', async () => {
    expect(await read(testGraph, 'demo-sales')).toEqual([]);
    await reducePermissions(testGraph, BOARDS);
    expect(await read(testGraph, 'demo-sales')).toEqual(['customer.payments FORBIDDEN']);
    await reducePermissions(testGraph, {});
    expect(await read(testGraph, 'demo-sales')).toEqual(['customer FORBIDDEN']);
  });

  it('affects later requests after cached reads have expired', async () => {
    expect(await read(caching, 'demo-sales')).toEqual([]);
    await reducePermissions(caching, BOARDS);
    expect(await read(caching, 'demo-sales')).toEqual([]);
    clockLead.ms = CACHE_MS + 1;
    expect(await read(caching, 'demo-sales')).toEqual(['customer.payments FORBIDDEN']);
  });
});
