import { beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { clockAhead } from '../../support/clock.ts';
import { spec } from '../../support/spec.ts';
import { type GraphResult, postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const KEYS = ['demo-owner', 'demo-regional', 'demo-subcontractor'] as const;

const RECORDS = Array.from({ length: 12 }, (_, index) => index);
const of = [
  ...RECORDS.map((index) => ({ __typename: 'Product', rawId: demoId(`product ${index}`) })),
  ...RECORDS.map((index) => ({ __typename: 'Contact', rawId: demoId(`contact ${index}`) })),
];

/** Lists, records by id, batches of them that lists cover, and what hangs off records. The one customer is seen by all, the other by two of three. */
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

const told = ({ data, errors = [] }: GraphResult) => ({
  data,
  errors: errors.map(({ path, extensions }) => [path?.join('.'), extensions.code, extensions.reason]).toSorted(),
});

/** Answers of a graph that no other key has asked. */
async function alone(key: string) {
  const testGraph = await startTestGraph();
  try {
    return told(await postQuery(testGraph.app.url, key, DOCUMENT, variables));
  } finally {
    await testGraph.close();
  }
}

const expected = new Map<string, Awaited<ReturnType<typeof alone>>>();
beforeAll(async () => {
  for (const key of KEYS) expected.set(key, await alone(key));
});

describe.each([
  ['usual', {}],
  ['without covers', { LIST_BATCHING: 'off' }],
  ['with answers that are kept', { READ_CACHE_MS: '60000' }],
])('members of one workspace, asked for at once (%s)', (_name, env) => {
  const testGraph = useTestGraph({}, undefined, { env });

  it('are each answered as if they were alone', async () => {
    for (let round = 0; round < 2; round += 1) {
      const asked = Array.from({ length: 12 }, (_, index) => KEYS[(index + round) % KEYS.length] ?? KEYS[0]);
      const answers = await Promise.all(
        asked.map(async (key) => ({ key, answer: told(await testGraph.executeAs(key, DOCUMENT, variables)) })),
      );
      for (const { key, answer } of answers) expect(answer, key).toEqual(expected.get(key));
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

describe('a change by a member who sees a part', () => {
  const testGraph = useTestGraph();
  const UPDATE = `mutation ($input: CustomerCustomFieldsUpdateInput!) { customerCustomFieldsUpdate(input: $input) { __typename
    ... on ForbiddenError { code reason } ... on CustomerCustomFieldsUpdatePayload { effect customer { customFields { name } } } } }`;
  const update = async (key: string, name: string, idempotencyKey: string) => {
    const customFields = [{ name, value: { text: 'Ring twice.' } }];
    const input = { customerId: demoId('customer 0'), customFields, idempotencyKey };
    const { data, errors } = await testGraph.executeAs(key, UPDATE, { input });
    return errors ? { ...data?.customerCustomFieldsUpdate, errors } : data?.customerCustomFieldsUpdate;
  };

  it('is refused for a data field that it does not see, and made for one that it sees', async () => {
    expect(await update('demo-subcontractor', 'meter_number', 'hidden')).toEqual({
      __typename: 'ForbiddenError',
      code: 'FORBIDDEN',
      reason: 'PERMISSION_OR_RESOURCE',
    });
    const made = await update('demo-subcontractor', 'access_notes', 'seen');
    expect(made.effect).toBe('DONE');
    expect(made.customer.customFields.map(({ name }: { name: string }) => name)).not.toContain('meter_number');
  });

  it('shows nothing of its customer to a repeat when the member does not see that one any more', async () => {
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

describe('a record that a member may not see', () => {
  const testGraph = useTestGraph();
  const reasonOf = async (key: string) => {
    const { errors } = await testGraph.executeAs(key, 'query ($id: ID!) { customer(id: $id) { title } }', { id: demoId('customer 1') });
    return errors?.[0]?.extensions.reason;
  };

  it(
    'is told apart from a missing scope, and not from a missing permission, which the upstream tells in words alone',
    spec('5.33'),
    async () => {
      expect(await reasonOf(makeKey(testGraph.sandbox.world, { scopes: ['me:read'] }))).toBe('MISSING_SCOPE');
      expect(await reasonOf(makeKey(testGraph.sandbox.world, { permissions: [] }))).toBe('PERMISSION_OR_RESOURCE');
      expect(await reasonOf('demo-regional')).toBe('PERMISSION_OR_RESOURCE');
    },
  );
});

describe('a role that is lowered between two requests of a key', () => {
  const ahead = { ms: 0 };
  const KEPT_MS = 60_000;
  const testGraph = useTestGraph();
  const keeping = useTestGraph({}, undefined, { env: { READ_CACHE_MS: String(KEPT_MS) }, clock: clockAhead(() => ahead.ms) });
  const READ = `{ customer(id: "${demoId('customer 0')}") { title payments(first: 1) { nodes { rawId } } } }`;

  const read = async ({ executeAs: graphAs }: typeof testGraph, key: string) => {
    const { data, errors = [] } = await graphAs(key, READ);
    expect(data).not.toBeUndefined();
    return errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`);
  };
  const lower = async ({ sandbox }: typeof testGraph, access: object) => {
    const request = { id: demoId('role sales'), name: 'Sales', access };
    expect((await post(sandbox.url, 'demo-owner', 'Role/UpdateRole', request)).status).toBe(200);
  };
  const BOARDS = { boardAccess: { level: 'PUBLIC_DIRECTORY_PERMISSION_LEVEL_READ_ONLY' } };

  it('changes what the second is answered', async () => {
    expect(await read(testGraph, 'demo-sales')).toEqual([]);
    await lower(testGraph, BOARDS);
    expect(await read(testGraph, 'demo-sales')).toEqual(['customer.payments FORBIDDEN']);
    await lower(testGraph, {});
    expect(await read(testGraph, 'demo-sales')).toEqual(['customer FORBIDDEN']);
  });

  it('changes it once answers that are kept have expired', async () => {
    expect(await read(keeping, 'demo-sales')).toEqual([]);
    await lower(keeping, BOARDS);
    expect(await read(keeping, 'demo-sales')).toEqual([]);
    ahead.ms = KEPT_MS + 1;
    expect(await read(keeping, 'demo-sales')).toEqual(['customer.payments FORBIDDEN']);
  });
});
