import { existsSync, readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../lib/json.ts';
import { StartError } from '../lib/startup.ts';
import { type ExportPaths, replaceFile } from './files.ts';
import type { FormatState } from './formatWriter.ts';
import type { Manifest } from './manifest.ts';
import type { Place } from './ranges.ts';

/** Version of the file. Files of other versions aren't read. */
const VERSION = 1;

/** Only the owner can read checkpoints, because they contain IDs and filters. */
const MODE = 0o600;

/** What identifies an export. A checkpoint can only be continued by the same one. */
export interface ExportIdentity {
  readonly root: string;
  readonly where: string;
  /** Names of the columns, or which records are read in which order. */
  readonly columns: string;
  readonly format: string;
  readonly idFormat: string;
  readonly excelSafe: string;
  /** Start of an incremental export. */
  readonly since: string;
  readonly upstream: string;
  /** Hash of the API key. */
  readonly key: string;
}

/** Progress of an export. */
export interface Checkpoint {
  readonly until: number;
  readonly expected: number;
  readonly place: Place;
  readonly rows: number;
  /** Number of values that the upstream didn't return, by column. */
  readonly unavailable: Readonly<Record<string, number>>;
  readonly file: FormatState;
  /** Set once the file is complete. Then only its name has to be changed. */
  readonly manifest?: Manifest;
}

interface CheckpointFile extends Checkpoint {
  readonly version: number;
  readonly identity: ExportIdentity;
}

/** JSON has no bigints, and JavaScript's `JSON` rejects them. */
const BIGINT = '$bigint';

const replaceBigint = (_name: string, value: unknown) => (typeof value === 'bigint' ? { [BIGINT]: String(value) } : value);

const reviveBigint = (_name: string, value: unknown) =>
  isJsonObject(value) && typeof value[BIGINT] === 'string' ? BigInt(value[BIGINT]) : value;

export function writeCheckpoint({ checkpoint: path }: ExportPaths, identity: ExportIdentity, checkpoint: Checkpoint): void {
  const file: CheckpointFile = { version: VERSION, identity, ...checkpoint };
  replaceFile(path, `${JSON.stringify(file, replaceBigint)}\n`, MODE);
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text, reviveBigint);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isComplete = ({ until, expected, rows, place, file, identity }: JsonObject) =>
  [until, expected, rows].every(Number.isSafeInteger) && [place, file, identity].every(isJsonObject);

/** The first difference between two exports, as a clause. Undefined if they're the same. Doesn't quote the hash of the key. */
function describeDifference(saved: ExportIdentity, current: ExportIdentity): string | undefined {
  const name = (Object.keys(current) as (keyof ExportIdentity)[]).find((each) => saved[each] !== current[each]);
  if (name === undefined) return undefined;
  return name === 'key' ? 'another API key' : `${name} ${JSON.stringify(saved[name])} instead of ${JSON.stringify(current[name])}`;
}

/** Reads the checkpoint of an export. Null if there is none. Throws StartError if it can't be continued. */
export function readCheckpoint({ checkpoint: path }: ExportPaths, identity: ExportIdentity): Checkpoint | null {
  if (!existsSync(path)) return null;
  const saved = parse(readFileSync(path, 'utf8')) as unknown as CheckpointFile & JsonObject;
  if (saved.version !== undefined && saved.version !== VERSION)
    throw new StartError(`${path} has version ${saved.version}, but this program writes version ${VERSION}. Use --restart to discard it.`);
  if (!isComplete(saved)) throw new StartError(`${path} is damaged. Use --restart to discard it and start again.`);
  const difference = describeDifference(saved.identity, identity);
  if (difference !== undefined)
    throw new StartError(
      `${path} belongs to an export with ${difference}. Repeat that export to continue it, or use --restart to discard it.`,
    );
  return saved;
}
