import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import type { RetryAdvice } from '../../failures/failures.ts';

interface Terms {
  readonly status: 400 | 401 | 403 | 503;
  readonly code: ErrorCode;
  readonly retry: RetryAdvice;
  /** `error` of the challenge. Null if the request has no challenge, because another credential wouldn't help. Source: RFC 6750, section 3.1. */
  readonly challenge: 'invalid_token' | 'invalid_request' | null;
  readonly message: string;
}

const INVALID = { status: 401, code: 'UNAUTHENTICATED', retry: 'NEVER', challenge: 'invalid_token' } as const;
// `insufficient_scope` would make clients sign in again, with the same result.
const UNASSIGNED = { status: 403, code: 'FORBIDDEN', retry: 'NEVER', challenge: null } as const;
const MALFORMED = { status: 400, code: 'BAD_REQUEST', retry: 'NEVER', challenge: 'invalid_request' } as const;

const REFUSALS = {
  TOKEN_EXPIRED: { ...INVALID, message: 'The access token has expired. Renew it, or sign in again.' },
  TOKEN_INVALID: { ...INVALID, message: 'The access token isn’t valid for this server. Sign in again.' },
  TOKEN_REVOKED: { ...INVALID, message: 'The access token was issued before the account was signed out. Sign in again.' },
  API_KEYS_DISABLED: {
    ...INVALID,
    message: 'API keys aren’t accepted. Sign in, and send the access token as `Authorization: Bearer <token>`.',
  },
  NO_KEY_ASSIGNED: { ...UNASSIGNED, message: 'No API key is assigned to this account. Contact your workspace administrator.' },
  AMBIGUOUS_KEY: { ...UNASSIGNED, message: 'Several API keys are assigned to this account. Select one with the header `X-Workspace`.' },
  TWO_CREDENTIALS: {
    ...MALFORMED,
    message: 'The request has several credentials. Send one `Authorization` header, or one `X-API-Key` header.',
  },
  TOKEN_AS_KEY: {
    ...MALFORMED,
    message: 'Access tokens aren’t accepted in `X-API-Key`. Send the token as `Authorization: Bearer <token>`.',
  },
  SIGN_IN_UNAVAILABLE: {
    status: 503,
    code: 'SIGN_IN_UNAVAILABLE',
    retry: 'SAFE',
    challenge: null,
    message: 'The access token can’t currently be verified. Nothing was executed. Retry in {seconds} s.',
  },
} as const satisfies Readonly<Record<string, Terms>>;

/** Why a request isn't executed because of its credential: the error's `reason`. */
export type RefusalReason = keyof typeof REFUSALS;

export const REFUSAL_REASONS = Object.keys(REFUSALS) as RefusalReason[];

/** Seconds after which to retry if a credential can't be verified. Chosen: a provider that restarts takes a few seconds. */
const RETRY_AFTER_SECONDS = 2;

const toErrorBody = (message: string, extensions: object) => ({ errors: [{ message, extensions }] });

/** Error codes of JSON-RPC. Source: https://www.jsonrpc.org/specification#error_object */
export const RPC_CODES = { parseError: -32_700, invalidRequest: -32_600, serverError: -32_000 } as const;

/** A message of the Model Context Protocol, for a request that reaches no tool. `id` is null if it's unknown. */
export const toToolBody = (message: string, id: unknown = null, code: number = RPC_CODES.serverError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

export const getRefusalCode = (reason: RefusalReason): ErrorCode => REFUSALS[reason].code;

/** The challenge of a response. `metadataUrl` is where clients find out where to sign in. Source: RFC 9728, section 5.1. */
export function createChallenge(metadataUrl: string | null, error?: string): string {
  const params = [...(error ? [`error="${error}"`] : []), ...(metadataUrl ? [`resource_metadata="${metadataUrl}"`] : [])];
  return params.length > 0 ? `Bearer ${params.join(', ')}` : 'Bearer';
}

interface RefusalOptions {
  /** Whether the request is a message to the tool server. */
  readonly isTool: boolean;
  readonly metadataUrl: string | null;
  /** When to retry a request whose credential can't be verified. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Responds to a request that isn't executed. */
export function sendRefusal(
  { headers }: IncomingMessage,
  response: ServerResponse,
  reason: RefusalReason,
  { isTool, metadataUrl, retryAfterSeconds = RETRY_AFTER_SECONDS }: RefusalOptions,
): void {
  const { status, code, retry, challenge, message: template }: Terms = REFUSALS[reason];
  const message = template.replace('{seconds}', String(retryAfterSeconds));
  const extensions = { code, reason, retry, ...(status === 503 && { retryAfterSeconds }) };
  const body = isTool ? toToolBody(message) : toErrorBody(message, extensions);
  const isGraphqlType = !isTool && headers.accept?.includes('application/graphql-response+json');
  response
    .writeHead(status, {
      'content-type': `application/${isGraphqlType ? 'graphql-response+json' : 'json'}; charset=utf-8`,
      ...(challenge && { 'www-authenticate': createChallenge(metadataUrl, challenge) }),
      ...(status === 503 && { 'retry-after': String(retryAfterSeconds) }),
    })
    .end(JSON.stringify(body));
}
