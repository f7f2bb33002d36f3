import type { InterfaceRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { invalidInput, UpstreamInvalidError } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import type { Loader } from '../../loaders/loader.ts';
import { loaderOver } from '../../loaders/loaderOver.ts';
import type { LoaderFactory } from '../../loaders/loaders.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { builder, type Types } from './builder.ts';
import { find, typeNamed } from './edges.ts';
import { ID_DESCRIPTION, joinIds, RAW_ID_DESCRIPTION, readJointId, toGlobalId, toRawId, withArticle } from './globalIds.ts';
import { needOf } from './lookahead.ts';
import { describe, type Marks } from './marks.ts';
import { type KeysOf, toVersion } from './recordMembers.ts';
import { RecordFields } from './records.ts';
import { objectOptions, type RecordOptions } from './recordTypes.ts';
import { type Entity, type Reference, register, registerType, type State, type Told } from './registry.ts';

interface EntityOptions<RecordShape extends object> extends RecordOptions<RecordShape> {
  readonly operation: AnyOperation;
  /** Where `operation` does not get the record by its id alone. */
  readonly loader?: LoaderFactory<Loader<RecordShape>>;
  /** The field of Query that reads it by id is named after it: its description. Without one there is no such field. */
  readonly root?: string | Marks;
  /** The member that is its version. It comes with the field `version`. */
  readonly version?: KeysOf<RecordShape, string>;
  readonly state?: State<RecordShape>;
  /**
   * The member of the record that is its id. Several members that identify it together are joined in its `id`: then it has no `rawId`, and a loader of its own
   * takes the joint id apart.
   */
  readonly key: (keyof RecordShape & string) | readonly (keyof RecordShape & string)[];
  /** Loaders of other entities that show the same record. */
  readonly alsoPrimes?: readonly LoaderFactory<Loader<RecordShape>>[];
  /** Further than `Node`: the fields of these are its own to declare. */
  readonly interfaces?: readonly InterfaceRef<Types, RecordShape>[];
  /** For records that mutations answer in part; see `partial`. */
  readonly told?: Told<RecordShape>;
}

/** The keys that supergraphs refer to an entity by. */
const keyDirectives = (isJoint: boolean) => (isJoint ? ['id'] : ['id', 'rawId']).map((fields) => ({ name: 'key', args: { fields } }));

/** The raw id in a reference, by whichever of its keys it has. */
function keyOf(name: string, { id, rawId }: Reference, isJoint: boolean): string {
  const read = (key: string, value: unknown) => {
    if (typeof value === 'string' && value.trim() !== '') return key === 'rawId' ? value : toRawId(name, value, [key]);
    throw invalidInput([key], 'INVALID_FORMAT', `must be the \`${key}\` of ${withArticle(name)}, as a string.`);
  };
  if (isJoint || rawId === undefined || rawId === null) return read('id', id);
  const found = read('rawId', rawId);
  if (id !== undefined && id !== null && read('id', id) !== found)
    throw invalidInput(['id'], 'NOT_ALLOWED', `must identify the same ${name} as \`rawId\`.`);
  return found;
}

/** Declares an entity. It comes with `id`, `rawId`, `node`, both federation keys, and its place in the loaders. */
export function entity<RecordShape extends object>(name: string, options: EntityOptions<RecordShape>): Entity<RecordShape> {
  const {
    record,
    operation,
    loader = loaderOver<RecordShape>(operation),
    key,
    root,
    version,
    state,
    told,
    interfaces = [],
    alsoPrimes = [],
  } = options;
  const ref = builder.objectRef<RecordShape>(name);
  registerType(record, ref);
  const members = typeof key === 'string' ? [key] : key;
  const isJoint = members.length > 1;
  // A version can be a part of a joint key, and a missing one is '0'.
  const isMissing = (value: unknown) => !value || (isJoint && value === '0');
  const memberOf = (record: RecordShape, member: keyof RecordShape & string) => {
    const value: unknown = record[member];
    if (typeof value === 'string' && !isMissing(value)) return value;
    throw new UpstreamInvalidError(`${withArticle(name)} has no ${member}`);
  };
  const idOf = isJoint
    ? (record: RecordShape) => joinIds(members.map((member) => memberOf(record, member)))
    : (record: RecordShape) => memberOf(record, members[0] as keyof RecordShape & string);
  const stub = (id: string) => {
    const ids = isJoint ? readJointId(id) : [id];
    return Object.fromEntries(members.map((member, index) => [member, ids[index]])) as RecordShape;
  };
  const load = (id: string, { loaders }: Context) => loaders.of(loader).load(id);
  const primed = [loader, ...alsoPrimes];

  // Not `builder.node`: its ids are promises, of which a page would make hundreds.
  const { extensions, ...shown } = objectOptions(options);
  builder.objectType(ref, {
    ...shown,
    interfaces: [builder.nodeInterfaceRef(), ...interfaces],
    extensions: { ...extensions, operation, directives: keyDirectives(isJoint), ...(told && { told }) },
  });
  builder.objectFields(ref, (t) => ({
    id: t.id({
      description: ID_DESCRIPTION,
      nullable: false,
      resolve: (record) => toGlobalId(name, idOf(record)),
    }),
    ...(!isJoint && { rawId: t.id({ description: RAW_ID_DESCRIPTION, nullable: false, resolve: idOf }) }),
    ...(version && { version: new RecordFields(record, t).version(version) }),
  }));

  const made: Entity<RecordShape> = {
    name,
    ref,
    key: members,
    operation,
    told: told ?? {},
    idOf,
    stub,
    load,
    prime: (record, { loaders }) => {
      // A row without its id fails where the id is asked for, and not the list.
      if (members.some((member) => isMissing(record[member]))) return;
      for (const each of primed) loaders.of(each).prime(idOf(record), record);
    },
    versionOf: (record) => (version ? toVersion(record[version] as string) : null),
    state,
    resolveReference: async (reference, context, info) => {
      const found = keyOf(name, reference, isJoint);
      return needOf(info, typeNamed(info, name)) === 'record' ? load(found, context) : stub(found);
    },
  };
  register(made);
  if (root !== undefined) declareRoot(made, root);
  return made;
}

/** Declares the field of Query that reads the entity by its id. The scopes are asked for by `find`: of keys alone there may be nothing to read. */
function declareRoot<RecordShape extends object>(target: Entity<RecordShape>, root: string | Marks): void {
  const { name, operation } = target;
  builder.queryField(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, (t) =>
    t.field({
      ...(typeof root === 'string' ? describe(operation, root) : { ...describe(operation, root.description), ...root }),
      type: target.ref,
      args: { id: t.arg.id({ required: true, description: `Global or raw ID of the ${toWords(name)}.` }) },
      resolve: ((_root: object, { id }: { readonly id: string }, context: Context, info: GraphQLResolveInfo) =>
        find(target, id, context, info)) as never,
    }),
  );
}
