import { createHash } from 'node:crypto';
import type { DocumentNode } from 'graphql';

const getSource = ({ loc }: DocumentNode): string => loc?.source.body ?? '';

/** Names of documents for logs and spans: the IDs of trusted documents, and hashes of all others. Metrics only have the IDs, whose number is bounded. */
export class DocumentNames {
  /** IDs of the trusted documents, by their text. */
  readonly #trusted: ReadonlyMap<string, string>;

  /** `trusted`: texts by ID. */
  constructor(trusted: ReadonlyMap<string, string>) {
    this.#trusted = new Map([...trusted].map(([id, text]) => [text, id]));
  }

  /** ID of a trusted document. Null for all others. */
  getTrustedId(document: DocumentNode): string | null {
    return this.#trusted.get(getSource(document)) ?? null;
  }

  /** ID of a trusted document, or the SHA-256 hash of its text, in the form of a `documentId`. */
  getName(document: DocumentNode): string {
    return this.getSourceName(getSource(document));
  }

  getSourceName(text: string): string {
    return this.#trusted.get(text) ?? `sha256:${createHash('sha256').update(text).digest('hex')}`;
  }
}
