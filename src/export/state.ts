import { toDateTime } from '../lib/dateTime.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { StartError } from '../lib/startup.ts';
import type { ExportIdentity } from './checkpoint.ts';
import { readOutput, replaceFile } from './files.ts';

const VERSION = 1;

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
  if (!isJsonObject(state) || state.version !== VERSION || !isWatermark(state.watermark) || state.until !== toDateTime(state.watermark))
    throw new StartError(`${path} isn’t a state of --incremental. Delete it to export everything again.`);
  const saved = state as StateIdentity & { readonly watermark: number };
  const name = (Object.keys(toIdentity(identity)) as (keyof StateIdentity)[]).find((each) => saved[each] !== identity[each]);
  if (name !== undefined) throw new StartError(`${path} belongs to an export with another ${name}. Use another file.`);
  return saved.watermark - OVERLAP_SECONDS;
}

/** Stores the end of an export, in Unix seconds. */
export function writeWatermark(path: string, identity: StateIdentity, watermark: number): void {
  const state = { version: VERSION, ...toIdentity(identity), watermark, until: toDateTime(watermark) };
  replaceFile(path, `${JSON.stringify(state, null, 2)}\n`);
}
