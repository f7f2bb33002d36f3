import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { createDocumentError, createRequestError } from '../execution/rejections.ts';
import type { RequestParams } from '../http/requestForm.ts';
import type { TrustedDocuments, TrustMode } from './trustedDocuments.ts';

/** Documents that clients have registered, by hash (APQ). The least recently used are evicted, and clients send them again. */
export type AutomaticDocuments = BoundedCache<string>;

/** Per process, in characters. Chosen: some thousand documents of 1 kB. */
const AUTOMATIC = { entries: 4_096, weight: { max: 4_000_000, weightOf: (_hash: string, document: string) => document.length } };

export const createAutomaticDocuments = (): AutomaticDocuments => new BoundedCache(AUTOMATIC);

export interface DocumentSources {
  readonly trusted: TrustedDocuments;
  readonly mode: TrustMode;
  /** Null if clients can't register documents. */
  readonly automatic: AutomaticDocuments | null;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Apollo's clients recognize these errors by code and send the full document. Apollo's servers also use status 200. */
const createApolloError = (code: ErrorCode, message: string) => new GraphQLError(message, { extensions: { code, http: { status: 200 } } });

/** The document ID of a request. */
interface DocumentReference {
  readonly id: string;
  /** Whether it was sent as `extensions.persistedQuery`, like Apollo's clients do. Otherwise, it was sent as `documentId`, as in GraphQL over HTTP. */
  readonly isApollo: boolean;
  /** Whether a `documentId` has the prefix of a SHA-256 hash of the document. */
  readonly isHash: boolean;
}

/** Version of Apollo's protocol. Source: https://www.apollographql.com/docs/apollo-server/performance/apq */
const APQ_VERSION = 1;

/** The hash in `extensions.persistedQuery`; null without it. Another version could define another hash, so it's rejected even if `query` is sent. */
function readApolloHash(persistedQuery: unknown): string | null {
  if (persistedQuery === undefined || persistedQuery === null) return null;
  const { version, sha256Hash } = Object(persistedQuery) as { readonly version?: unknown; readonly sha256Hash?: unknown };
  if (version !== APQ_VERSION || typeof sha256Hash !== 'string' || sha256Hash === '')
    throw createRequestError(
      400,
      'BAD_REQUEST',
      '`extensions.persistedQuery` must be an object with `version` 1, the only supported version, and the hash of the document as `sha256Hash`, a non-empty string.',
    );
  return sha256Hash;
}

/** The document ID that a request sends, in any form and without validation. Null if there is none. */
export function readRawId({ extensions, documentId }: RequestParams): unknown {
  const { persistedQuery } = extensions ?? {};
  return documentId ?? (persistedQuery as { readonly sha256Hash?: unknown } | null | undefined)?.sha256Hash ?? null;
}

function readReference(params: RequestParams): DocumentReference | null {
  const hash = readApolloHash(params.extensions?.persistedQuery);
  const id = params.documentId ?? hash;
  if (id === null) return null;
  if (typeof id !== 'string' || id === '') throw createRequestError(400, 'BAD_REQUEST', '`documentId` must be a non-empty string.');
  const isApollo = params.documentId == null;
  return { id: id.replace(/^sha256:/, ''), isApollo, isHash: id.startsWith('sha256:') };
}

const createUnknownIdError = ({ isApollo }: DocumentReference) =>
  isApollo
    ? createApolloError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    : createDocumentError('PERSISTED_QUERY_NOT_FOUND', 'Unknown `documentId`.');

/** The document with an ID. Undefined if it's unknown. */
const findDocument = ({ id }: DocumentReference, { trusted, automatic }: DocumentSources): string | undefined =>
  trusted.get(id) ?? trusted.get(`sha256:${id}`) ?? automatic?.get(id);

/** The document of a request that contains only its ID. */
function getDocument(named: DocumentReference, sources: DocumentSources): string {
  const document = findDocument(named, sources);
  if (document !== undefined) return document;
  const { trusted, automatic, mode } = sources;
  // Avoids a retry with the full document, which would be rejected.
  if (mode === 'only') throw createDocumentError('PERSISTED_QUERY_NOT_IN_LIST', 'No trusted document has this ID.');
  if (trusted.size > 0 || automatic) throw createUnknownIdError(named);
  throw createApolloError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}

/**
 * Checks that a document matches the ID that was sent with it, and registers it if clients can register documents. Throws if the ID belongs to another
 * document, because other clients would get different results for the same ID. An unknown ID that isn't a hash says nothing about the document, which is
 * executed as if it was sent without an ID.
 */
function registerDocument(named: DocumentReference, document: string, sources: DocumentSources): void {
  const known = findDocument(named, sources);
  // If a tool has persisted their documents, Apollo's clients send hashes of another text or of another kind. Without APQ, nothing is registered by hash.
  const isHash = named.isApollo ? sources.automatic !== null : named.isHash;
  const isOwn = known === undefined ? !isHash || sha256(document) === named.id : known === document;
  if (isOwn && known === undefined && named.isApollo) sources.automatic?.set(named.id, document);
  if (isOwn) return;
  const where = named.isApollo ? 'The hash in `extensions.persistedQuery`' : 'The `documentId`';
  throw createRequestError(
    400,
    'BAD_REQUEST',
    `${where} doesn’t match the document in \`query\`. Send a matching pair, or only one of them.`,
  );
}

/** Yoga doesn't read `documentId` from the URL. */
export const readAllParams = (request: Request, params: GraphQLParams): RequestParams =>
  request.method === 'GET' ? { ...params, documentId: new URL(request.url).searchParams.get('documentId') } : params;

/** The document that a request contains or refers to. Throws errors that are meant for clients. */
export function resolveDocument(params: RequestParams, sources: DocumentSources): unknown {
  const { query } = params;
  const named = readReference(params);
  if (sources.mode === 'only' && (query || !named))
    throw createDocumentError(
      'PERSISTED_QUERY_ID_REQUIRED',
      'This server executes only trusted documents. Send `documentId` instead of `query`.',
    );
  if (!named) return query;
  if (typeof query === 'string' && query) registerDocument(named, query, sources);
  return query || getDocument(named, sources);
}

/** Resolves the document IDs of requests. The documents are then subject to the same limits as all others. */
export const useDocumentIds = (sources: DocumentSources): Plugin => ({
  onParams({ request, params, setParams }) {
    const sent = readAllParams(request, params ?? {});
    const query = resolveDocument(sent, sources);
    const { documentId, ...rest } = sent;
    if (query !== rest.query) setParams({ ...rest, query: query as string });
    else if (documentId !== undefined && documentId !== null) setParams(rest);
  },
});
