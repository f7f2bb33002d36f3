import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import { field as fieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { Limits } from '../../../src/upstream/contract/fields.ts';

const plain = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

/** Drops the rules that protovalidate leaves at nothing. Not for numbers, of which 0 is a bound. */
const compact = (limits: object): Limits =>
  Object.fromEntries(Object.entries(limits).filter(([, each]) => each !== undefined && each !== 0 && each !== ''));

/** The limits of a field, from its protovalidate rules. A rule that the registry has no word for is refused, so that none is lost. */
export function limitsOf(field: DescField): Limits {
  const type = hasOption(field, fieldRules) ? getOption(field, fieldRules).type : undefined;
  if (!type?.case) return {};
  switch (type.case) {
    case 'string': {
      const { minLen, maxLen, maxBytes, pattern, in: words, wellKnown } = type.value;
      if (wellKnown.case && wellKnown.case !== 'uuid') throw new Error(`The registry knows no rule string.${wellKnown.case}.`);
      return compact({
        minLength: plain(minLen),
        maxLength: plain(maxLen),
        maxBytes: plain(maxBytes),
        pattern,
        ...(words.length > 0 && { in: words }),
        ...(wellKnown.case === 'uuid' && { uuid: true }),
      });
    }
    case 'int32':
    case 'int64':
    case 'double': {
      const { lessThan, greaterThan, notIn } = type.value;
      if (lessThan.case === 'lt') throw new Error('The registry knows no rule lt; use lte.');
      return {
        ...(greaterThan.case && { [greaterThan.case]: Number(greaterThan.value) }),
        ...(lessThan.case && { lte: Number(lessThan.value) }),
        ...(notIn[0] !== undefined && { not: Number(notIn[0]) }),
      };
    }
    case 'repeated':
      return compact({ minItems: plain(type.value.minItems), maxItems: plain(type.value.maxItems) });
    case 'map':
      return compact({ minItems: plain(type.value.minPairs), maxItems: plain(type.value.maxPairs) });
    case 'enum':
      return {};
    default:
      throw new Error(`The registry knows no rules for ${type.case}; teach scripts/codegen/registry/limits.ts.`);
  }
}

/** The registry's words for rules, by protovalidate's. */
const WORDS: Readonly<Record<string, keyof Limits>> = {
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

/** The limits that are documented, of those that the field has. */
export function statedLimits({ parent, name }: DescField, limits: Limits, stated: readonly string[]): readonly (keyof Limits)[] {
  return stated.map((rule) => {
    const limit = WORDS[rule];
    if (limit !== undefined && limits[limit] !== undefined) return limit;
    throw new Error(
      `${parent.name}.${name} says that ${rule} is stated, but has no such rule: it has ${Object.keys(limits).join(', ') || 'none'}.`,
    );
  });
}

/** Whether a text that is left out, and so arrives empty, breaks a limit. */
const refusesEmptyText = ({ uuid, minLength = 0, pattern, in: words }: Limits): boolean =>
  uuid === true || minLength > 0 || (pattern !== undefined && !new RegExp(pattern, 'u').test('')) || words?.includes('') === false;

/** Whether a number that is left out, and so arrives as 0, breaks a limit. */
const refusesZero = ({ gt = -1, gte = 0, lte = 0, not }: Limits): boolean => gt >= 0 || gte > 0 || lte < 0 || not === 0;

/** Whether a request without the field is refused: by a rule that says so, or by a limit, since it arrives as the default then. */
export function isRequired(field: DescField, limits: Limits): boolean {
  if (hasOption(field, fieldRules) && getOption(field, fieldRules).required) return true;
  if (field.presence !== Presence.IMPLICIT) return false;
  return (limits.minItems ?? 0) > 0 || refusesEmptyText(limits) || refusesZero(limits);
}
