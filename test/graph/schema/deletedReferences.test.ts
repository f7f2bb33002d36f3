import { type GraphQLNamedType, type GraphQLObjectType, getNamedType, isCompositeType, isObjectType, isUnionType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { buildRecordsQuery, createRecordsQueryVariables, findTypedObjects } from '../../support/everyRecord.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema } = getGraph();

/** ID of a record that doesn't exist. */
const GONE = 'gone';

/** Members of responses with the ID of a record that fields refer to. */
const REFERENCES = new Set([
  'advancedTaskDefinitionIds',
  'authorId',
  'entityId',
  'integrationId',
  'inviterId',
  'journeyStatusId',
  'memberId',
  'orderLineId',
  'preferredLocationDataFieldId',
  'problemId',
  'problemTemplateId',
  'workOrderId',
  'workOrderTemplateId',
]);

/** Replaces all references by those to records that don't exist, and omits the locations of work orders. */
const removeRecords = (json: string): string =>
  JSON.stringify(
    JSON.parse(json, (name, value) => {
      if (REFERENCES.has(name) && value !== '') return Array.isArray(value) ? value.map(() => GONE) : GONE;
      return name === 'location' ? null : value;
    }),
  );

let hasReferences = true;
const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    return hasReferences || response.status !== 200 ? response : { ...response, body: removeRecords(response.body) };
  }),
});

/** Fields that refer to one record, or to several, and are documented to be null if it doesn't exist. Lookups by an argument aren't references. */
const DELETABLE = Object.values(schema.getTypeMap())
  .filter((type): type is GraphQLObjectType => isObjectType(type) && type !== schema.getQueryType())
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ description }) => /null if [^.]*(no longer|doesn’t exist|was deleted|(has|have) left)/i.test(description ?? ''))
      .map(({ name }) => `${type.name}.${name}`),
  )
  // Its records are those of an analytics query: see `test/graph/analytics/responses.test.ts`.
  .filter((coordinate) => coordinate !== 'AnalyticsRow.record');

/** Selects a field that isn't known without the record. */
function selectLeaf(type: GraphQLNamedType): string {
  if (isUnionType(type))
    return type
      .getTypes()
      .map((each) => `... on ${each.name} { ${each.name}: ${selectLeaf(each)} }`)
      .join(' ');
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const leaf = fields.find(
    ({ name, type: each, args }) => !/^(id|rawId)$/.test(name) && !isCompositeType(getNamedType(each)) && args.length === 0,
  );
  if (!leaf) throw new Error(`${type.name} has no field that needs its record.`);
  return leaf.name;
}

function selectDeletable(type: string): string {
  const object = schema.getType(type);
  const fields = isObjectType(object) ? Object.values(object.getFields()).filter(({ name }) => DELETABLE.includes(`${type}.${name}`)) : [];
  return ['__typename', ...fields.map(({ name, type: target }) => `${name} { ${selectLeaf(getNamedType(target))} }`)].join(' ');
}

/** Values of the fields, by coordinate. Those of lists are their items. */
async function readValues() {
  const variables = createRecordsQueryVariables(testGraph.sandbox);
  const { store } = testGraph.sandbox.world;
  const statusOf = (id: string) =>
    store.get<{ id: string }>('SELECT journey_status_id AS id FROM customers WHERE id = :id', { id })?.id ?? '';
  store.run('UPDATE customers SET journey_status_id = :status WHERE id = :id', {
    status: statusOf(demoId('customer 0')),
    id: demoId('portfolio 0'),
  });
  // Comments have no type of their own in lists.
  const comments = `authors: problem(id: $problem) { comments { author { ${selectDeletable('Actor')} } } }`;
  const query = buildRecordsQuery(selectDeletable).replace(/\}\s*$/, `${comments} }`);
  const { data, errors } = await testGraph.execute(query, variables);
  const values = new Map<string, unknown[]>();
  for (const { __typename, ...fields } of findTypedObjects(data))
    for (const [name, value] of Object.entries(fields)) {
      const coordinate = `${__typename}.${name}`;
      if (DELETABLE.includes(coordinate))
        values.set(coordinate, [...(values.get(coordinate) ?? []), ...(Array.isArray(value) ? value : [value])]);
    }
  return { values, errors };
}

describe('reference that is documented to be null if its record doesn’t exist', () => {
  it('leads to the record if it exists', async () => {
    hasReferences = true;
    const { values, errors } = await readValues();
    expect(errors).toBeUndefined();
    expect(DELETABLE.filter((each) => !values.get(each)?.some((value) => value !== null))).toEqual([]);
  });

  it('resolves to null without an error if the record doesn’t exist', async () => {
    hasReferences = false;
    const { values, errors } = await readValues().finally(() => {
      hasReferences = true;
    });
    expect(errors).toBeUndefined();
    expect(DELETABLE.filter((each) => values.get(each)?.some((value) => value !== null) ?? true)).toEqual([]);
  });
});
