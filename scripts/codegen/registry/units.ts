import { type DescField, ScalarType } from '@bufbuild/protobuf';
import type { Unit } from '../../../src/upstream/contract/fields.ts';

/** The units in the order of their numbers in options.proto. */
const UNITS: readonly (Unit | undefined)[] = [undefined, 'MOMENT', 'MINOR', 'COUNTRY', 'CURRENCY', 'VERSION'];

const { INT32, INT64, STRING } = ScalarType;

/** The habits of names: values of such a type whose field is called so are of the unit. */
const HABITS: readonly (readonly [unit: Unit, types: readonly ScalarType[], name: RegExp])[] = [
  ['MOMENT', [INT64], /_(at|date)$/],
  ['MINOR', [INT32, INT64], /_minor$/],
  ['COUNTRY', [STRING], /^(.+_)?country(_code)?$/],
  ['CURRENCY', [STRING], /^(.+_)?currency$/],
  ['VERSION', [INT64], /^(.+_)?version$/],
];

/** The unit of a plain value: the one that the field says, else the one that its name tells. */
export function unitOf({ scalar, name }: DescField, said: number | undefined): Unit | undefined {
  if (said !== undefined) return UNITS[said];
  return HABITS.find(([, types, habit]) => scalar !== undefined && types.includes(scalar) && habit.test(name))?.[0];
}
