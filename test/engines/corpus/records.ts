import { type FieldNode, Kind, parse, print } from 'graphql';
import { listExposedOperations } from '../../../scripts/contract/exposure.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { graph, listLeaves } from '../../support/contract/graph.ts';
import { buildRecordsQuery, createRecordsQueryVariables } from '../../support/everyRecord.ts';
import { type Area, type Case, NamedRecords, post } from './case.ts';

/** A query for a record of every type with all its values, one part for each field of Query. */
function listQueryParts(): readonly (readonly [title: string, query: string, variables: readonly string[]])[] {
  const [operation] = parse(buildRecordsQuery((type) => ['__typename', ...listLeaves(type)].join(' '))).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The query has no operation.');
  return operation.selectionSet.selections.map((selection) => {
    const text = print(selection);
    const variables = (operation.variableDefinitions ?? []).filter(({ variable }) => new RegExp(`\\$${variable.name.value}\\b`).test(text));
    const { name, alias } = selection as FieldNode;
    const declared = variables.map((variable) => print(variable)).join(', ');
    return [
      alias?.value ?? name.value,
      `query ${declared && `(${declared})`} { ${text} }`,
      variables.map(({ variable }) => variable.name.value),
    ];
  });
}

const every: Case = {
  title: 'every type',
  steps: async ({ world }) => {
    const ids = createRecordsQueryVariables({ world });
    return listQueryParts().map(([title, query, names]) => ({
      title: `every value below ${title}`,
      request: post(query, Object.fromEntries(names.map((name) => [name, ids[name]]))),
    }));
  },
};

/** Entities that are looked up by name instead of ID. */
const NAMED: Readonly<Record<string, string>> = { CustomFieldDefinition: 'budget' };

const entities = listExposedOperations(graph)
  .filter(({ field }) => field === null)
  .map(({ type }): Case => {
    const leaves = listLeaves(type).join(' ');
    return {
      title: type,
      steps: async (sandbox) => {
        const records = new NamedRecords(sandbox, type);
        const id = toGlobalId(type, NAMED[type] ?? (await records.id(type)));
        const none = toGlobalId(type, 'nothing');
        return [
          {
            title: `${type} by node`,
            request: post(`query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${leaves} } } }`, { id }),
          },
          {
            title: `${type} by nodes and _entities`,
            request: post(
              `query ($ids: [ID!]!, $of: [_Any!]!) {
                nodes(ids: $ids) { __typename id ... on ${type} { a: __typename ${leaves} } }
                _entities(representations: $of) { ... on ${type} { id } }
              }`,
              {
                ids: [id, none, id],
                of: [
                  { __typename: type, id },
                  { __typename: type, id: none },
                ],
              },
            ),
          },
        ];
      },
    };
  });

const range = (name: string, count: number) => Array.from({ length: count }, (_, index) => demoId(`${name} ${index}`));

/** Many records at once: batches and duplicates. */
const BATCHES: Readonly<Record<string, readonly (readonly [type: string, id: string])[]>> = {
  'many customers': range('customer', 30).map((id) => ['Customer', id] as const),
  'many of several types': [
    ...range('customer', 4).map((id) => ['Customer', id] as const),
    ...range('contact', 4).map((id) => ['Contact', id] as const),
    ...range('product', 4).map((id) => ['Product', id] as const),
    ...range('order', 4).map((id) => ['Order', id] as const),
    ...range('quote', 4).map((id) => ['Quote', id] as const),
  ],
  'some twice and some missing': [...range('customer', 3), ...range('customer', 3), 'nothing', 'nothing'].map(
    (id) => ['Customer', id] as const,
  ),
  'many products': range('product', 40).map((id) => ['Product', id] as const),
};
const batches = Object.entries(BATCHES).map(([title, of]): Case => {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    __typename id
    ... on Customer { title contact { lastName } orders(first: 1) { nodes { referenceNumber } } }
    ... on Contact { lastName } ... on Product { name sku discounts(first: 1) { nodes { priceType } } }
    ... on Order { referenceNumber lines { product { name } } customer { title } } ... on Quote { status customer { title } }
  } }`;
  return { title, steps: [{ title, request: post(query, { ids: of.map(([type, id]) => toGlobalId(type, id)) }) }] };
});

export const records: Area = { name: 'records', cases: [every, ...entities, ...batches] };
