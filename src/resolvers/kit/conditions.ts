import { invalidInput } from '../../failures/failures.ts';
import { requireKnownMember, type WireEnum, type WireEnumValue } from '../../schema/kit/enums.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { BoundField, type UnboundField, unbound } from '../../schema/kit/inputs.ts';
import { MoneyConditionInput, type MoneyConditionValue, toAmountLimits } from '../../schema/kit/money.ts';
import { type RangeLimits, TimeConditionInput, toTimeLimits } from '../../schema/kit/ranges.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';

/** A condition of a list's filter that the graph applies where the upstream can't. */
export interface ListCondition<Entry> {
  /** Its field in the filter input. */
  readonly member: BoundField | UnboundField;
  /** Whether the graph must apply this value, which isn't null, so that the list is read as a whole. */
  readonly isInMemory: (value: unknown) => boolean;
  /** Returns what the rows must match. Undefined if all do. Throws ValidationError for an invalid value. */
  readonly compile: (value: unknown, path: readonly string[]) => RowCondition<Entry> | undefined;
}

/** A condition with its value. */
interface RowCondition<Entry> {
  /** Identifies the value, in JSON. Cursors are bound to it. */
  readonly key: readonly unknown[];
  readonly isMatch: (row: Entry) => boolean;
}

/** A value of a record that has ranges and an order. Values of different currencies aren’t compared. */
export interface Comparable {
  /** Currency of an amount. Empty for a timestamp. */
  readonly currency: string;
  readonly value: bigint;
}

/** Returns a value of a row. Undefined if the row has none, or if it isn’t an integer. */
export type GetComparable<Entry> = (row: Entry) => Comparable | undefined;

const INTEGER = /^-?\d+$/;

const getMember = (row: object, name: string): string => (row as Readonly<Record<string, string | undefined>>)[name] ?? '';

/** Returns a timestamp of a row. 0 stands for none. */
export const getTime =
  (member: string): GetComparable<object> =>
  (row) => {
    const seconds = getMember(row, member);
    return seconds !== '0' && INTEGER.test(seconds) ? { currency: '', value: BigInt(seconds) } : undefined;
  };

/** Returns an amount of a row, in minor units of the row's currency. */
export const getAmount =
  (member: string): GetComparable<object> =>
  (row) => {
    const [currency, minorUnits] = [getMember(row, 'currency'), getMember(row, member)];
    return currency !== '' && INTEGER.test(minorUnits) ? { currency, value: BigInt(minorUnits) } : undefined;
  };

const isSet = (value: unknown) => value !== undefined && value !== null;

/** Creates a range condition, which the upstream never applies. */
function createRange<Entry>(
  member: UnboundField,
  getValue: GetComparable<Entry>,
  toLimits: (value: never, path: readonly string[]) => RangeLimits & { readonly currency: string },
): ListCondition<Entry> {
  return {
    member,
    isInMemory: (value) => Object.values(value as object).some(isSet),
    compile: (value, path) => {
      const { currency, gte, lt } = toLimits(value as never, path);
      if (currency === '' && gte === null && lt === null) return undefined;
      return {
        key: [currency, String(gte), String(lt)],
        isMatch: (row) => {
          const actual = getValue(row);
          return (
            actual !== undefined &&
            actual.currency === currency &&
            (gte === null || actual.value >= gte) &&
            (lt === null || actual.value < lt)
          );
        },
      };
    },
  };
}

/** A time range. */
export const createTimeCondition = <Entry>(description: string, getValue: GetComparable<Entry>): ListCondition<Entry> =>
  createRange(unbound(TimeConditionInput, description), getValue, (value: object, path) => ({
    currency: '',
    ...toTimeLimits(value, path),
  }));

/** A range of amounts of one currency. */
export const createAmountCondition = <Entry>(description: string, getValue: GetComparable<Entry>): ListCondition<Entry> =>
  createRange(unbound(MoneyConditionInput, description), getValue, (value: MoneyConditionValue, path) => ({
    currency: value.currencyCode,
    ...toAmountLimits(value, path),
  }));

function rejectEmpty(values: readonly string[], path: readonly string[]): void {
  if (values.length === 0) throw invalidInput(path, 'TOO_SHORT', 'must not be empty. Omit it to list everything.', 1);
}

/** Any of several records that rows refer to. The upstream never applies it. */
export const createReferenceCondition = <Entry extends object>(
  description: string,
  { name }: Pick<Entity<object>, 'name'>,
  member: keyof Entry & string,
): ListCondition<Entry> => ({
  member: unbound(['ID'], description),
  isInMemory: () => true,
  compile: (value, path) => {
    const given = value as readonly string[];
    rejectEmpty(given, path);
    const ids = new Set(given.map((id, index) => toRawId(name, id, [...path, String(index)])));
    return { key: [...ids].sort(), isMatch: (row) => ids.has(getMember(row, member)) };
  },
});

/** Any of several statuses. An upstream that filters by status applies a single one. */
export function createStatusCondition<Entry extends object>(
  description: string,
  { ref, unspecified, toWire, fromWire }: WireEnum<string, string>,
  { fields: { status: field } }: MessageFields,
): ListCondition<Entry> {
  const toWireStatus = (members: unknown, path: readonly string[]) => {
    const [only, ...others] = new Set(members as readonly string[]);
    return only === undefined || others.length > 0 ? unspecified : toWire(only, [...path, '0']);
  };
  return {
    member: field
      ? new BoundField('status', field, { type: [ref], toWire: toWireStatus, emptyValue: unspecified }, description, false)
      : unbound([ref], description),
    isInMemory: (value) => new Set(value as readonly string[]).size > (field ? 1 : 0),
    compile: (value, path) => {
      const members = value as readonly string[];
      rejectEmpty(members, path);
      const statuses = new Set(members.map((member, index) => requireKnownMember(member, [...path, String(index)])));
      return {
        key: [...statuses].sort(),
        isMatch: (row) => statuses.has(fromWire((row as { readonly status: WireEnumValue }).status) ?? ''),
      };
    },
  };
}
