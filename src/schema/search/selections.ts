import { type FieldNode, type GraphQLObjectType, getNamedType, type SelectionSetNode } from 'graphql';
import type { IndexColumns } from '../../upstream/contract/fields.ts';
import type { SearchSelection } from '../kit/costExtensions.ts';
import { collectFields, type DocumentScope, KEY_FIELDS, type KeyServedExtensions } from '../kit/lookahead.ts';
import { getMember } from '../kit/operations.ts';

const COUNTS: ReadonlySet<string> = new Set(['totalCount', 'facets']);

const getFieldType = (type: GraphQLObjectType, name: string) => getNamedType(type.getFields()[name]?.type) as GraphQLObjectType;

/** Determines what the selection of a search's connection needs. */
export function analyzeSelection(
  nodes: readonly FieldNode[],
  connection: GraphQLObjectType,
  columns: IndexColumns,
  scope: DocumentScope,
): SearchSelection {
  const collect = (sets: readonly (SelectionSetNode | undefined)[], type: GraphQLObjectType) =>
    sets.flatMap((set) => (set ? [...collectFields(set, type, scope)] : []));
  const setsOf = (fields: readonly FieldNode[], name: string) =>
    fields.filter((field) => field.name.value === name).map(({ selectionSet }) => selectionSet);
  const fields = collect(
    nodes.map(({ selectionSet }) => selectionSet),
    connection,
  );
  const record = getFieldType(connection, 'nodes');
  const edges = collect(setsOf(fields, 'edges'), getFieldType(connection, 'edges'));
  const selected = collect([...setsOf(fields, 'nodes'), ...setsOf(edges, 'node')], record);
  const values = selected.filter(({ name: { value: name } }) => {
    const { isServedByKey } = (record.getFields()[name]?.extensions ?? {}) as KeyServedExtensions;
    return !KEY_FIELDS.has(name) && !isServedByKey;
  });
  const isInIndex = ({ name }: FieldNode) => {
    const field = record.getFields()[name.value];
    return field !== undefined && Object.hasOwn(columns, getMember(field) ?? '');
  };
  return {
    hasPage: fields.some(({ name: { value: name } }) => !COUNTS.has(name) && name !== '__typename'),
    hasCounts: fields.some(({ name }) => COUNTS.has(name.value)),
    hasValues: values.length > 0,
    isCovered: values.every(isInIndex),
  };
}
