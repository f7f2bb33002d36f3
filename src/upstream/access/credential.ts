import { hash } from 'node:crypto';
import { hashApiKey } from '../../lib/keyHash.ts';

/**
 * Who sends a request, and with which API key. Scopes, workspace, quota, and cached reads belong to the key. A stored response belongs to the caller, because
 * several accounts can share a key without having the same rights.
 */
export interface Credential {
  /** Sent upstream. */
  readonly apiKey: string;
  readonly keyHash: string;
  /** Identifies who can receive a stored response: the key hash, or for a signed-in account, a hash of the key and the account. */
  readonly callerId: string;
  /** The signed-in account. Null if the client sent the API key itself. */
  readonly account: Account | null;
}

/** An account that has signed in with an access token. */
export interface Account {
  /** Hash of its subject, which can be personal data. */
  readonly subjectHash: string;
  /** The scopes of the API key that the account can use. Null for all. */
  readonly allowedScopes: ReadonlySet<string> | null;
  /** Email address that the provider has verified. Null if the token names none. */
  readonly email: string | null;
}

/** Creates the credential of a client that sends an API key. */
export function createKeyCredential(apiKey: string): Credential {
  const keyHash = hashApiKey(apiKey);
  return { apiKey, keyHash, callerId: keyHash, account: null };
}

/** Prefix of the caller IDs of accounts. Base64url, in which keys are hashed, has no colon. */
const ACCOUNT_PREFIX = 'account:';

const sha256 = (text: string) => hash('sha256', text, 'base64url');

/** Creates the credential of an account. `issuer` and `subject` together identify it. */
export function createAccountCredential(
  apiKey: string,
  issuer: string,
  subject: string,
  { allowedScopes, email }: Pick<Account, 'allowedScopes' | 'email'>,
): Credential & { readonly account: Account } {
  const keyHash = hashApiKey(apiKey);
  const callerId = ACCOUNT_PREFIX + sha256(JSON.stringify([keyHash, issuer, subject]));
  return { apiKey, keyHash, callerId, account: { subjectHash: sha256(subject), allowedScopes, email } };
}

/** Whether a caller has the same API key and scopes with another credential. */
export function hasSameRights(one: Credential, other: Credential): boolean {
  const [scopes, others] = [one, other].map(({ account }) => account?.allowedScopes ?? null);
  const isSameLimit = scopes && others ? scopes.size === others.size && [...scopes].every((scope) => others.has(scope)) : scopes === others;
  return one.callerId === other.callerId && isSameLimit;
}

/** Whether a caller ID belongs to a signed-in account rather than to an API key. */
export const isAccountCaller = (callerId: string): boolean => callerId.startsWith(ACCOUNT_PREFIX);
