import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exposedBy } from '../../../scripts/exposure.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getOperation as calledBy } from '../../../src/schema/kit/operations.ts';
import { NOWHERE } from '../../sandbox/stock.ts';
import { fieldsOf, graph, leavesOf } from '../../support/contract/graph.ts';
import { NEIGHBOR, Records, type Workspace } from '../../support/contract/records.ts';
import { buildRecordsQuery, findTypedObjects, recordsQueryVariables } from '../../support/everyRecord.ts';
import { postQuery, startTestGraph, type TestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const recordsOf = (workspace?: Workspace) => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }, workspace);

/** Entities that are read by a name instead of an id, with one that there is. */
const NAMED: Readonly<Record<string, string>> = { CustomFieldDefinition: 'budget' };

/** Types of which a record is read by its key alone, for `it.each`. */
const ENTITIES = exposedBy(graph)
  .filter(({ field }) => field === null)
  .map(({ type, operation }) => [type, operation.name] as const);

const operationOf = (type: string) => ENTITIES.find(([entity]) => entity === type)?.[1];

const idOf = (type: string, records = recordsOf()) => NAMED[type] ?? records.id(type);

/** Two ids that name no record of the caller's: one that nothing has, and that of another workspace's record. */
const idsOfNone = async (type: string) => [
  hasRawId(type) ? NOWHERE : `${NOWHERE}/${NOWHERE}/1`,
  ...(type in NAMED ? [] : [await recordsOf(NEIGHBOR).id(type)]),
];

/** Whether one id of the upstream names the record. */
const hasRawId = (type: string) => fieldsOf(type).some(({ name }) => name === 'rawId');

describe('a record', () => {
  /** A member that the key alone does not tell. */
  const leafOf = (type: string) => leavesOf(type).find((name) => name !== 'id' && name !== 'rawId') ?? '__typename';

  it.each(ENTITIES)('of type %s is read by its global id, in one call', async (type, operation) => {
    const id = toGlobalId(type, await idOf(type));
    const read = () => testGraph.execute(`query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${leafOf(type)} } } }`, { id });
    const [{ data, errors }, calls] = await testGraph.recordCalls(read);
    expect([errors, data.node, calls]).toMatchObject([undefined, { __typename: type, id }, [operation]]);
  });

  it.each(ENTITIES)('of type %s is null where there is none, or it is another workspace’s', async (type, operation) => {
    for (const rawId of await idsOfNone(type)) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
        testGraph.execute(
          `query ($id: ID!, $of: [_Any!]!) {
            node(id: $id) { ... on ${type} { ${leafOf(type)} } }
            _entities(representations: $of) { ... on ${type} { ${leafOf(type)} } }
          }`,
          { id: toGlobalId(type, rawId), of: [{ __typename: type, ...(hasRawId(type) ? { rawId } : { id: toGlobalId(type, rawId) }) }] },
        ),
      );
      expect([data, errors, calls]).toEqual([{ node: null, _entities: [null] }, undefined, [operation]]);
    }
  });
});

/** Root fields that read one record, with the argument that names it: `id`, or the member of `by` that takes one. */
const LOOKUPS = fieldsOf('Query').flatMap(({ name, type, args }) => {
  const [arg] = args;
  if (!arg || args.length > 1 || !ENTITIES.some(([entity]) => entity === getNamedType(type).name)) return [];
  const named = getNamedType(arg.type);
  if (isInputObjectType(named) ? !('id' in named.getFields()) : named.name !== 'ID') return [];
  const [path, passed] = isInputObjectType(named) ? [[arg.name, 'id'], `${arg.name}: { id: $id }`] : [[arg.name], `${arg.name}: $id`];
  return [[name, getNamedType(type).name, path, `query ($id: ID!) { ${name}(${passed}) { __typename rawId } }`] as const];
});

describe('a root field by id', () => {
  it.each(LOOKUPS)('finds by the global and by the raw id: %s', async (name, type, _path, query) => {
    const rawId = await idOf(type);
    for (const id of [rawId, toGlobalId(type, rawId)]) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
      expect([data[name], errors, calls]).toEqual([{ __typename: type, rawId }, undefined, [operationOf(type)]]);
    }
  });

  it.each(LOOKUPS)('answers null where there is none, or it is another workspace’s: %s', async (name, type, _path, query) => {
    for (const id of await idsOfNone(type)) {
      const { data, errors } = await testGraph.execute(query, { id });
      expect([data, errors]).toEqual([{ [name]: null }, undefined]);
    }
  });

  it.each(LOOKUPS)('refuses a blank id and that of another type before it asks: %s', async (_name, _type, path, query) => {
    for (const id of [' ', toGlobalId('Workspace', NOWHERE), 'x'.repeat(1_001)]) {
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id }));
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path }] } }]);
      expect(calls).toEqual([]);
    }
  });
});

/** A field that answers a list by page. */
interface List {
  readonly title: string;
  readonly type: string;
  readonly field: string;
  readonly operation: string;
  readonly row: string;
}

const LISTS = exposedBy(graph).flatMap(({ type, field, operation }): (readonly [string, List])[] => {
  const definition = fieldsOf(type).find(({ name }) => name === field);
  const connection = definition && getNamedType(definition.type);
  if (!definition || !isObjectType(connection) || !connection.name.endsWith('Connection') || type.endsWith('Payload')) return [];
  // The same field searches when it is given a text: another test's concern.
  if (operation !== calledBy(definition)) return [];
  // A list by time needs to be told which. `test/graph/work/appointments.test.ts` reads it.
  if (operation.page?.kind === 'WINDOW') return [];
  // Read after the record that names them. `test/graph/people` reads them.
  if (type === 'Member' || type === 'MemberInvitation' || `${type}.${field}` === 'Team.members') return [];
  // Read after its order, whose customer it needs; a version of the order has one row. `test/billing` reads it.
  if (type === 'Order' && operation.name === 'ProForma/ListProFormas') return [];
  // Read after its work order, whose customer it needs. `test/graph/work/appointments.test.ts` reads it.
  if (type === 'WorkOrder' && operation.name === 'Appointment/ListCustomerAppointments') return [];
  const row = getNamedType(connection.getFields().nodes?.type)?.name ?? '';
  const title = `${type}.${definition.name}`;
  return [[title, { title, type, field: definition.name, operation: operation.name, row }]];
});

/** The owners of lists among the demo records, by the name of each kind. */
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

const PAGE = (row: string) =>
  `edges { cursor node { __typename ${leavesOf(row).join(' ')} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** Reads pages of one list, of each owner at once; at the root there is one. */
async function pagesOf({ type, field, row }: List, owners: readonly string[], window: Window) {
  const declared = '$first: Int, $after: String, $last: Int, $before: String';
  const asked = `${field}(first: $first, after: $after, last: $last, before: $before) { ${PAGE(row)} }`;
  const isRoot = type === 'Query';
  const query = isRoot
    ? `query (${declared}) { ${asked} }`
    : `query (${declared}, $of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { ${asked} } } }`;
  const of = owners.map((rawId) => ({ __typename: type, rawId }));
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ...window, ...(isRoot ? {} : { of }) }));
  const holders: readonly Record<string, Page | null>[] = isRoot ? [data] : (data?._entities ?? []);
  return { pages: holders.map((holder) => holder?.[field] ?? null), errors, calls };
}

async function pageOf(list: List, owner: string, window: Window) {
  const { pages, errors, calls } = await pagesOf(list, [owner], window);
  const [page] = pages;
  expect(errors).toBeUndefined();
  if (!page) throw new Error(`${list.title} answers no page.`);
  return { page, calls };
}

const found = new Map<List, Promise<string>>();

/** The owner of the longest list. */
function longest(list: List): Promise<string> {
  const owner = found.get(list) ?? findLongest(list);
  found.set(list, owner);
  return owner;
}

async function findLongest(list: List): Promise<string> {
  if (list.type === 'Query') return '';
  const name = DEMO_NAMES[list.type] ?? list.type.toLowerCase();
  const names: readonly unknown[] = NAMED_OWNERS[list.type] ?? Array.from({ length: OWNERS }, (_, index) => index);
  const owners = names.map((each) => recordsOf().demo(`${name} ${each}`));
  const { pages } = await pagesOf(list, owners, { first: 100 });
  const lengths = pages.map((page) => page?.edges.length ?? 0);
  return owners[lengths.indexOf(Math.max(...lengths))] ?? '';
}

/** The demo has no contact with several portfolios, no order with several refunds, and no role with more than two members. */
beforeAll(async () => {
  for (const title of ['One', 'Two', 'Three']) {
    const records = recordsOf();
    await records.call('Portfolio/CreatePortfolio', { contactId: records.demo('contact 0'), title });
    await records.call('Payment/CreateRefund', { paymentId: records.demo('payment 1'), amountMinor: '1', requestId: title });
  }
  const records = recordsOf();
  const roleIds = [records.demo('role technician')];
  await records.call('Member/ReplaceMemberRoles', { memberId: records.demo('member warehouse'), roleIds });
});

const nodesOf = (edges: readonly { readonly node: unknown }[]) => edges.map(({ node }) => node);

describe('a list', () => {
  it.each(LISTS)('is read page by page, each in one call, with true marks: %s', async (_title, list) => {
    const owner = await longest(list);
    const { page: whole } = await pageOf(list, owner, { first: 100 });
    const { length } = whole.edges;
    expect(length).toBeGreaterThan(1);
    const first = Math.ceil(length / 4);
    const read: unknown[] = [];
    for (let after: string | undefined; read.length < length; ) {
      const { page, calls } = await pageOf(list, owner, { first, ...(after && { after }) });
      expect(calls).toEqual([list.operation]);
      expect(page.pageInfo).toEqual({
        hasPreviousPage: read.length > 0,
        hasNextPage: read.length + page.edges.length < length || whole.pageInfo.hasNextPage,
        startCursor: page.edges.at(0)?.cursor,
        endCursor: page.edges.at(-1)?.cursor,
      });
      read.push(...page.edges.slice(0, length - read.length));
      after = page.pageInfo.endCursor;
    }
    expect(read).toEqual(whole.edges);
  });

  it.each(LISTS)('is read from any row, in two calls at most, with true marks: %s', async (_title, list) => {
    const owner = await longest(list);
    const { page: whole } = await pageOf(list, owner, { first: 100 });
    const wanted = whole.edges.slice(1, -1);
    const after = whole.pageInfo.startCursor;
    const { page, calls } = await pageOf(list, owner, { first: wanted.length, after });
    // The cursor of a row also says which rows are before it on the page.
    expect(nodesOf(page.edges)).toEqual(nodesOf(wanted));
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    expect(calls.length).toBeLessThanOrEqual(2);
    expect(new Set(calls)).toEqual(new Set([list.operation]));
  });

  it.each(LISTS)('is read backwards from a row: %s', async (_title, list) => {
    const owner = await longest(list);
    const { page: whole } = await pageOf(list, owner, { first: 100 });
    const [before = ''] = whole.edges.slice(-1).map(({ cursor }) => cursor);
    const { page } = await pageOf(list, owner, { last: 1, before });
    expect(nodesOf(page.edges)).toEqual(nodesOf(whole.edges.slice(-2, -1)));
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: whole.edges.length > 2 });
    const { pages, errors } = await pagesOf(list, [owner], { last: 1 });
    // One call must reach the end.
    if (errors) expect([whole.pageInfo.hasNextPage, pages[0] ?? null, errors[0]?.extensions.code]).toEqual([true, null, 'BAD_USER_INPUT']);
    else if (whole.pageInfo.hasNextPage) expect(pages[0]?.edges).toHaveLength(1);
    else expect(nodesOf(pages[0]?.edges ?? [])).toEqual(nodesOf(whole.edges.slice(-1)));
  });

  it.each(LISTS)('takes at most 100 rows, and no cursor but its own, and sends nothing else: %s', async (_title, list) => {
    const [, other] = LISTS.find(([, { type, operation }]) => type === 'Query' && operation !== list.operation) ?? [];
    if (!other) throw new Error('There is no other list.');
    const { page } = await pageOf(other, '', { first: 1 });
    const refused = [
      [{ first: 101 }, 'BAD_USER_INPUT'],
      [{ first: -1 }, 'BAD_USER_INPUT'],
      [{ first: 1, after: 'nonsense' }, 'INVALID_CURSOR'],
      [{ first: 1, after: page.pageInfo.endCursor }, 'INVALID_CURSOR'],
    ] as const;
    for (const [window, code] of refused) {
      const { pages, errors, calls } = await pagesOf(list, [NOWHERE], window);
      expect([pages[0] ?? null, errors?.[0]?.extensions.code, calls]).toEqual([null, code, []]);
    }
  });

  it.each(LISTS.filter(([, { type }]) => type !== 'Query'))(
    'of no record, or of another workspace’s, has no rows: %s',
    async (_title, list) => {
      const told = [];
      for (const owner of await idsOfNone(list.type)) {
        const { pages, errors, calls } = await pagesOf(list, [owner], { first: 100 });
        const [page] = pages;
        expect(calls).toEqual([list.operation]);
        if (page) expect([page.edges, page.pageInfo.hasNextPage, errors]).toEqual([[], false, undefined]);
        else expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
        told.push(page ? [] : errors?.map(({ message }) => message.replace(owner, '')));
      }
      expect(told[0]).toEqual(told[1]);
    },
  );
});

describe('an upstream that leaves out what holds its default', () => {
  const worlds: TestGraph[] = [];
  const answers: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const asked = buildRecordsQuery((type) => ['__typename', ...leavesOf(type)].join(' '));
    for (const sendsDefaults of [true, false]) {
      const opened = await startTestGraph({ sendsDefaults });
      worlds.push(opened);
      const { data, errors } = await postQuery(opened.app.url, 'demo-owner', asked, recordsQueryVariables(opened.sandbox));
      expect(errors).toBeUndefined();
      answers.push(data);
    }
  });
  afterAll(async () => {
    for (const opened of worlds) await opened.close();
  });

  const shown = new Set(buildRecordsQuery((type) => `<${type}>`).match(/(?<=<)\w+(?=>)/g));

  it.each([...shown])('is read like one that sends it: %s', (type) => {
    const [one, other] = answers.map((answer) => [...findTypedObjects(answer)].filter(({ __typename }) => __typename === type));
    expect(one?.length).toBeGreaterThan(0);
    expect(other).toEqual(one);
  });
});
