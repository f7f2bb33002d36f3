import { createHash, hash } from 'node:crypto';
import { InvalidCursorError } from '../../failures/failures.ts';
import { toCanonicalJson } from '../../lib/canonicalJson.ts';
import { type Anchor, parseAnchor } from './anchors.ts';

/** Position of a row in its list, as contained in cursors: its offset, or a string in lists with another kind of position. */
export type Position = number | string;

/** 48-bit fingerprint of a list: its operation, parent and filters. Part of each cursor. */
export const computeFingerprint = (operation: string, request: object): string =>
  createHash('sha256')
    .update(`${operation}\0${toCanonicalJson(request)}`)
    .digest('base64url')
    .slice(0, 8);

/** The fingerprint of a list. Computed on demand, because most lists are read without a cursor. */
export type Fingerprint = Pick<string, 'toString'>;

/** `computeFingerprint`, evaluated on demand. */
export class LazyFingerprint implements Fingerprint {
  readonly #operation: string;
  readonly #request: object;
  #text: string | undefined;

  constructor(operation: string, request: object) {
    this.#operation = operation;
    this.#request = request;
  }

  toString(): string {
    this.#text ??= computeFingerprint(this.#operation, this.#request);
    return this.#text;
  }
}

/** Chosen: the longest cursor of `encodeCursor` has 97 characters. */
const MAX_CURSOR_LENGTH = 100;

/** Separates the position from the anchor. Base64url ends at padding, so replicas of releases without anchors read the position and ignore the rest. */
const SEPARATOR = '=';

const INVALID = 'Invalid cursor. Use one from `edges { cursor }` or `pageInfo`.';

/** 24-bit checksum. Detects truncated or changed anchors, which might still be parsable. */
const computeChecksum = (position: string, anchor: string): string => hash('sha256', `${position}=${anchor}`, 'base64url').slice(0, 4);

export function encodeCursor(at: Position, fingerprint: Fingerprint, anchor?: Anchor): string {
  const position = Buffer.from(`1:${at}:${fingerprint}`).toString('base64url');
  return anchor ? `${position}${SEPARATOR}${computeChecksum(position, anchor.toString())}${anchor}` : position;
}

/** Parses the position of a cursor, in the format of its list. Rejects invalid cursors and cursors of other lists, which would return a random page. */
export function parsePosition(cursor: string, fingerprint: Fingerprint, format: RegExp, maxLength = MAX_CURSOR_LENGTH): string {
  const text = cursor.length > maxLength ? '' : Buffer.from(cursor, 'base64url').toString();
  const [, position = '', list] = /^1:(.+):([\w-]{8})$/.exec(text) ?? [];
  if (list !== undefined && list !== fingerprint.toString())
    throw new InvalidCursorError('This cursor belongs to another list, or to this list with other filters. Start again without a cursor.');
  if (!format.test(position)) throw new InvalidCursorError(INVALID);
  return position;
}

/** Content of a cursor in a list by offset. */
export interface OffsetCursor {
  readonly offset: number;
  /** Undefined if the row can’t be identified, or if a release without anchors returned the cursor. */
  readonly anchor: Anchor | undefined;
}

export function decodeCursor(cursor: string, fingerprint: Fingerprint): OffsetCursor {
  const offset = Number(parsePosition(cursor, fingerprint, /^\d{1,12}$/));
  const [, position = '', check, text = ''] = /^([\w-]+)=(.{4})(.+)$/.exec(cursor) ?? [];
  // Cursors of releases without anchors end here. Some clients pad base64.
  if (check === undefined && /^[\w-]+={0,2}$/.test(cursor)) return { offset, anchor: undefined };
  const anchor = check === computeChecksum(position, text) ? parseAnchor(text) : null;
  if (anchor === null) throw new InvalidCursorError(INVALID);
  return { offset, anchor };
}
