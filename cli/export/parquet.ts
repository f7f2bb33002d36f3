import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { getCurrencyDigits } from '../../src/lib/currencies.ts';
import { StartError } from '../../src/lib/startup.ts';
import { CURRENCY, type ExportRow, type Value } from './columns.ts';
import type { CreateWriter, FormatOptions, FormatWriter } from './formatWriter.ts';
import type { FormatState, PartFile } from './partFile.ts';
import type { ExportColumn } from './roots.ts';

type Library = typeof import('hyparquet-writer');
type SchemaElement = ParquetWriter['schema'][number];
type Primitive = string | boolean | bigint | number | null;

/**
 * Number of row groups, and of their rows, which are in memory until they're written. Chosen: the checkpoint lists the groups, and grows by about 10 kB for each.
 */
const GROUPS = 50;
const MIN_GROUP_ROWS = 5_000;
const MAX_GROUP_ROWS = 50_000;

/** Imports the optional peer dependency. */
async function loadLibrary(): Promise<Library> {
  try {
    return await import('hyparquet-writer');
  } catch (error) {
    throw new StartError(
      '--format parquet requires the package hyparquet-writer, which can’t be loaded. Install it (npm install hyparquet-writer@0.17.0), or choose another format.',
      { cause: error },
    );
  }
}

/** A column of the file. */
interface ParquetColumn {
  readonly name: string;
  readonly element: Omit<SchemaElement, 'name' | 'repetition_type'>;
  /** Position of its value in a row. */
  readonly index: number;
  readonly convert: (value: Value) => Primitive;
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const TIMESTAMP = { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } } as const;

const toMicros = (value: Value) => (typeof value === 'string' ? BigInt(Date.parse(value)) * 1_000n : null);
/** Amounts have all decimal places of their currency. */
const toMinorUnits = (value: Value) => (typeof value === 'object' && value !== null ? BigInt(value.amount.replace('.', '')) : null);
const toPrimitive = (value: Value) => (typeof value === 'object' ? null : value);

/** Number of decimal places of the currency, because an amount in minor units has no scale of its own. */
const createDigitsColumn = (index: number): ParquetColumn => ({
  name: 'currencyDigits',
  element: { type: 'INT32' },
  index,
  convert: (value) => (typeof value === 'string' ? getCurrencyDigits(value) : null),
});

function toParquetColumns({ name, kind }: ExportColumn, index: number): readonly ParquetColumn[] {
  if (kind === 'MONEY') return [{ name: `${name}MinorUnits`, element: { type: 'INT64' }, index, convert: toMinorUnits }];
  if (kind === 'TIMESTAMP') return [{ name, element: TIMESTAMP, index, convert: toMicros }];
  if (kind === 'BOOLEAN') return [{ name, element: { type: 'BOOLEAN' }, index, convert: toPrimitive }];
  const column: ParquetColumn = { name, element: TEXT, index, convert: toPrimitive };
  return name === CURRENCY ? [column, createDigitsColumn(index)] : [column];
}

/** State of a file: the row groups that its footer lists. */
interface ParquetState extends FormatState {
  readonly groups: ParquetWriter['row_groups'];
  readonly rows: bigint;
}

class ParquetFile implements FormatWriter<ExportRow> {
  readonly rowsPerSave: number;
  readonly #file: PartFile;
  readonly #bytes: ByteWriter;
  readonly #parquet: ParquetWriter;
  readonly #columns: readonly ParquetColumn[];
  /** Values that aren't written yet, by column: the library writes columns, and arrays of rows would need more memory. */
  #values: Primitive[][];

  constructor(
    { ByteWriter: Bytes, ParquetWriter: Parquet }: Library,
    columns: readonly ExportColumn[],
    { file, expected, state: saved }: FormatOptions,
  ) {
    const state = saved as ParquetState | undefined;
    this.#file = file;
    this.rowsPerSave = Math.min(MAX_GROUP_ROWS, Math.max(MIN_GROUP_ROWS, Math.ceil(expected / GROUPS)));
    this.#columns = columns.flatMap(toParquetColumns);
    this.#values = this.#columns.map(() => []);
    this.#bytes = new Bytes();
    const elements = this.#columns.map(({ name, element }): SchemaElement => ({ ...element, name, repetition_type: 'OPTIONAL' }));
    this.#parquet = new Parquet({ writer: this.#bytes, schema: [{ name: 'root', num_children: elements.length }, ...elements] });
    if (!state) return;
    // The constructor has written the header, which the file already has.
    this.#bytes.index = 0;
    this.#bytes.offset = file.size;
    this.#parquet.row_groups = state.groups;
    this.#parquet.num_rows = state.rows;
  }

  write(rows: readonly ExportRow[]): void {
    for (const [position, { index, convert }] of this.#columns.entries()) {
      const values = this.#values[position] as Primitive[];
      for (const row of rows) values.push(convert(row[index] ?? null));
    }
  }

  save(): ParquetState {
    const count = this.#values[0]?.length ?? 0;
    // Page indexes would have to be part of the state. Readers use the statistics of the row groups instead.
    const columnData = this.#columns.map(({ name }, position) => ({
      name,
      data: this.#values[position] as Primitive[],
      offsetIndex: false,
    }));
    if (count > 0) this.#parquet.write({ columnData, rowGroupSize: count });
    this.#values = this.#columns.map(() => []);
    this.#flush();
    return { ...this.#file.state, groups: this.#parquet.row_groups, rows: this.#parquet.num_rows };
  }

  finish(): void {
    this.#parquet.finish();
    this.#flush();
  }

  #flush(): void {
    this.#file.append(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}

/** Loads the library of the format, and returns a function that creates its writers. */
export async function openParquet(columns: readonly ExportColumn[]): Promise<CreateWriter<ExportRow>> {
  const library = await loadLibrary();
  return (options) => new ParquetFile(library, columns, options);
}
