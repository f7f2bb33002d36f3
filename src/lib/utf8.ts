import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

const BYTE_ORDER_MARK = 0xfeff;

/** Code of POSIX for bytes that aren't a character. */
const ILLEGAL_BYTES = 'EILSEQ';

/**
 * Decodes UTF-8, without a byte order mark. Undefined for other bytes. A lenient decoder would replace them by U+FFFD, which is stored if a client sends the
 * value back, and which makes different values equal.
 */
export function decodeUtf8(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  // Validates only if a byte may have been replaced. V8 doesn't search texts that have a byte per character.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return undefined;
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Reads a file in UTF-8. Throws an error with the code of the system, or EILSEQ if the file isn't UTF-8. */
export function readTextFile(path: string): string {
  const text = decodeUtf8(readFileSync(path));
  if (text === undefined) throw Object.assign(new Error(`${ILLEGAL_BYTES}: not encoded in UTF-8, read '${path}'`), { code: ILLEGAL_BYTES });
  return text;
}
