import { isDeepStrictEqual } from 'node:util';

/** Maximum number of encodings of a correct response that are cached. Servers use one or two. */
const MAX_ENCODINGS = 8;
/** Maximum number of bytes after the data, where the graph reports the cost. */
const MAX_TAIL_BYTES = 1_000;

/** A known encoding of a correct response: its start, or all of it if the rest is unknown. */
interface Encoding {
  readonly bytes: Buffer;
  readonly isComplete: boolean;
}

const isValidTail = (tail: string) => tail === '}' || (tail.startsWith(',"extensions":') && !tail.includes('"errors"'));

/**
 * Compares responses with the expected data. Parses the first response, and compares later ones byte by byte. That's cheap enough to check every response under
 * load.
 */
export class ResponseCheck {
  readonly #data: unknown;
  readonly #encodings: Encoding[] = [];

  constructor(data: unknown) {
    this.#data = data;
  }

  isCorrect(body: Buffer): boolean {
    return this.#encodings.some((form) => this.#matches(form, body)) || this.#isCorrectWhenParsed(body);
  }

  #matches({ bytes, isComplete }: Encoding, body: Buffer): boolean {
    if (isComplete) return bytes.equals(body);
    const { length } = bytes;
    if (body.length <= length || body.length > length + MAX_TAIL_BYTES || body.compare(bytes, 0, length, 0, length) !== 0) return false;
    return isValidTail(body.toString('utf8', length, body.length));
  }

  #isCorrectWhenParsed(body: Buffer): boolean {
    const response = parseResponse(body.toString());
    if (response === null || response.errors !== undefined || !isDeepStrictEqual(response.data, this.#data)) return false;
    const start = Buffer.from(`{"data":${JSON.stringify(response.data)}`);
    const form: Encoding = { bytes: start, isComplete: false };
    if (this.#encodings.length < MAX_ENCODINGS)
      this.#encodings.push(this.#matches(form, body) ? form : { bytes: Buffer.from(body), isComplete: true });
    return true;
  }
}

function parseResponse(text: string): { readonly data?: unknown; readonly errors?: unknown } | null {
  try {
    const response: unknown = JSON.parse(text);
    return typeof response === 'object' ? response : null;
  } catch {
    return null;
  }
}
