import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { field as fieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { Limits } from '../../../src/upstream/contract/fields.ts';

const toNumber = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

/** Removes rules with protovalidate's default values. Not for numeric bounds, where 0 is a value. */
const omitEmpty = (limits: object): Limits =>
  Object.fromEntries(Object.entries(limits).filter(([, each]) => each !== undefined && each !== 0 && each !== ''));

/** Reads the limits of a field from its protovalidate rules. Throws for a rule that the registry doesn't support, so that none is lost. */
export function readLimits(field: DescField): Limits {
  const type = hasOption(field, fieldRules) ? getOption(field, fieldRules).type : undefined;
  if (!type?.case) return {};
  switch (type.case) {
    case 'string': {
      const { minLen, maxLen, maxBytes, pattern, in: allowed, wellKnown } = type.value;
      if (wellKnown.case && wellKnown.case !== 'uuid') throw new Error(`The rule string.${wellKnown.case} isn’t supported.`);
      return omitEmpty({
        minLength: toNumber(minLen),
        maxLength: toNumber(maxLen),
        maxBytes: toNumber(maxBytes),
        pattern,
        ...(allowed.length > 0 && { in: allowed }),
        ...(wellKnown.case === 'uuid' && { uuid: true }),
      });
    }
    case 'int32':
    case 'int64':
    case 'double': {
      const { lessThan, greaterThan, notIn } = type.value;
      if (lessThan.case === 'lt') throw new Error('The rule lt isn’t supported. Use lte.');
      return {
        ...(greaterThan.case && { [greaterThan.case]: Number(greaterThan.value) }),
        ...(lessThan.case && { lte: Number(lessThan.value) }),
        ...(notIn[0] !== undefined && { not: Number(notIn[0]) }),
      };
    }
    case 'repeated':
      return omitEmpty({ minItems: toNumber(type.value.minItems), maxItems: toNumber(type.value.maxItems) });
    case 'map':
      return omitEmpty({ minItems: toNumber(type.value.minPairs), maxItems: toNumber(type.value.maxPairs) });
    case 'enum':
      return {};
    default:
      throw new Error(`Rules for ${type.case} aren’t supported. Add them to scripts/codegen/registry/limits.ts.`);
  }
}

/** The registry's names of rules, by protovalidate's names. */
const LIMIT_NAMES: Readonly<Record<string, keyof Limits>> = {
  min_len: 'minLength',
  max_len: 'maxLength',
  max_bytes: 'maxBytes',
  pattern: 'pattern',
  in: 'in',
  uuid: 'uuid',
  gt: 'gt',
  gte: 'gte',
  lte: 'lte',
  not_in: 'not',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_pairs: 'minItems',
  max_pairs: 'maxItems',
};

/** The documented limits of a field. Throws if an option names a limit that the field doesn't have. */
export function listStatedLimits({ parent, name }: DescField, limits: Limits, stated: readonly string[]): readonly (keyof Limits)[] {
  return stated.map((rule) => {
    const limit = LIMIT_NAMES[rule];
    if (limit !== undefined && limits[limit] !== undefined) return limit;
    throw new Error(`${parent.name}.${name} declares ${rule} as stated, but its rules are: ${Object.keys(limits).join(', ') || 'none'}.`);
  });
}

/** Whether a limit rejects the empty string, which is the value of an omitted string. */
const rejectsEmptyString = ({ uuid, minLength = 0, pattern, in: allowed }: Limits): boolean =>
  uuid === true || minLength > 0 || (pattern !== undefined && !new RegExp(pattern, 'u').test('')) || allowed?.includes('') === false;

/** Whether a limit rejects 0, which is the value of an omitted number. */
const rejectsZero = ({ gt = -1, gte = 0, lte = 0, not }: Limits): boolean => gt >= 0 || gte > 0 || lte < 0 || not === 0;

/** Whether a request without the field is rejected: by a `required` rule, or by a limit, because an omitted field has its default value. */
export function isRequired(field: DescField, limits: Limits): boolean {
  if (hasOption(field, fieldRules) && getOption(field, fieldRules).required) return true;
  if (field.presence !== Presence.IMPLICIT) return false;
  return (limits.minItems ?? 0) > 0 || rejectsEmptyString(limits) || rejectsZero(limits);
}
