import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { parseWeights } from './accept.ts';

/** Content codings, in the graph's order of preference. */
const CODINGS = ['zstd', 'br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Smaller responses fit into one packet uncompressed. */
const MIN_BYTES = 1024;
/** Larger responses are compressed by the thread pool. Chosen: this takes the event loop about as long as a small query. */
const MAX_SYNC_BYTES = 64 * 1024;

/** Levels for responses that are sent once. Chosen by measurement (docs/decisions/0012-fast-path.md). */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };

const encodeSync = {
  zstd: (body: Buffer) => zstdCompressSync(body, { ...ZSTD, pledgedSrcSize: body.length }),
  br: (body: Buffer) => brotliCompressSync(body, BROTLI),
  gzip: (body: Buffer) => gzipSync(body, GZIP),
};

const encodeAsync = {
  zstd: (body: Buffer) => promisify(zstdCompress)(body, { ...ZSTD, pledgedSrcSize: body.length }),
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body: Buffer) => promisify<Buffer, typeof GZIP, Buffer>(gzip)(body, GZIP),
};

const encode = (body: Buffer, coding: Coding): Buffer | Promise<Buffer> =>
  (body.length > MAX_SYNC_BYTES ? encodeAsync : encodeSync)[coding](body);

/** The coding that an Accept-Encoding header prefers. Null if none is accepted. */
export function chooseCoding<Supported extends Coding>(header: string, codings: readonly Supported[]): Supported | null {
  const weights = parseWeights(header);
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = codings.toSorted((one, other) => weigh(other) - weigh(one));
  return best && weigh(best) > 0 && weigh(best) >= (weights.get('identity') ?? 0) ? best : null;
}

/** Preferred codings by header. Chosen: clients send few different headers. */
const chosen = new BoundedCache<{ readonly coding: Coding | null }>({ entries: 100 });

function readCoding(header: string): Coding | null {
  let choice = chosen.get(header);
  if (!choice) {
    choice = { coding: chooseCoding(header, CODINGS) };
    chosen.set(header, choice);
  }
  return choice.coding;
}

/**
 * Sends a complete response, compressed if the client accepts it. `fields` are the names and values of headers, in turn, without Content-Length. Compressing a whole
 * body at once takes a fraction of the CPU time of a stream.
 */
export function sendBody(
  { headers }: IncomingMessage,
  response: ServerResponse,
  status: number,
  fields: readonly string[],
  body: string | Buffer,
): void | Promise<void> {
  const accepted = headers['accept-encoding'];
  const bytes = Buffer.byteLength(body);
  if (accepted === undefined) {
    // A list rather than an object, which Node would convert. A string rather than a Buffer, so that Node sends headers and body in a single write.
    response.writeHead(status, [...fields, 'content-length', String(bytes)]).end(body);
    return;
  }
  const coding = bytes < MIN_BYTES ? null : readCoding(String(accepted));
  const vary = [response.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  const send = (content: string | Buffer) => {
    // The client may have disconnected.
    if (response.destroyed) return;
    const encoding = coding === null ? [] : ['content-encoding', coding];
    response.writeHead(status, [...fields, 'content-length', String(Buffer.byteLength(content)), ...encoding, 'vary', vary]).end(content);
  };
  if (coding === null) return send(body);
  const encoded = encode(typeof body === 'string' ? Buffer.from(body) : body, coding);
  return encoded instanceof Promise ? encoded.then(send) : send(encoded);
}
