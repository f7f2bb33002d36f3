import type { DocumentNode } from 'graphql';

/** Memory that a cached document takes beside its tokens: its entry, and what is remembered of its costs. Ours, measured: 2 to 3 kB. */
const ENTRY_BYTES = 3_000;
/** Memory of a token of a parsed document, with its share of the nodes. Measured: 310 for most documents, 500 for one of short names alone. */
const TOKEN_BYTES = 500;
/** A text may be in two bytes a character. */
const CHARACTER_BYTES = 2;

/** `tokenCount` is there, since documents are parsed with a limit of tokens; graphql-js does not type it. */
const tokensIn = (document: DocumentNode) =>
  (document as { readonly tokenCount?: number }).tokenCount ?? document.loc?.source.body.length ?? 0;

/** Memory of a parsed document in a cache, in bytes: at least as much as it takes. */
export const parsedBytes = (source: string, document: DocumentNode): number =>
  ENTRY_BYTES + TOKEN_BYTES * tokensIn(document) + CHARACTER_BYTES * source.length;

/** Memory of the error of a text that cannot be parsed, in bytes. */
export const errorBytes = (source: string): number => ENTRY_BYTES + CHARACTER_BYTES * source.length;
