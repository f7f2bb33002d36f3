import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openOutput } from '../bulk/files.ts';

/** Describes a complete file. Published next to it. */
export interface Manifest {
  readonly version: 1;
  readonly root: string;
  /** Input literal of the filter. Null without one. */
  readonly where: string | null;
  readonly format: string;
  readonly idFormat: 'GLOBAL' | 'RAW';
  /** Null for whole records. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
  /** The rows have this timestamp in `[since, until)`. */
  readonly timeColumn: string;
  readonly since: string | null;
  readonly until: string;
  readonly rows: ManifestRows;
  /** Whether the counts prove that no row is missing. */
  readonly verified: boolean;
  /** Number of values that are null because the upstream didn't return them, by column. */
  readonly unavailable: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly sha256: string;
  readonly producer: string;
}

/** Number of rows. */
export interface ManifestRows {
  readonly written: number;
  /** In the index, when the export started and when it ended. */
  readonly atStart: number;
  readonly atEnd: number;
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { fd: openOutput(path, 'read') }), hash);
  return hash.digest('hex');
}
