import type { DescEnum } from '@bufbuild/protobuf';

/** Short name of an enum value, such as `MONTH`. Undefined for unknown and unspecified values. */
export const getShortEnumName = ({ values }: DescEnum, number: number): string | undefined =>
  number === 0 ? undefined : values.find((value) => value.number === number)?.localName;

/** Name of an enum value in the contract, or its number if it's unknown. */
export const getEnumName = ({ values }: DescEnum, number: number): string =>
  values.find((value) => value.number === number)?.name ?? String(number);
