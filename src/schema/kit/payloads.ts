import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { LedgerEffect } from '../../ledger/ledger.ts';
import { builder } from './builder.ts';
import { getObjectType } from './edges.ts';

export type PayloadEffect = LedgerEffect | 'UNCHANGED';

/** The effect of a mutation request. */
const MutationEffect = builder.enumType('MutationEffect', {
  description: 'What a mutation request did. Values may be added, so handle unknown ones.',
  values: {
    DONE: { description: 'The mutation was applied.' },
    REPLAYED: {
      description:
        'An earlier request with this idempotency key was successful, and this one had no effect. Records are re-read: a missing record is null, and an unreadable one is null with an error. `recordIds` has the ID of each.',
    },
    RECONCILED: {
      description:
        'The response of the Workspace API was lost or can’t be read, but reading the records confirmed that the mutation was applied.',
    },
    UNCHANGED: { description: 'Nothing was changed. Usually, the record already had the requested state.' },
  } satisfies Record<PayloadEffect, object>,
});

/** A record in a payload, with its type's name in the code and the payload field that contains it. */
export type TypedRecord = readonly [type: string, record: object, field: string];

/** Members of every payload. */
export interface PayloadShape {
  readonly effect: PayloadEffect;
  /** Whether the payload describes its records as of now. Otherwise its fields re-read them. */
  readonly isCurrent: boolean;
  /** Records in the payload, as the mutation returned them. */
  readonly records: readonly TypedRecord[];
}

/** Resolves a record's `id` as its type does. Undefined if the type has no `id`. */
const resolveId = ([type, record]: TypedRecord, context: Context, info: GraphQLResolveInfo): unknown =>
  getObjectType(info, type).getFields().id?.resolve?.(record, {}, context, info);

const RecordId = builder.objectRef<{ readonly field: string; readonly value: string }>('RecordId').implement({
  description: 'The ID of a record in a mutation payload.',
  fields: (t) => ({
    field: t.exposeString('field', { nullable: false, description: 'Field of the payload that contains the record, such as `quote`.' }),
    value: t.exposeID('value', { nullable: false, description: '`id` of the record.' }),
  }),
});

export const MutationPayload = builder.interfaceRef<PayloadShape>('MutationPayload').implement({
  description: 'Fields that every mutation payload has.',
  fields: (t) => ({
    effect: t.field({
      type: MutationEffect,
      nullable: false,
      description: 'What this request did.',
      resolve: ({ effect }) => effect,
    }),
    recordIds: t.field({
      type: [RecordId],
      nullable: false,
      description:
        'The ID of each record in the payload, in the order of its fields. Includes records that a replay can’t find or that the key can’t read.',
      resolve: async ({ records }, _args, context, info) => {
        const ids = await Promise.all(records.map((record) => resolveId(record, context, info)));
        return ids.flatMap((value, index) => (typeof value === 'string' ? { field: records[index]?.[2] ?? '', value } : []));
      },
    }),
  }),
});
