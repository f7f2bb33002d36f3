import { getNamedType, isObjectType } from 'graphql';
import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { graph, listFields, listLeaves } from '../../support/contract/graph.ts';
import { type Area, type Case, post } from './case.ts';

/** Owners of lists that have names instead of numbers, or a number other than that of the longest list. */
const OWNERS: Readonly<Record<string, string>> = {
  InventoryLocation: 'location 0',
  InventoryReceipt: 'receipt 0',
  Role: 'role technician',
  Team: 'team field service',
  WorkOrder: 'work order 0',
  Member: 'member owner',
};
const getOwnerId = (type: string) => demoId(OWNERS[type] ?? `${type.toLowerCase()} 0`);

interface Page {
  readonly edges?: readonly { readonly cursor: string }[];
  readonly pageInfo?: { readonly endCursor?: string | null };
}

/** The page of a response, wherever it is nested. */
function findPage(value: unknown): Page | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('pageInfo' in value) return value as Page;
  return Object.values(value)
    .map(findPage)
    .find((page) => page !== undefined);
}
const parsePage = (body: string | undefined) => findPage(JSON.parse(body ?? '{}'));

/** The pages of a connection: the first, the next, the previous ones, and rejected ones. `order`: its sort order, as an argument. */
function createListCase(type: string, field: string, row: string, order = ''): Case {
  const declared = '$first: Int, $after: String, $last: Int, $before: String';
  const page = (selection: string) =>
    `${field}(${order}first: $first, after: $after, last: $last, before: $before) { ${selection} pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const printDocument = (selection: string) =>
    type === 'Query'
      ? `query (${declared}) { ${page(selection)} }`
      : `query (${declared}, $of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { ${page(selection)} } } }`;
  const leaves = `edges { cursor node { __typename ${listLeaves(row).join(' ')} } }`;
  const cursors = 'edges { cursor }';
  const of = type === 'Query' ? {} : { of: [{ __typename: type, rawId: getOwnerId(type) }] };
  const name = `${type}.${field}${order && ' sorted in memory'}`;
  const step = (title: string, selection: string, window: object | ((cursor: string | undefined) => object)) => ({
    title: `${name} ${title}`,
    request: (bodies: readonly string[]) => {
      const first = parsePage(bodies[0]);
      const variables = typeof window === 'function' ? window(first?.edges?.[1]?.cursor ?? first?.pageInfo?.endCursor ?? 'none') : window;
      return post(printDocument(selection), { ...of, ...variables });
    },
  });
  return {
    title: name,
    steps: [
      step('first page', leaves, { first: 3 }),
      step('after a cursor', cursors, (after) => ({ first: 2, after })),
      step('before a cursor', cursors, (before) => ({ last: 1, before })),
      step('from its end', cursors, { last: 1 }),
    ],
  };
}

const cases = listExposedOperations(graph).flatMap(({ type, field, operation }) => {
  const definition = listFields(type).find(({ name }) => name === field);
  const connection = definition && getNamedType(definition.type);
  if (!definition || !isObjectType(connection) || !connection.name.endsWith('Connection') || type.endsWith('Payload')) return [];
  // Other areas contain the lists that require more than their window, or a record that a key refers to.
  if (operation.page?.kind === 'WINDOW' || type === 'MemberInvitation') return [];
  // Some lists are searched by another operation, so each has a case of its own.
  if (operation !== getOperation(definition) || !definition.args.some(({ name }) => name === 'before')) return [];
  return [createListCase(type, definition.name, getNamedType(connection.getFields().nodes?.type)?.name ?? '')];
});

const sorted = ['Order', 'Quote', 'Invoice'].map((row) =>
  createListCase('Customer', `${row.toLowerCase()}s`, row, 'orderBy: { field: TOTAL_ONCE, direction: ASC }, '),
);

export const lists: Area = { name: 'lists', cases: [...cases, ...sorted] };
