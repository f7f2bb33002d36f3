/**
 * A minimal HTTP/1.1 implementation: keep-alive, sequential messages, with a length or chunks. The upstream stub and the load generator use it, because
 * their own cost must be small compared with that of the servers between them.
 */

/** A request or a response. */
export interface Message {
  /** The start line and the header fields. */
  readonly head: string;
  readonly body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

/** Reads a chunked body that begins at `start`. Returns it with its end, or null if it's incomplete. */
function readChunks(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | null {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!Number.isInteger(size)) throw new Error(`A chunk starts with "${bytes.toString('latin1', at, line)}", expected its size.`);
    const end = line + 2 + size + 2;
    if (bytes.length < end) return null;
    if (size === 0) return { body: Buffer.concat(parts), end };
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = end;
  }
}

/** Splits the bytes of a connection into messages. */
export class MessageReader {
  readonly #onMessage: (message: Message) => void;
  #parts: Buffer[] = [];
  #length = 0;
  /** Minimum number of bytes for the next attempt to parse. */
  #minLength = 1;

  constructor(onMessage: (message: Message) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#minLength) {
      const [first] = this.#parts;
      const bytes = first && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
      const end = this.#emitFirst(bytes);
      const rest = bytes.subarray(end);
      this.#parts = rest.length > 0 ? [rest] : [];
      this.#length = rest.length;
      if (end > 0) this.#minLength = 1;
    }
  }

  /** Emits the first message in the bytes. Returns its end, or 0 if it's incomplete. */
  #emitFirst(bytes: Buffer): number {
    const endOfHead = bytes.indexOf(END_OF_HEAD);
    this.#minLength = bytes.length + 1;
    if (endOfHead === -1) return 0;
    const head = bytes.toString('latin1', 0, endOfHead);
    const start = endOfHead + END_OF_HEAD.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) {
      const chunks = readChunks(bytes, start);
      if (!chunks) return 0;
      this.#onMessage({ head, body: chunks.body });
      return chunks.end;
    }
    const end = start + Number(length ?? 0);
    if (bytes.length < end) {
      this.#minLength = end;
      return 0;
    }
    this.#onMessage({ head, body: bytes.subarray(start, end) });
    return end;
  }
}
