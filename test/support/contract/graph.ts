import { type GraphQLField, getNamedType, isLeafType, isObjectType } from 'graphql';
import { getOperation } from '../../../src/schema/kit/operations.ts';
import { getGraph } from '../getGraph.ts';

export const { schema: graph } = getGraph();

const records = Object.values(graph.getTypeMap())
  .filter(isObjectType)
  .filter((type) => 'rawId' in type.getFields())
  .map(({ name }) => name);

/** Types of IDs whose name doesn't include the type, in all mutations or in one. */
const TYPES_OF_IDS: Readonly<Record<string, string>> = {
  attachmentId: 'CustomerFile',
  definitionId: 'AdvancedTaskDefinition',
  invoiceId: 'Invoice',
  locationId: 'InventoryLocation',
  preferredLocationFieldId: 'WorkOrderLocationField',
  taskId: 'WorkOrderTask',
  templateId: 'WorkOrderTemplate',
  'workOrderCreate locationId': 'WorkOrderLocation',
  'workOrderUpdate locationId': 'WorkOrderLocation',
};

/** The record type of an ID in an input, from its name: `locationId` is the ID of an InventoryLocation. */
export function findIdType(name: string, mutation = ''): string {
  const title = name.replace(/Id$/, '').replace(/^(source|destination)/, '');
  const plain = `${title.charAt(0).toLowerCase()}${title.slice(1)}Id`;
  const known = TYPES_OF_IDS[`${mutation} ${plain}`] ?? TYPES_OF_IDS[plain];
  if (known) return known;
  const word = title.charAt(0).toUpperCase() + title.slice(1);
  const found = records.includes(word) ? [word] : records.filter((record) => record.endsWith(word));
  const [only] = found;
  if (!only || found.length > 1)
    throw new Error(`${name} must name one type of record, but names ${found.join(', ') || 'none'}: give it a line in TYPES_OF_IDS.`);
  return only;
}

/** Scalar and enum fields of a type without arguments and upstream calls. */
export const listLeaves = (type: string): string[] =>
  listFields(type)
    .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0 && !getOperation(field))
    .map(({ name }) => name);

/** The fields of an object type. */
export function listFields(name: string): GraphQLField<unknown, unknown>[] {
  const type = graph.getType(name);
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}
