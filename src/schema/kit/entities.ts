import type { InterfaceRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput, UpstreamInvalidError } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import type { Loader } from '../../loaders/loader.ts';
import { loaderForOperation } from '../../loaders/loaderForOperation.ts';
import type { LoaderFactory } from '../../loaders/loaders.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { builder, type Types } from './builder.ts';
import { findById, getObjectType } from './edges.ts';
import { annotateOperation, type FieldAnnotations } from './fieldAnnotations.ts';
import { ID_DESCRIPTION, joinIds, RAW_ID_DESCRIPTION, splitIds, toGlobalId, toRawId, withArticle } from './globalIds.ts';
import { getSelectionNeed } from './lookahead.ts';
import { type KeysOf, toVersion } from './recordMembers.ts';
import { RecordFields } from './records.ts';
import { createObjectOptions, type RecordOptions } from './recordTypes.ts';
import { type Entity, type KnownFields, type RecordState, type Reference, registerEntity, registerType } from './registry.ts';

interface EntityOptions<RecordShape extends object> extends RecordOptions<RecordShape> {
  readonly operation: AnyOperation;
  /** Set if `operation` requires more than the ID to read the record. */
  readonly loader?: LoaderFactory<Loader<RecordShape>>;
  /** Description of the `Query` field that looks the entity up by ID and is named after it. Without it, there is no such field. */
  readonly root?: string | FieldAnnotations;
  /** The member with the record's version. Adds the field `version`. */
  readonly version?: KeysOf<RecordShape, string>;
  readonly state?: RecordState<RecordShape>;
  /**
   * The member with the record's ID. Several members that identify it together are joined in its `id`; then it has no `rawId`, and `loader` must split the
   * joined ID.
   */
  readonly key: (keyof RecordShape & string) | readonly (keyof RecordShape & string)[];
  /** Loaders of other entities that represent the same record. */
  readonly alsoPrimes?: readonly LoaderFactory<Loader<RecordShape>>[];
  /** Interfaces in addition to `Node`. The entity must declare their fields. */
  readonly interfaces?: readonly InterfaceRef<Types, RecordShape>[];
  /** For records that mutations return in part. See `resolvePartial`. */
  readonly knownFields?: KnownFields<RecordShape>;
}

/** Federation keys of an entity. */
const createKeyDirectives = (isComposite: boolean) =>
  (isComposite ? ['id'] : ['id', 'rawId']).map((fields) => ({ name: 'key', args: { fields } }));

/** Reads the raw ID from a federation reference, by whichever key it contains. */
function readReferenceKey(name: string, { id, rawId }: Reference, isComposite: boolean): string {
  const read = (key: string, value: unknown) => {
    if (typeof value === 'string' && value.trim() !== '') return key === 'rawId' ? value : toRawId(name, value, [key]);
    throw invalidInput([key], 'INVALID_FORMAT', `must be the \`${key}\` of ${withArticle(name)}, as a string.`);
  };
  if (isComposite || rawId === undefined || rawId === null) return read('id', id);
  const foundId = read('rawId', rawId);
  if (id !== undefined && id !== null && read('id', id) !== foundId)
    throw invalidInput(['id'], 'NOT_ALLOWED', `must identify the same ${name} as \`rawId\`.`);
  return foundId;
}

/** Defines an entity, with `id`, `rawId`, lookup by `node`, federation keys, and loaders. */
export function defineEntity<RecordShape extends object>(name: string, options: EntityOptions<RecordShape>): Entity<RecordShape> {
  const {
    record,
    operation,
    loader = loaderForOperation<RecordShape>(operation),
    key,
    root,
    version,
    state,
    knownFields = {},
    interfaces = [],
    alsoPrimes = [],
  } = options;
  const ref = builder.objectRef<RecordShape>(name);
  registerType(record, ref);
  const members = typeof key === 'string' ? [key] : key;
  const isComposite = members.length > 1;
  // A version can be part of a composite key. Its missing value is '0'.
  const isMissing = (value: unknown) => !value || (isComposite && value === '0');
  const readMember = (record: RecordShape, member: keyof RecordShape & string) => {
    const value: unknown = record[member];
    if (typeof value === 'string' && !isMissing(value)) return value;
    throw new UpstreamInvalidError(`${withArticle(name)} has no ${member}`);
  };
  const getId = isComposite
    ? (record: RecordShape) => joinIds(members.map((member) => readMember(record, member)))
    : (record: RecordShape) => readMember(record, members[0] as keyof RecordShape & string);
  const createStub = (id: string) => {
    const ids = isComposite ? splitIds(id) : [id];
    return Object.fromEntries(members.map((member, index) => [member, ids[index]])) as RecordShape;
  };
  const load = (id: string, { loaders }: Context) => loaders.get(loader).load(id);
  const primed = [loader, ...alsoPrimes];

  const declared: Entity<RecordShape> = {
    name,
    ref,
    key: members,
    operation,
    knownFields,
    getId,
    createStub,
    load,
    prime: (record, { loaders }) => {
      // A row without an ID must only fail its `id` field, not the list.
      if (members.some((member) => isMissing(record[member]))) return;
      for (const each of primed) loaders.get(each).prime(getId(record), record);
    },
    getVersion: (record) => (version ? toVersion(record[version] as string) : null),
    state,
    resolveReference: async (reference, context, info) => {
      const foundId = readReferenceKey(name, reference, isComposite);
      return getSelectionNeed(info, getObjectType(info, name)) === 'record' ? load(foundId, context) : createStub(foundId);
    },
  };
  registerEntity(declared);

  // Not `builder.node`: it resolves IDs by promises, hundreds of them per page.
  const { extensions, ...typeOptions } = createObjectOptions(options);
  builder.objectType(ref, {
    ...typeOptions,
    interfaces: [builder.nodeInterfaceRef(), ...interfaces],
    extensions: { ...extensions, entity: declared, directives: createKeyDirectives(isComposite) },
  });
  builder.objectFields(ref, (t) => ({
    id: t.id({
      description: ID_DESCRIPTION,
      nullable: false,
      resolve: (record) => toGlobalId(name, getId(record)),
    }),
    ...(!isComposite && { rawId: t.id({ description: RAW_ID_DESCRIPTION, nullable: false, resolve: getId }) }),
    ...(version && { version: new RecordFields(record, t).version(version) }),
  }));
  if (root !== undefined) declareRootField(declared, root);
  return declared;
}

/** Declares the `Query` field that looks the entity up by ID. `findById` requires the scopes, because a selection of edges may read nothing. */
function declareRootField<RecordShape extends object>(target: Entity<RecordShape>, root: string | FieldAnnotations): void {
  const { name, operation } = target;
  builder.queryField(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, (t) =>
    t.field({
      ...(typeof root === 'string' ? annotateOperation(operation, root) : { ...annotateOperation(operation, root.description), ...root }),
      type: target.ref,
      args: { id: t.arg.id({ required: true, description: `Global or raw ID of the ${toWords(name)}.` }) },
      resolve: ((_root: object, { id }: { readonly id: string }, context: Context, info: GraphQLResolveInfo) =>
        findById(target, id, context, info)) as never,
    }),
  );
}
