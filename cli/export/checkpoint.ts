import { createHmac } from 'node:crypto';
import { toDateTime } from '../../src/lib/dateTime.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../src/lib/json.ts';
import { hashApiKey } from '../../src/lib/keyHash.ts';
import { StartError } from '../../src/lib/startup.ts';
import { type ExportPaths, readOutput, replaceFile } from '../bulk/files.ts';
import type { Manifest } from './manifest.ts';
import type { FormatState } from './partFile.ts';
import type { Place } from './ranges.ts';

/** Version of the file. Files of other versions aren't read. */
const VERSION = 2;

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
  /** Hash of the API key, or of the account of an access token. */
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

/** Which checkpoint is written or read. */
interface CheckpointOptions {
  readonly paths: ExportPaths;
  readonly identity: ExportIdentity;
  /** The API key, which signs the checkpoint, or the account of an access token. */
  readonly caller: string;
}

/** JSON has no bigints, and JavaScript's `JSON` rejects them. */
const BIGINT = '$bigint';

const replaceBigint = (_name: string, value: unknown) => (typeof value === 'bigint' ? { [BIGINT]: String(value) } : value);

const reviveBigint = (_name: string, value: unknown) =>
  isJsonObject(value) && typeof value[BIGINT] === 'string' ? BigInt(value[BIGINT]) : value;

/** Signs a checkpoint. Only a program of this version that knows the caller can write one that is read, so its members aren't checked separately. */
const sign = (json: string, caller: string): string => createHmac('sha256', caller).update(`${VERSION} ${json}`).digest('hex');

/** Writes a line of JSON, and one with its signature. */
export function writeCheckpoint({ paths, identity, caller }: CheckpointOptions, checkpoint: Checkpoint): void {
  const file: CheckpointFile = { version: VERSION, identity, ...checkpoint };
  const json = JSON.stringify(file, replaceBigint);
  replaceFile(paths.checkpoint, `${json}\n${sign(json, caller)}\n`);
}

/** The first difference between two exports, as a clause. Undefined if they're the same. */
function describeDifference(saved: ExportIdentity, current: ExportIdentity): string | undefined {
  const name = (Object.keys(current) as (keyof ExportIdentity)[]).find((each) => saved[each] !== current[each]);
  return name && `${name} ${JSON.stringify(saved[name])} instead of ${JSON.stringify(current[name])}`;
}

/** Describes a checkpoint whose signature is wrong. */
function describeUnsigned(json: string, caller: string): string {
  const saved = parseJson(json);
  const { version, identity }: JsonObject = isJsonObject(saved) ? saved : {};
  if (Number.isSafeInteger(version) && version !== VERSION) return `has version ${version}, but this program writes version ${VERSION}`;
  if (isJsonObject(identity) && typeof identity.key === 'string' && identity.key !== hashApiKey(caller))
    return 'belongs to an export with another API key';
  return 'is damaged, or was changed';
}

/** Reads the checkpoint of an export. Null if there is none. Throws StartError if it can't be continued. */
export function readCheckpoint({ paths: { checkpoint: path }, identity, caller }: CheckpointOptions): Checkpoint | null {
  const text = readOutput(path);
  if (text === undefined) return null;
  const [json = '', signature] = text.split('\n');
  if (signature !== sign(json, caller))
    throw new StartError(`${path} ${describeUnsigned(json, caller)}. Use --restart to discard it and start again.`);
  const saved = JSON.parse(json, reviveBigint) as CheckpointFile;
  const difference = describeDifference(saved.identity, identity);
  if (difference !== undefined)
    throw new StartError(
      `${path} belongs to an export with ${difference}. Repeat that export to continue it, or use --restart to discard it.`,
    );
  return saved;
}

/** Version of the state of `--incremental`. */
const STATE_VERSION = 1;

/** Seconds before the end of the previous export that are read again: rows can become visible in the index after their timestamp. Chosen. */
const OVERLAP_SECONDS = 60;

/** What must be the same in all exports of a state. Columns and formats can change. */
type StateIdentity = Pick<ExportIdentity, 'root' | 'where' | 'upstream' | 'key'>;

const toIdentity = ({ root, where, upstream, key }: StateIdentity): StateIdentity => ({ root, where, upstream, key });

/** Whether a value is Unix seconds. The epoch of an upstream without a clock is the smallest. */
const isWatermark = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads where an incremental export starts, in Unix seconds. Null for the first one. Throws StartError if the state belongs to another export. */
export function readSince(path: string, identity: StateIdentity): number | null {
  const text = readOutput(path);
  if (text === undefined) return null;
  const state = parseJson(text);
  if (
    !isJsonObject(state) ||
    state.version !== STATE_VERSION ||
    !isWatermark(state.watermark) ||
    state.until !== toDateTime(state.watermark)
  )
    throw new StartError(`${path} isn’t a state of --incremental. Delete it to export everything again.`);
  const saved = state as StateIdentity & { readonly watermark: number };
  const name = (Object.keys(toIdentity(identity)) as (keyof StateIdentity)[]).find((each) => saved[each] !== identity[each]);
  if (name !== undefined) throw new StartError(`${path} belongs to an export with another ${name}. Use another file.`);
  return saved.watermark - OVERLAP_SECONDS;
}

/** Stores the end of an export, in Unix seconds. */
export function writeWatermark(path: string, identity: StateIdentity, watermark: number): void {
  const state = { version: STATE_VERSION, ...toIdentity(identity), watermark, until: toDateTime(watermark) };
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`);
}
