import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { ExecuteQuery } from '../../../src/upstream/contract/generated/operations.ts';
import { NOWHERE } from '../../sandbox/stock.ts';
import { graph, listFields, listLeaves } from '../../support/contract/graph.ts';
import { NEIGHBOR, Records, type Workspace } from '../../support/contract/records.ts';
import { buildRecordsQuery, createRecordsQueryVariables, findTypedObjects } from '../../support/everyRecord.ts';
import { postQuery, startTestGraph, type TestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const createRecords = (workspace?: Workspace) => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }, workspace);

/** Entities with a name instead of an ID, and an example name of each. */
const EXAMPLE_NAMES: Readonly<Record<string, string>> = { CustomFieldDefinition: 'budget' };

/** Types whose records can be read by key alone, for `it.each`. */
const ENTITIES = listExposedOperations(graph)
  .filter(({ field }) => field === null)
  .map(({ type, operation }) => [type, operation.name] as const);

const readOperation = (type: string) => ENTITIES.find(([entity]) => entity === type)?.[1];

const getRawId = (type: string, records = createRecords()) => EXAMPLE_NAMES[type] ?? records.id(type);

/** IDs of two records that the caller can't see: one that doesn't exist, and one of another workspace. */
const listInvisibleIds = async (type: string) => [
  hasRawId(type) ? NOWHERE : `${NOWHERE}/${NOWHERE}/1`,
  ...(type in EXAMPLE_NAMES ? [] : [await createRecords(NEIGHBOR).id(type)]),
];

/** Whether records of this type have a raw ID. */
const hasRawId = (type: string) => listFields(type).some(({ name }) => name === 'rawId');

describe('record', () => {
  /** A field that isn't part of the key. */
  const findLeafField = (type: string) => listLeaves(type).find((name) => name !== 'id' && name !== 'rawId') ?? '__typename';

  it.each(ENTITIES)('%s resolves by global ID with one call', async (type, operation) => {
    const id = toGlobalId(type, await getRawId(type));
    const read = () =>
      testGraph.execute(`query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${findLeafField(type)} } } }`, { id });
    const [{ data, errors }, calls] = await testGraph.recordCalls(read);
    expect([errors, data.node, calls]).toMatchObject([undefined, { __typename: type, id }, [operation]]);
  });

  it.each(ENTITIES)('%s resolves to null if it is missing or belongs to another workspace', async (type, operation) => {
    for (const rawId of await listInvisibleIds(type)) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
        testGraph.execute(
          `query ($id: ID!, $of: [_Any!]!) {
            node(id: $id) { ... on ${type} { ${findLeafField(type)} } }
            _entities(representations: $of) { ... on ${type} { ${findLeafField(type)} } }
          }`,
          { id: toGlobalId(type, rawId), of: [{ __typename: type, ...(hasRawId(type) ? { rawId } : { id: toGlobalId(type, rawId) }) }] },
        ),
      );
      expect([data, errors, calls]).toEqual([{ node: null, _entities: [null] }, undefined, [operation]]);
    }
  });
});

/** Root fields that return one record, with the path of their ID: the argument `id`, or the member of `by`. */
const LOOKUPS = listFields('Query').flatMap(({ name, type, args }) => {
  const [arg] = args;
  if (!arg || args.length > 1 || !ENTITIES.some(([entity]) => entity === getNamedType(type).name)) return [];
  const named = getNamedType(arg.type);
  if (isInputObjectType(named) ? !('id' in named.getFields()) : named.name !== 'ID') return [];
  const [path, passed] = isInputObjectType(named) ? [[arg.name, 'id'], `${arg.name}: { id: $id }`] : [[arg.name], `${arg.name}: $id`];
  return [[name, getNamedType(type).name, path, `query ($id: ID!) { ${name}(${passed}) { __typename rawId } }`] as const];
});

describe('root field for a record', () => {
  it.each(LOOKUPS)('accepts the global and the raw ID: %s', async (name, type, _path, query) => {
    const rawId = await getRawId(type);
    for (const id of [rawId, toGlobalId(type, rawId)]) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
      expect([data[name], errors, calls]).toEqual([{ __typename: type, rawId }, undefined, [readOperation(type)]]);
    }
  });

  it.each(LOOKUPS)('returns null if the record is missing or belongs to another workspace: %s', async (name, type, _path, query) => {
    for (const id of await listInvisibleIds(type)) {
      const { data, errors } = await testGraph.execute(query, { id });
      expect([data, errors]).toEqual([{ [name]: null }, undefined]);
    }
  });

  it.each(LOOKUPS)('rejects blank, oversized, and mistyped IDs without an upstream call: %s', async (_name, _type, path, query) => {
    for (const id of [' ', toGlobalId('Workspace', NOWHERE), 'x'.repeat(1_001)]) {
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path }] } }]);
      expect(calls).toEqual([]);
    }
  });
});

/** A field with a connection. */
interface List {
  readonly title: string;
  readonly type: string;
  readonly field: string;
  readonly operation: string;
  readonly row: string;
}

const LISTS = listExposedOperations(graph).flatMap(({ type, field, operation }): (readonly [string, List])[] => {
  const definition = listFields(type).find(({ name }) => name === field);
  const connection = definition && getNamedType(definition.type);
  if (!definition || !isObjectType(connection) || !connection.name.endsWith('Connection') || type.endsWith('Payload')) return [];
  // The same field also searches. Other tests check that.
  if (operation !== getOperation(definition)) return [];
  // Requires a time range. `test/graph/work/appointments.test.ts` checks it.
  if (operation.page?.kind === 'WINDOW') return [];
  // Requires other records first. `test/graph/people` checks them.
  if (type === 'Member' || type === 'MemberInvitation' || `${type}.${field}` === 'Team.members') return [];
  // Requires the order's customer, so it takes two calls, and an order version has one row. `test/graph/billing` checks it.
  if (type === 'Order' && operation.name === 'ProForma/ListProFormas') return [];
  // Requires the work order's customer, so it takes two calls. `test/graph/work/appointments.test.ts` checks it.
  if (type === 'WorkOrder' && operation.name === 'Appointment/ListCustomerAppointments') return [];
  const row = getNamedType(connection.getFields().nodes?.type)?.name ?? '';
  const title = `${type}.${definition.name}`;
  return [[title, { title, type, field: definition.name, operation: operation.name, row }]];
});

/** Prefixes of the names of demo records that own lists, if they differ from the type. */
const DEMO_NAMES: Readonly<Record<string, string>> = {
  InventoryLocation: 'location',
  InventoryReceipt: 'receipt',
  WorkOrder: 'work order',
};
const OWNERS = 10;
/** Owners that have names instead of numbers. */
const NAMED_OWNERS: Readonly<Record<string, readonly string[]>> = { Role: ['technician'], Team: ['field service'] };

interface Window {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: object }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

const selectPage = (row: string) =>
  `edges { cursor node { __typename ${listLeaves(row).join(' ')} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** Reads pages of one list for each owner at once. Root lists have one owner, the workspace. */
async function readPages({ type, field, row, operation }: List, owners: readonly string[], window: Window) {
  const declared = '$first: Int, $after: String, $last: Int, $before: String';
  const selection = `${field}(first: $first, after: $after, last: $last, before: $before) { ${selectPage(row)} }`;
  const isRoot = type === 'Query';
  const query = isRoot
    ? `query (${declared}) { ${selection} }`
    : `query (${declared}, $of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { ${selection} } } }`;
  const of = owners.map((rawId) => ({ __typename: type, rawId }));
  const [{ data, errors }, sent] = await testGraph.recordCalls(() => testGraph.execute(query, { ...window, ...(isRoot ? {} : { of }) }));
  // Searches also read the records, because the index lacks some fields. `test/graph/search` checks that.
  const calls = operation === ExecuteQuery.name ? sent.filter((name) => name === operation) : sent;
  const owningRecords: readonly Record<string, Page | null>[] = isRoot ? [data] : (data?._entities ?? []);
  return { pages: owningRecords.map((record) => record?.[field] ?? null), errors, calls };
}

async function readPage(list: List, owner: string, window: Window) {
  const { pages, errors, calls } = await readPages(list, [owner], window);
  const [page] = pages;
  expect(errors).toBeUndefined();
  if (!page) throw new Error(`${list.title} returned no page.`);
  return { page, calls };
}

const ownersByList = new Map<List, Promise<string>>();

/** Owner of the longest list. */
function findCachedOwner(list: List): Promise<string> {
  const owner = ownersByList.get(list) ?? findOwner(list);
  ownersByList.set(list, owner);
  return owner;
}

async function findOwner(list: List): Promise<string> {
  if (list.type === 'Query') return '';
  const name = DEMO_NAMES[list.type] ?? list.type.toLowerCase();
  const names: readonly unknown[] = NAMED_OWNERS[list.type] ?? Array.from({ length: OWNERS }, (_, index) => index);
  const owners = names.map((each) => createRecords().getDemoId(`${name} ${each}`));
  const { pages } = await readPages(list, owners, { first: 100 });
  const lengths = pages.map((page) => page?.edges.length ?? 0);
  return owners[lengths.indexOf(Math.max(...lengths))] ?? '';
}

/** The demo data has no contact with several portfolios, no order with several refunds, and no role with more than two members. */
beforeAll(async () => {
  for (const title of ['One', 'Two', 'Three']) {
    const records = createRecords();
    await records.call('Portfolio/CreatePortfolio', { contactId: records.getDemoId('contact 0'), title });
    await records.call('Payment/CreateRefund', { paymentId: records.getDemoId('payment 1'), amountMinor: '1', requestId: title });
  }
  const records = createRecords();
  const roleIds = [records.getDemoId('role technician')];
  await records.call('Member/ReplaceMemberRoles', { memberId: records.getDemoId('member warehouse'), roleIds });
});

const listNodes = (edges: readonly { readonly node: unknown }[]) => edges.map(({ node }) => node);

describe('list', () => {
  it.each(LISTS)('paginates with one call per page and correct page info: %s', async (_title, list) => {
    const owner = await findCachedOwner(list);
    const { page: fullPage } = await readPage(list, owner, { first: 100 });
    const { length } = fullPage.edges;
    expect(length).toBeGreaterThan(1);
    const first = Math.ceil(length / 4);
    const edges: unknown[] = [];
    for (let after: string | undefined; edges.length < length; ) {
      const { page, calls } = await readPage(list, owner, { first, ...(after && { after }) });
      expect(calls).toEqual([list.operation]);
      expect(page.pageInfo).toEqual({
        hasPreviousPage: edges.length > 0,
        hasNextPage: edges.length + page.edges.length < length || fullPage.pageInfo.hasNextPage,
        startCursor: page.edges.at(0)?.cursor,
        endCursor: page.edges.at(-1)?.cursor,
      });
      edges.push(...page.edges.slice(0, length - edges.length));
      after = page.pageInfo.endCursor;
    }
    expect(edges).toEqual(fullPage.edges);
  });

  it.each(LISTS)('continues from any row, with at most two calls and correct page info: %s', async (_title, list) => {
    const owner = await findCachedOwner(list);
    const { page: fullPage } = await readPage(list, owner, { first: 100 });
    const expectedEdges = fullPage.edges.slice(1, -1);
    const after = fullPage.pageInfo.startCursor;
    const { page, calls } = await readPage(list, owner, { first: expectedEdges.length, after });
    // Only compares the nodes: the cursor of a row also encodes which rows precede it on its page.
    expect(listNodes(page.edges)).toEqual(listNodes(expectedEdges));
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(calls.length).toBeLessThanOrEqual(2);
    expect(new Set(calls)).toEqual(new Set([list.operation]));
  });

  it.each(LISTS)('paginates backward from a row: %s', async (_title, list) => {
    const owner = await findCachedOwner(list);
    const { page: fullPage } = await readPage(list, owner, { first: 100 });
    const [before = ''] = fullPage.edges.slice(-1).map(({ cursor }) => cursor);
    const { page } = await readPage(list, owner, { last: 1, before });
    expect(listNodes(page.edges)).toEqual(listNodes(fullPage.edges.slice(-2, -1)));
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: fullPage.edges.length > 2 });
    const { pages, errors } = await readPages(list, [owner], { last: 1 });
    // The list's end must be reachable with one call.
    if (errors)
      expect([fullPage.pageInfo.hasNextPage, pages[0] ?? null, errors[0]?.extensions.code]).toEqual([true, null, 'BAD_USER_INPUT']);
    else if (fullPage.pageInfo.hasNextPage) expect(pages[0]?.edges).toHaveLength(1);
    else expect(listNodes(pages[0]?.edges ?? [])).toEqual(listNodes(fullPage.edges.slice(-1)));
  });

  it.each(LISTS)('rejects more than 100 rows, negative sizes, and foreign cursors without an upstream call: %s', async (_title, list) => {
    const [, otherList] = LISTS.find(([, { type, operation }]) => type === 'Query' && operation !== list.operation) ?? [];
    if (!otherList) throw new Error('There is no other list.');
    const { page } = await readPage(otherList, '', { first: 1 });
    const rejected = [
      [{ first: 101 }, 'BAD_USER_INPUT'],
      [{ first: -1 }, 'BAD_USER_INPUT'],
      [{ first: 1, after: 'nonsense' }, 'INVALID_CURSOR'],
      [{ first: 1, after: page.pageInfo.endCursor }, 'INVALID_CURSOR'],
    ] as const;
    for (const [window, code] of rejected) {
      const { pages, errors, calls } = await readPages(list, [NOWHERE], window);
      expect([pages[0] ?? null, errors?.[0]?.extensions.code, calls]).toEqual([null, code, []]);
    }
  });

  it.each(LISTS.filter(([, { type }]) => type !== 'Query'))(
    'has no rows if its owner is missing or belongs to another workspace: %s',
    async (_title, list) => {
      const outcomes = [];
      for (const owner of await listInvisibleIds(list.type)) {
        const { pages, errors, calls } = await readPages(list, [owner], { first: 100 });
        const [page] = pages;
        expect(calls).toEqual([list.operation]);
        if (page) expect([page.edges, page.pageInfo.hasNextPage, errors]).toEqual([[], false, undefined]);
        else expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
        outcomes.push(page ? [] : errors?.map(({ message }) => message.replace(owner, '')));
      }
      expect(outcomes[0]).toEqual(outcomes[1]);
    },
  );
});

describe('upstream that omits default values', () => {
  const testGraphs: TestGraph[] = [];
  const results: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const selection = buildRecordsQuery((type) => ['__typename', ...listLeaves(type)].join(' '));
    for (const sendsDefaults of [true, false]) {
      const opened = await startTestGraph({ sendsDefaults });
      testGraphs.push(opened);
      const { data, errors } = await postQuery(opened.app.url, 'demo-owner', selection, createRecordsQueryVariables(opened.sandbox));
      expect(errors).toBeUndefined();
      results.push(data);
    }
  });
  afterAll(async () => {
    for (const opened of testGraphs) await opened.close();
  });

  const types = new Set(buildRecordsQuery((type) => `<${type}>`).match(/(?<=<)\w+(?=>)/g));

  it.each([...types])('returns the same records as one that sends them: %s', (type) => {
    const [complete, otherList] = results.map((result) => [...findTypedObjects(result)].filter(({ __typename }) => __typename === type));
    expect(complete?.length).toBeGreaterThan(0);
    expect(otherList).toEqual(complete);
  });
});
