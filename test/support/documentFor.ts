import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Coordinate } from '../../scripts/contract/exposure.ts';
import { toGlobalId } from '../../src/schema/kit/globalIds.ts';
import { getMember } from '../../src/schema/kit/operations.ts';
import { getEntityByName } from '../../src/schema/kit/registry.ts';
import { indexes } from '../../src/upstream/contract/generated/messages.ts';
import { demoId } from '../sandbox/sandbox.ts';
import { EXAMPLES } from './examples.ts';
import { getGraph } from './getGraph.ts';

const { schema: graph } = getGraph();

/** A document that calls one upstream operation, with its variables. */
export interface ReachingDocument {
  readonly title: string;
  readonly query: string;
  readonly variables: Record<string, unknown>;
  /** Whether the document needs no other upstream operation. */
  readonly isDirect: boolean;
}

/** Names of demo records by lowercase type, because names of ID fields differ in case. */
const NAMES = new Map(Object.entries(EXAMPLES).map(([type, [name]]) => [type.toLowerCase(), name]));

/** Types of ID fields whose name is only a part of the type's name. */
const SHORT_NAMES: Readonly<Record<string, string>> = { definition: 'AdvancedTaskDefinition' };

/** The ID of a demo record, by its type or by the name of an ID field. */
const getExampleId = (name: string) => demoId(NAMES.get((SHORT_NAMES[name] ?? name).toLowerCase()) ?? `${name.toLowerCase()} 0`);

/** The raw ID part of a global ID. It has several components if several fields identify the record. */
const getCompositeId = (type: string) =>
  (getEntityByName(type)?.key ?? ['id']).map((_part, index) => (index === 2 ? '1' : getExampleId(type))).join('/');

const SCALARS: Readonly<Record<string, unknown>> = {
  Boolean: true,
  CountryCode: 'NL',
  CurrencyCode: 'EUR',
  Date: '2026-06-01',
  DateTime: '2026-06-01T09:00:00Z',
  Decimal: '1.00',
  Float: 1,
  HexColor: '#112233',
  Int: 1,
  Int64: '1',
  JSON: 'x',
  String: 'x',
  TimeZone: 'Europe/Amsterdam',
  URL: 'https://example.com/',
  Version: '1',
};

/** Values of input fields that are required although their type doesn't require them. */
const REQUIRED_VALUES: Readonly<Record<string, unknown>> = {
  'AppointmentUpdateInput.description': 'x',
  'CustomFieldInput.value': { text: 'x' },
  'TeamUpdateInput.name': 'x',
};

/** A valid value of the type. IDs are those of demo records, if the field's name indicates the type. */
export function createInput(type: GraphQLInputType, name: string, owner: string): unknown {
  if (isNonNullType(type)) return createInput(type.ofType, name, owner);
  if (isListType(type)) return [createInput(type.ofType, name.replace(/s$/, ''), owner)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) {
    if (type.name !== 'ID') return SCALARS[type.name];
    if (name === 'invoiceId') return toGlobalId('Invoice', getCompositeId('Invoice'));
    if (name === 'uploadId') return toGlobalId('CustomerFileUpload', `DOCUMENT/${getExampleId('upload')}`);
    if (name === 'destinationLocationId') return demoId('location 1');
    return getExampleId(name === 'id' ? owner : (/([a-z]+)Id$/i.exec(name)?.[1] ?? 'nothing').replace(/^source/i, ''));
  }
  const fields = Object.values(type.getFields());
  const required = type.isOneOf ? fields.slice(0, 1) : fields.filter((field) => isNonNullType(field.type));
  const more = fields.filter((field) => `${type.name}.${field.name}` in REQUIRED_VALUES);
  return Object.fromEntries([
    ...required.map((field) => [field.name, createInput(field.type, field.name, owner)]),
    ...more.map((field) => [field.name, REQUIRED_VALUES[`${type.name}.${field.name}`]]),
  ]);
}

/** Whether searches resolve a field without reading the record. */
const isIndexed = (type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) =>
  Object.values(indexes).some(({ record, columns }) => record.name === type.extensions.record && (getMember(field) ?? '') in columns);

/** Name of a leaf that requires the record. In searches, it isn't in the index. */
function findLeaf(type: GraphQLObjectType, isInSearch = false): string {
  const leaves = Object.values(type.getFields()).filter(
    ({ name, type: fieldType, args }) =>
      isLeafType(getNamedType(fieldType)) && !args.some(isRequiredArgument) && name !== 'id' && name !== 'rawId',
  );
  return leaves.find((field) => !isInSearch || !isIndexed(type, field))?.name ?? '__typename';
}

/** A selection that includes more than keys, so that the record has to be fetched. */
function selectFields(type: GraphQLOutputType, isInSearch = false): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  if (!isObjectType(named)) {
    const reportsDenials = graph.getPossibleTypes(named).some(({ name }) => name === 'ForbiddenError');
    return reportsDenials ? '{ __typename ... on ForbiddenError { reason requiredScopes missingScopes } }' : '{ __typename }';
  }
  const { nodes } = named.getFields();
  return nodes ? `{ nodes ${selectFields(nodes.type, isInSearch)} }` : `{ __typename ${findLeaf(named, isInSearch)} }`;
}

const listFields = (typeName: string) => {
  const type = graph.getType(typeName);
  return isObjectType(type) ? type.getFields() : {};
};

type Arguments = Readonly<Record<string, unknown>>;

/** The field with its required arguments and `optionalArgs`, as variables. */
function call(field: GraphQLField<unknown, unknown>, optionalArgs: Arguments) {
  const args = field.args.filter((arg) => isRequiredArgument(arg) || arg.name in optionalArgs);
  const owner = getNamedType(field.type).name;
  const values = args.map((arg) => {
    const value = createInput(arg.type, arg.name, owner);
    const more = optionalArgs[arg.name];
    return [arg.name, typeof more === 'object' && !Array.isArray(more) ? { ...(value as object), ...more } : (more ?? value)] as const;
  });
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  return {
    text: `${field.name}${passed && `(${passed})`} ${selectFields(field.type, 'analyzeSearch' in field.extensions)}`,
    declared: args.map(({ name, type }) => `$${name}: ${type}`).join(', '),
    variables: Object.fromEntries(values),
  };
}

/** Selects fields of an entity by its key, which suffices for fields that need nothing else. */
const createEntityQuery = (type: string, inner: string) => `_entities(representations: $of) { ... on ${type} { ${inner} } }`;

/** Wraps a selection of an object without a key in a path from an entity. */
function wrapInPath(type: string, inner: string): { readonly text: string; readonly entity: string | null } {
  const isEntity = getEntityByName(type) !== undefined;
  if (isEntity) return { text: inner, entity: type };
  for (const owner of Object.values(graph.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(owner.getFields())) {
      if (owner.name === 'Mutation' || owner.name.endsWith('Payload')) continue;
      const target = getNamedType(field.type).name;
      if (target !== type && target !== `${type}Connection`) continue;
      const args = field.args
        .filter(isRequiredArgument)
        .map(({ name, type: wanted }) => `${name}: ${JSON.stringify(createInput(wanted, name, type))}`);
      if (args.some((arg) => arg.includes('{'))) continue;
      const wrapped = `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} { ${target === type ? inner : `nodes { ${inner} }`} }`;
      return owner.name === 'Query' ? { text: wrapped, entity: null } : wrapInPath(owner.name, wrapped);
    }
  }
  throw new Error(`Nothing in the graph leads to ${type}.`);
}

const createRepresentations = (type: string) => [{ __typename: type, id: toGlobalId(type, getCompositeId(type)) }];

/** Documents that call an operation through one coordinate, with these optional arguments. */
export function createDocuments({ type, field, operation }: Coordinate, optionalArgs: Arguments = {}): ReachingDocument[] {
  if (field === null) {
    const leaf = findLeaf(graph.getType(type) as GraphQLObjectType);
    return [
      {
        title: `${operation.name} behind node as ${type}`,
        query: `query ($id: ID!) { node(id: $id) { ... on ${type} { ${leaf} } } }`,
        variables: { id: toGlobalId(type, getCompositeId(type)) },
        isDirect: true,
      },
      {
        title: `${operation.name} behind _entities as ${type}`,
        query: `query ($of: [_Any!]!) { ${createEntityQuery(type, leaf)} }`,
        variables: { of: createRepresentations(type) },
        isDirect: true,
      },
    ];
  }
  const definition = listFields(type)[field];
  if (!definition) throw new Error(`There is no ${type}.${field}.`);
  const { text, declared, variables } = call(definition, optionalArgs);
  const title = `${operation.name} at ${type}.${field}`;
  if (type === 'Query' || type === 'Mutation') {
    const query = `${type.toLowerCase()} ${declared && `(${declared})`} { ${text} }`;
    return [{ title, query, variables, isDirect: true }];
  }
  const { text: inner, entity } = wrapInPath(type, text);
  const names = [entity && '$of: [_Any!]!', declared].filter(Boolean).join(', ');
  return [
    {
      title,
      query: `query ${names && `(${names})`} { ${entity ? createEntityQuery(entity, inner) : inner} }`,
      variables: { ...variables, ...(entity && { of: createRepresentations(entity) }) },
      isDirect: entity === type && definition.extensions.isServedByKey === true,
    },
  ];
}
