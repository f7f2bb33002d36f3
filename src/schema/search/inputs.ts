import type { InputRef } from '@pothos/core';
import type { Instant } from '../../lib/instant.ts';
import { builder } from '../kit/builder.ts';
import type { SizeExtensions } from '../kit/valueSizes.ts';

/** Maximum number of values in a list. Chosen: see the maximum size of filters. */
export const MAX_VALUES = 100;

/** A condition on a text: exactly one member is set. */
export interface TextCondition {
  readonly eq?: string | null | undefined;
  readonly contains?: string | null | undefined;
  readonly anyOf?: readonly string[] | null | undefined;
}

// Pothos infers a union with one type for each member.
export const TextConditionInput = builder.inputType('TextConditionInput', {
  description: 'A condition on a text. Specify exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    eq: t.string({ description: 'Equal to this text.' }),
    contains: t.string({ description: 'Contains this text.' }),
    anyOf: t.stringList({
      description: `Equal to any of these texts. Up to ${MAX_VALUES} items.`,
      extensions: { maxItems: MAX_VALUES } satisfies SizeExtensions,
    }),
  }),
}) as InputRef<TextCondition>;

/** A condition on a timestamp. Only columns that can be empty have `isNull`. */
export interface TimeCondition {
  readonly gte?: Instant | null | undefined;
  readonly lt?: Instant | null | undefined;
  readonly isNull?: boolean | null | undefined;
}

export const NullableTimeConditionInput = builder.inputRef<TimeCondition>('NullableTimeConditionInput').implement({
  description: 'A condition on a timestamp that can be absent. Conditions are combined with AND.',
  fields: (t) => ({
    gte: t.field({ type: 'DateTime', description: 'Start of the range, inclusive.' }),
    lt: t.field({ type: 'DateTime', description: 'End of the range, exclusive. Must be after `gte`.' }),
    isNull: t.boolean({ description: 'Whether the timestamp is absent.' }),
  }),
});
