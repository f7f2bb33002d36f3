import type { InputFieldMap } from '@pothos/core';
import { invalidInput } from '../../failures/failures.ts';
import type { InputFields } from '../../schema/kit/builder.ts';
import { checkLength } from '../../schema/kit/limits.ts';
import type { SizeExtensions } from '../../schema/kit/valueSizes.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';

/** Maximum length of an idempotency key, in characters. Source: the upstream's limit for its own keys. */
const MAX_KEY_LENGTH = 200;

/** Input fields of every mutation that aren't bound to the request. */
export interface Guards {
  readonly idempotencyKey?: string | null;
  readonly expectedVersion?: string | null;
}

/** Whether the mutation requires an idempotency key, because a repeat has another effect, it moves stock or money, sends a message, or can't be undone. */
const requiresKey = ({ effect, moves }: AnyOperation): boolean => moves === true || effect === 'CRITICAL' || effect === 'KEYED';

export function declareGuards(t: InputFields, operation: AnyOperation): InputFieldMap {
  return {
    idempotencyKey: t.string({
      required: requiresKey(operation),
      description: 'Unique key of the intended operation, such as a UUID. Retry with the same key to avoid applying the mutation twice.',
      extensions: { maxLength: MAX_KEY_LENGTH } satisfies SizeExtensions,
    }),
    ...(operation.versionField && {
      expectedVersion: t.field({
        type: 'Version',
        required: true,
        description: 'The `version` of the record that you last read. The mutation fails if the record has changed since.',
      }),
    }),
  };
}

export function checkIdempotencyKey(key: string | null | undefined): void {
  if (key === null || key === undefined) return;
  if (key.trim() === '') throw invalidInput(['idempotencyKey'], 'BLANK', 'must not be blank.');
  checkLength(key, MAX_KEY_LENGTH, ['idempotencyKey']);
}

/** Removes the guards from the input. They're only sent if the operation has fields for them. */
export const omitGuards = <Input extends Guards>({ idempotencyKey, expectedVersion, ...fields }: Input) => fields;
