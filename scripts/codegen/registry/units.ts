import { type DescField, ScalarType } from '@bufbuild/protobuf';
import type { Unit } from '../../../src/upstream/contract/fields.ts';

/** The units, indexed by their numbers in options.proto. */
const UNITS: readonly (Unit | undefined)[] = [undefined, 'MOMENT', 'MINOR', 'COUNTRY', 'CURRENCY', 'VERSION'];

const { INT32, INT64, STRING } = ScalarType;

/** Naming conventions: a field with such a type and name has the unit. */
const NAMING_CONVENTIONS: readonly (readonly [unit: Unit, types: readonly ScalarType[], name: RegExp])[] = [
  ['MOMENT', [INT64], /_(at|date)$/],
  ['MINOR', [INT32, INT64], /_minor$/],
  ['COUNTRY', [STRING], /^(.+_)?country(_code)?$/],
  ['CURRENCY', [STRING], /^(.+_)?currency$/],
  ['VERSION', [INT64], /^(.+_)?version$/],
];

/** The unit of a scalar field: the declared one, or otherwise that of its naming convention. */
export function getUnit({ scalar, name }: DescField, declared: number | undefined): Unit | undefined {
  if (declared !== undefined) return UNITS[declared];
  return NAMING_CONVENTIONS.find(([, types, habit]) => scalar !== undefined && types.includes(scalar) && habit.test(name))?.[0];
}
