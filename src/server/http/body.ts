import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { OverloadedError } from '../../failures/failures.ts';
import { onClose } from '../../lib/onClose.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';
import type { ObservedResponse } from '../execution/overload.ts';

/** Why a body is rejected before it's parsed. */
export interface BodyProblem {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** Set if the process is overloaded. */
  readonly overload?: OverloadedError;
}

/** The text of a body, or why it's rejected. Null if the request ended before its body: there is no one to respond to, so nothing must be executed. */
type Body = string | BodyProblem | null;

/** A body as JSON, which is undefined if it's malformed, or why it's rejected. */
export type JsonBody = { readonly json: unknown } | BodyProblem;

/** Maximum size of a body, in bytes. Chosen: 100 lines with notes are far below it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The same without a credential. Chosen: such a request can only read the schema, and parsing 1 MB takes as long as hundreds of requests. A document of the maximum length is below it. */
const MAX_ANONYMOUS_BODY_BYTES = 128 * 1024;

/** Maximum size of the body of a request, in bytes. */
export const getMaxBodyBytes = ({ headers }: IncomingMessage): number =>
  headers.authorization || headers['x-api-key'] ? MAX_BODY_BYTES : MAX_ANONYMOUS_BODY_BYTES;

const createTooLarge = (maxBytes: number): BodyProblem => ({
  status: 413,
  code: 'REQUEST_ENTITY_TOO_LARGE',
  message: `The body exceeds ${maxBytes} bytes${maxBytes === MAX_ANONYMOUS_BODY_BYTES ? `, or ${MAX_BODY_BYTES} bytes with an API key` : ''}.`,
});

/** Invalid bytes can't be replaced: two different writes would become equal, and be stored with other characters than were sent. */
const NOT_UTF_8: BodyProblem = { status: 400, code: 'BAD_REQUEST', message: 'The body isn’t valid UTF-8. Encode the JSON as UTF-8.' };

/** Strings can use two bytes per character. */
const CHARACTER_BYTES = 2;
/** Memory of a parsed value, in bytes. Measured: an empty object takes 56, and 8 in its list. */
const VALUE_BYTES = 64;
/** Bodies up to this size, in bytes, aren't counted. Chosen: as many as there can be requests take 45 MB at most. */
const MAX_UNCOUNTED = 2_048;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const BEFORE_VALUES: ReadonlySet<number> = new Set(Array.from('{[,', (character) => character.charCodeAt(0)));

/** Index of the quote that ends the string which starts at an index. Returns the length of the text if the string isn't closed. */
function findEndOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Number of values in a JSON text, including empty lists and objects. Not an underestimate. */
function countValues(json: string): number {
  let count = 1;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = findEndOfString(json, index);
    else if (BEFORE_VALUES.has(code)) count += 1;
  }
  return count;
}

/** Memory of a body, once it's parsed, in bytes. 1 MB of empty objects takes 22 MB. */
const estimateBytes = (json: string): number => CHARACTER_BYTES * json.length + VALUE_BYTES * countValues(json);

/** Reads the whole body of a request. Always settles, however the request ends. */
export const readBody = (request: IncomingMessage, response: ObservedResponse, maxBytes = getMaxBodyBytes(request)) =>
  new Promise<Body>((resolve) => {
    if (response.destroyed) return resolve(null);
    if (Number(request.headers['content-length']) > maxBytes) return resolve(createTooLarge(maxBytes));
    const chunks: Buffer[] = [];
    let size = 0;
    /** Counts memory of the body. Returns whether it's accepted. */
    const accept = (bytes: number): boolean => {
      const problem = response.observer?.onBody(bytes);
      if (problem === undefined) return true;
      const overload = new OverloadedError(problem);
      resolve({ status: 503, code: overload.code, message: overload.message, overload });
      return false;
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) resolve(createTooLarge(maxBytes));
      else if (size <= MAX_UNCOUNTED || accept(chunk.length)) chunks.push(chunk);
    });
    request.on('end', () => {
      const body = decodeUtf8(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)) ?? NOT_UTF_8;
      if (typeof body !== 'string' || size <= MAX_UNCOUNTED || accept(estimateBytes(body))) resolve(body);
    });
    // Without `end` if the client disconnects or sends malformed HTTP, even after the last byte of the body.
    onClose(response, () => resolve(null));
  });
