import { isJsonObject, parseJson } from '../lib/json.ts';
import { type Change, type ChangeEvent, createUnknownChanges, isLiveType } from './changes.ts';

/** Maximum length of a message, in characters. Chosen: the IDs of 5,000 records. */
const MAX_LENGTH = 256 * 1024;
/** Maximum length of a name or an ID, in characters. Chosen: upstream IDs have 36. */
const MAX_NAME = 1_000;

/** What an instance passes to the others. */
interface BusMessage {
  /** ID of the instance that published it. */
  readonly from: string;
  /** ID of the workspace. */
  readonly channel: string;
  readonly event: ChangeEvent;
}

/** Formats a message. If it has too many IDs, it says that anything of their types may have changed. */
export function formatMessage(message: BusMessage): string {
  const text = JSON.stringify(message);
  if (text.length <= MAX_LENGTH) return text;
  const types = message.event.changes.map(({ type }) => type);
  return JSON.stringify({ ...message, event: { ...message.event, changes: createUnknownChanges(types) } });
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_NAME;

/** Parses a change. Null for a type that only newer instances know, and undefined if it's malformed. */
function parseChange(value: unknown): Change | null | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, ids, isTruncated } = value;
  if (!isName(type) || !Array.isArray(ids) || !ids.every(isName) || typeof isTruncated !== 'boolean') return undefined;
  return isLiveType(type) ? { type, ids, isTruncated } : null;
}

/** Parses a message, which any client of the Redis server can have published. Returns the problem of a malformed one, without quoting it. */
export function parseMessage(text: string): BusMessage | string {
  if (text.length > MAX_LENGTH) return `It has more than ${MAX_LENGTH} characters.`;
  const message = parseJson(text);
  if (!isJsonObject(message)) return 'It isn’t a JSON object.';
  const { from, channel, event } = message;
  if (!isName(from) || !isName(channel)) return 'It has no sender or channel.';
  if (!isJsonObject(event) || (event.source !== 'GRAPH' && event.source !== 'POLL') || !Array.isArray(event.changes))
    return 'It has no event with a source and changes.';
  const changes = event.changes.map(parseChange);
  if (changes.includes(undefined)) return 'It has a malformed change.';
  const known = changes.filter((change) => !!change);
  return { from, channel, event: { source: event.source, changes: known, ...(event.changesRights === true && { changesRights: true }) } };
}
