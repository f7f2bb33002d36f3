import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { createContext } from '../context.ts';
import { NO_LEDGER } from '../ledger/ledger.ts';
import type { CostExtensions } from '../schema/kit/costExtensions.ts';
import { decodeGlobalId, getListedType, toGlobalId } from '../schema/kit/globalIds.ts';
import { getMember, getOperation } from '../schema/kit/operations.ts';
import { getEntityByName } from '../schema/kit/registry.ts';
import type { Search } from '../schema/search/searches.ts';
import type { Pacer } from './pacer.ts';
import type { ExportSource } from './run.ts';
import type { IndexSource } from './source.ts';

/** Whether a field needs no call other than the one that reads its record. */
function isOwn(field: GraphQLField<unknown, unknown>): boolean {
  const { calls, reads, sharedCall } = field.extensions as CostExtensions;
  return !calls && !reads && !sharedCall && !getOperation(field) && !field.args.some(isRequiredArgument);
}

/** Selects the fields of a type that its record contains. References are objects with an ID. */
function createSelection(type: GraphQLObjectType, idField: 'id' | 'rawId'): string {
  // Types without raw IDs have global IDs.
  const otherId = idField === 'rawId' && type.getFields().rawId ? 'id' : 'rawId';
  const fields = Object.values(type.getFields()).filter((field) => isOwn(field) && field.name !== otherId);
  const selected = fields.flatMap((field) => {
    const { name } = field;
    const target = getNamedType(field.type);
    if (isLeafType(target)) return [name];
    if (target.name === 'Money') return [`${name} { amount currencyCode }`];
    if (!isObjectType(target) || target.getFields().pageInfo) return [];
    if (!getEntityByName(target.name)) return [`${name} { ${createSelection(target, idField)} }`];
    return getMember(field) === undefined ? [] : [`${name} { ${target.getFields()[idField] ? idField : 'id'} }`];
  });
  return [...new Set(selected)].join(' ');
}

/** Maximum number of objects that one session reads. Chosen: few enough that the pacer keeps to its share. */
const MAX_CHUNK = 10;
/** Fraction of the calls of a window that one session can use. Chosen. */
const CHUNK_SHARE = 0.25;

/** Records of a response, in bytes. Chosen: far more than those of a session have. */
const MAX_RESPONSE_BYTES = 256 * 1024 ** 2;

/** Steps of the path of a looked-up object: `nodes`, and its position. */
const OBJECT_DEPTH = 2;

/** Called with the name of each value that the upstream doesn't return. */
export type OnUnavailable = (name: string) => void;

/** Throws the error of an object that couldn't be read. Errors of its values are only reported, because a retry doesn't help. */
function checkErrors(errors: readonly GraphQLError[], onUnavailable: OnUnavailable, depth: number): void {
  const failed = errors.find(({ path = [] }) => path.length <= depth);
  if (failed) throw failed.originalError ?? failed;
  for (const { path = [] } of errors)
    onUnavailable(
      path
        .slice(depth)
        .filter((step) => typeof step === 'string')
        .join('.'),
    );
}

/** Replaces the global IDs of a record and its references by those of the types that exports list. */
const withExportedIds = (record: object): object =>
  JSON.parse(JSON.stringify(record), (name, value: unknown) => {
    const { typename, id } = (name === 'id' && typeof value === 'string' && decodeGlobalId(value)) || {};
    return typename === undefined || id === undefined ? value : toGlobalId(getListedType(typename), id);
  }) as object;

/** Looks up objects of the graph by ID, with few calls per session. */
export class ObjectReader {
  readonly #pacer: Pacer;
  readonly #schema: GraphQLSchema;
  readonly #typeName: string;
  readonly #document: DocumentNode;
  readonly #recordDepth: number;

  /** `recordDepth` is the length of the paths of records in the response. Failures of shorter paths are retried. */
  constructor(pacer: Pacer, schema: GraphQLSchema, typeName: string, selection: string, recordDepth = OBJECT_DEPTH) {
    this.#pacer = pacer;
    this.#schema = schema;
    this.#typeName = typeName;
    this.#document = parse(`query ($ids: [ID!]!, $after: String) { nodes(ids: $ids) { ... on ${typeName} { ${selection} } } }`);
    this.#recordDepth = recordDepth;
  }

  /** Reads objects by their IDs, in that order, without those that don't exist. The selection can use `$after`. */
  async read(
    rawIds: readonly string[],
    onUnavailable: OnUnavailable,
    variables: { readonly after?: string | null } = {},
  ): Promise<object[]> {
    const found: object[] = [];
    const ids = rawIds.map((id) => (decodeGlobalId(id) ? id : toGlobalId(this.#typeName, id)));
    for (let start = 0; start < ids.length; ) {
      const size = Math.max(1, Math.min(MAX_CHUNK, Math.floor((this.#pacer.callsPerWindow ?? 0) * CHUNK_SHARE)));
      found.push(...(await this.#readChunk({ ids: ids.slice(start, start + size), ...variables }, onUnavailable)));
      start += size;
    }
    return found;
  }

  #readChunk(variableValues: { readonly ids: readonly string[] }, onUnavailable: OnUnavailable): Promise<object[]> {
    const [schema, document] = [this.#schema, this.#document];
    return this.#pacer.call(async (session) => {
      const contextValue = createContext(session, NO_LEDGER, MAX_RESPONSE_BYTES);
      const { data, errors = [] } = await execute({ schema, document, variableValues, contextValue });
      checkErrors(errors, onUnavailable, this.#recordDepth);
      const { nodes } = data as { readonly nodes: readonly (object | null)[] };
      return nodes.filter((node) => node !== null).map(withExportedIds);
    }, variableValues.ids.length);
  }
}

/** Selects the fields of a search's records that the records contain. */
export const selectRecord = ({ target }: Search<object>, schema: GraphQLSchema, hasRawIds: boolean): string =>
  createSelection(schema.getType(target.name) as GraphQLObjectType, hasRawIds ? 'rawId' : 'id');

/** Reads whole records, as the graph returns them, in the order of the index. Takes one call for each. */
export function createRecordSource(
  index: IndexSource,
  pacer: Pacer,
  schema: GraphQLSchema,
  search: Search<object>,
  hasRawIds: boolean,
): ExportSource<object> {
  const reader = new ObjectReader(pacer, schema, search.target.name, selectRecord(search, schema, hasRawIds));
  return {
    open: () => index.open(),
    count: (until) => index.count(until),
    read: async function* (until, place, onUnavailable) {
      for await (const { rows, place: next } of index.read([], until, place)) {
        const ids = rows.map(({ id }) => id);
        yield { rows: await reader.read(ids, onUnavailable), place: next };
      }
    },
  };
}
