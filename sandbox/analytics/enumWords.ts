import type { DescEnum } from '@bufbuild/protobuf';

/** The short word of an enum's number: `MONTH`. Undefined when it has none, and for what stands for an absent one. */
export const shortWord = ({ values }: DescEnum, number: number): string | undefined =>
  number === 0 ? undefined : values.find((value) => value.number === number)?.localName;

/** The word of an enum's number as the contract has it, or the number. */
export const fullWord = ({ values }: DescEnum, number: number): string =>
  values.find((value) => value.number === number)?.name ?? String(number);
