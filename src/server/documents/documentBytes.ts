import type { DocumentNode } from 'graphql';

/** Memory of a cached document in addition to its tokens: its cache entry and its cached costs. Chosen: measured 2 to 3 kB. */
const ENTRY_BYTES = 3_000;
/**
 * Memory of a token of a parsed document, including its share of the AST nodes. Measured: 310 bytes for most documents, 500 for one that contains only short
 * names.
 */
const TOKEN_BYTES = 500;
/** Strings can use two bytes per character. */
const CHARACTER_BYTES = 2;

/** Set because documents are parsed with a token limit. graphql-js doesn't declare its type. */
const countTokens = (document: DocumentNode) =>
  (document as { readonly tokenCount?: number }).tokenCount ?? document.loc?.source.body.length ?? 0;

/** Estimated memory of a parsed document in a cache, in bytes. Not an underestimate. */
export const estimateDocumentBytes = (source: string, document: DocumentNode): number =>
  ENTRY_BYTES + TOKEN_BYTES * countTokens(document) + CHARACTER_BYTES * source.length;

/** Memory of the cached error of a document that can't be parsed, in bytes. */
export const estimateErrorBytes = (source: string): number => ENTRY_BYTES + CHARACTER_BYTES * source.length;
