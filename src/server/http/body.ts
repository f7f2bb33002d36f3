import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { onClose } from '../../lib/onClose.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';

/** Why a body is rejected before it's parsed. */
interface BodyProblem {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
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

/** Reads the whole body of a request. Always settles, however the request ends. */
export const readBody = (request: IncomingMessage, response: ServerResponse, maxBytes = getMaxBodyBytes(request)) =>
  new Promise<Body>((resolve) => {
    if (response.destroyed) return resolve(null);
    if (Number(request.headers['content-length']) > maxBytes) return resolve(createTooLarge(maxBytes));
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) resolve(createTooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(decodeUtf8(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)) ?? NOT_UTF_8));
    // Without `end` if the client disconnects or sends malformed HTTP, even after the last byte of the body.
    onClose(response, () => resolve(null));
  });
