import type { FormatState, PartFile } from './partFile.ts';

/** Writes the rows of a format to a file. Can continue after a saved state. */
export interface FormatWriter<Written> {
  /** Number of rows to write between two checkpoints. */
  readonly rowsPerSave: number;
  /** Writes rows, or stores them until there are enough. */
  write(rows: readonly Written[]): void;
  /** Writes all rows, and returns the state that `FormatOptions.state` accepts, as JSON that can contain bigints. */
  save(): FormatState;
  /** Writes what follows the last row. */
  finish(): void;
}

export interface FormatOptions {
  readonly file: PartFile;
  /** Undefined for a new file. */
  readonly state: FormatState | undefined;
  /** Number of rows that the export will have. */
  readonly expected: number;
}

/** Creates the writer of a file. */
export type CreateWriter<Written> = (options: FormatOptions) => FormatWriter<Written>;
