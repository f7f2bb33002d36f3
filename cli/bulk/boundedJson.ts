import { parseJson } from '../../src/lib/json.ts';
import { decodeUtf8 } from '../../src/lib/utf8.ts';
import { createInvalidError, TOO_LARGE } from './graphResponse.ts';

/**
 * Limits of a response. Chosen: a page of records is some 100 kB, and a response with these limits fits into the heap of a command, which is 128 MB. The graph's
 * JSON has some ten levels.
 */
const MAX_BYTES = 16 * 1024 ** 2;
const MAX_VALUES = 500_000;
const MAX_LEVELS = 100;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}') as unknown as readonly number[];

/** Counts the values and levels of JSON while it arrives. A parser would need memory for all of them first. */
class JsonScanner {
  #isInString = false;
  #isEscaped = false;
  #levels = 0;
  #values = 0;

  /** Whether the text so far is within the limits. */
  scan(chunk: Buffer): boolean {
    for (const byte of chunk) {
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === COMMA) this.#values += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#levels += 1;
        this.#values += 1;
        if (this.#levels > MAX_LEVELS) return false;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#levels -= 1;
    }
    return this.#values <= MAX_VALUES;
  }
}

/** Reads the JSON of a body that any server may have sent. Undefined if it isn't JSON. Throws RequestError if it's larger than any of a graph, or isn't UTF-8. */
export async function readBoundedJson(body: AsyncIterable<Buffer>): Promise<unknown> {
  const scanner = new JsonScanner();
  const chunks: Buffer[] = [];
  let size = 0;
  // An error ends the loop, which closes the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES || !scanner.scan(chunk))
      throw createInvalidError(
        `has more than ${MAX_BYTES / 1024 ** 2} MB, ${MAX_VALUES.toLocaleString('en')} values, or ${MAX_LEVELS} levels`,
        TOO_LARGE,
      );
    chunks.push(chunk);
  }
  const text = decodeUtf8(Buffer.concat(chunks));
  if (text === undefined) throw createInvalidError('isn’t encoded in UTF-8');
  return parseJson(text);
}
