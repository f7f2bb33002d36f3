import { createHash } from 'node:crypto';
import type { DocumentNode } from 'graphql';

const sourceOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';

/** Names of documents for metrics and logs: the IDs of trusted documents, and hashes of all others. */
export class DocumentNames {
  /** IDs of the trusted documents, by their text. */
  readonly #trusted: ReadonlyMap<string, string>;
  /** By parsed document, so that each text is only compared and hashed once. */
  readonly #ids = new WeakMap<DocumentNode, string | null>();
  readonly #names = new WeakMap<DocumentNode, string>();

  /** `trusted`: texts by ID. */
  constructor(trusted: ReadonlyMap<string, string>) {
    this.#trusted = new Map([...trusted].map(([id, text]) => [text, id]));
  }

  /** ID of a trusted document. Null for all others. */
  trustedId(document: DocumentNode): string | null {
    const known = this.#ids.get(document);
    if (known !== undefined) return known;
    const id = this.#trusted.get(sourceOf(document)) ?? null;
    this.#ids.set(document, id);
    return id;
  }

  /** ID of a trusted document, or the SHA-256 hash of its text, in the form of a `documentId`. */
  nameOf(document: DocumentNode): string {
    const known = this.#names.get(document);
    if (known !== undefined) return known;
    const name = this.nameOfText(sourceOf(document));
    this.#names.set(document, name);
    return name;
  }

  nameOfText(text: string): string {
    return this.#trusted.get(text) ?? `sha256:${createHash('sha256').update(text).digest('hex')}`;
  }
}
