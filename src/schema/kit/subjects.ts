import { brandWithType, type ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { builder, type Types } from './builder.ts';
import { followIfExists } from './edges.ts';
import type { Entity } from './registry.ts';

type AnyEntity = Pick<Entity<object>, 'name'> & { readonly ref: ObjectRef<Types, object> };

const sortByName = (entities: Iterable<AnyEntity>) => [...entities].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ ref }) => ref);

/** Defines a union of entities. Its objects must be branded with `brandRecord`. */
export const defineUnion = (name: string, description: string, entities: () => Iterable<AnyEntity>) =>
  builder.unionType(name, { description, types: () => sortByName(entities()) });

/** Brands a record with its entity's type, for fields that return a union or an interface. */
export function brandRecord<RecordShape extends object>({ name }: Pick<Entity<RecordShape>, 'name'>, record: RecordShape): RecordShape {
  brandWithType(record, name as never);
  return record;
}

/** Like `followIfExists`, for fields that return a union or an interface. */
export async function followSubject<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | null | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> {
  const subject = await followIfExists(target, id, context, info);
  return subject && brandRecord(target, subject);
}

const versioned = new Set<AnyEntity>();
const transitionable = new Set<AnyEntity>();

/**
 * Adds the record type of a mutation to the unions below. `hasState`: its status is known and may block the transition. `canExpectVersion`: the input can specify its
 * version.
 */
export function registerMutationTarget(
  { versionField, transition }: AnyOperation,
  entity: AnyEntity,
  hasState: boolean,
  canExpectVersion: boolean,
): void {
  if (versionField || canExpectVersion) versioned.add(entity);
  if (transition && hasState) transitionable.add(entity);
}

export const VersionedRecord = defineUnion(
  'VersionedRecord',
  'A record whose `version` a mutation can compare with the expected version.',
  () => versioned,
);

export const TransitionSubject = defineUnion(
  'TransitionSubject',
  'A record whose current state determines which mutations are allowed.',
  () => transitionable,
);
