// What the tests of imports compare: values, and what the graph returns for them.
import { expect } from 'vitest';
import { type ImportFile, readResults, runImport } from '../../graph/import/support.ts';
import { fc, SEED, scaleCases } from '../../support/seeded.ts';
import type { useTestGraph } from '../../support/testGraph.ts';

export const ROWS = scaleCases(10);
/** Each with its number of decimal places. */
export const CURRENCIES: readonly (readonly [code: string, digits: number])[] = [
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['USD', 2],
];
export const TIME_ZONES = ['Europe/Amsterdam', 'America/New_York', 'Asia/Tehran', 'UTC'];

/** A value: what the file has, and what the graph returns. */
export interface Sample {
  readonly cell: string;
  readonly value: unknown;
}

export interface Column {
  readonly header: string;
  /** Reads the value from a record. */
  readonly read: (record: never) => unknown;
  readonly samples: readonly Sample[];
}

export const draw = <Value>(arbitrary: fc.Arbitrary<Value>, seed: number, count = ROWS): readonly Value[] =>
  fc.sample(arbitrary, { numRuns: count, seed: SEED * 1_000 + seed });

/** Unscaled integers of all lengths. */
export const integers = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.nat(12))
  .map(([value, digits]) => value / 10n ** BigInt(digits));

/** A decimal number, without floating-point arithmetic. */
export function toDecimal(unscaled: bigint, digits: number): string {
  const text = String(unscaled < 0n ? -unscaled : unscaled).padStart(digits + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Days of years that two digits can name. */
export const days = fc.integer({ min: Date.UTC(1931, 0, 1) / 86_400_000, max: Date.UTC(2028, 11, 31) / 86_400_000 });

export const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `T ${text} x`);
const trimZeros = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal).replace(/^-0$/, '0');
export const toNumber = (decimal: string | null) => (decimal === null ? null : trimZeros(decimal));

interface Comparison {
  /** Field of `Query` that returns a record by its ID. */
  readonly record: string;
  /** Fields of a record. */
  readonly selection: string;
  readonly columns: readonly Column[];
}

/** Imports a table, and compares it with the records. Returns the number of cells. */
export async function importAndCompare(
  testGraph: ReturnType<typeof useTestGraph>,
  file: ImportFile,
  args: readonly string[],
  { record, selection, columns }: Comparison,
): Promise<number> {
  const { code, err } = await runImport(testGraph.sandbox.url, file, args);
  expect([code, err]).toEqual([0, expect.stringContaining(`${ROWS} DONE`)]);
  const fields = readResults(file).map(({ ids }, row) => `r${row}: ${record}(id: "${ids[record]}") { ${selection} }`);
  const differences: unknown[] = [];
  for (let row = 0; row < ROWS; row += 10) {
    const { data } = await testGraph.execute(`{ ${fields.slice(row, row + 10).join(' ')} }`);
    for (const [name, found] of Object.entries(data as Record<string, never>))
      for (const { header, read, samples } of columns) {
        const { cell, value } = samples[Number(name.slice(1))] as Sample;
        const actual = read(found);
        if (JSON.stringify(actual) !== JSON.stringify(value)) differences.push({ header, cell, value, actual });
      }
  }
  expect(differences).toEqual([]);
  return ROWS * columns.length;
}
