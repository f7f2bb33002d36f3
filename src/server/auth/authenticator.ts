import type { IncomingMessage } from 'node:http';
import type { JWTPayload } from 'jose';
import { type Account, type Credential, createAccountCredential } from '../../upstream/access/credential.ts';
import type { CurrentRequest } from '../execution/currentRequest.ts';
import type { Assignment, CachedKeyStore } from './keyStore.ts';
import type { RefusalReason } from './refusal.ts';
import { isTokenLike, type TokenVerifier, type Verification, type VerifiedToken } from './tokenVerifier.ts';

/** Selects one of several API keys of an account, by the claim value that it's assigned to. */
const WORKSPACE_HEADER = 'x-workspace';
/** Maximum number of values of a claim that are looked up. Chosen: an account is in fewer groups that have a key. */
const MAX_CLAIM_VALUES = 100;

export interface AuthenticatorOptions {
  readonly issuer: string;
  /** Verifiers of tokens for GraphQL requests and for agent tools, which have different audiences. */
  readonly verifiers: { readonly graphql: TokenVerifier; readonly tools: TokenVerifier };
  readonly store: CachedKeyStore;
  /** Claim whose values API keys are assigned to. A name with dots can also be a path. */
  readonly claim: string;
  /** Whether clients can also send API keys. */
  readonly acceptsKeys: boolean;
}

/** Returns the values of a claim. Empty if the token has none. */
function readClaim(payload: JWTPayload, claim: string): readonly string[] {
  const read = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  const found = read(payload, claim) ?? claim.split('.').reduce<unknown>(read, payload);
  const values = Array.isArray(found) ? found : [found];
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))].slice(0, MAX_CLAIM_VALUES);
}

/** The account of a verified token, as of its last request. */
interface KnownAccount {
  readonly claimValues: readonly string[];
  assignment?: Assignment;
  credential?: Credential & { readonly account: Account };
}

/** Characters of the subject's hash in the log: enough to distinguish accounts. */
const LOGGED_HASH = 8;

/** A claim value and its assignment. */
type Candidate = readonly [claimValue: string, assignment: Assignment];

/** Returns the assignment to use, or why there is none. The order of the values doesn't matter, because the provider chooses it. */
function chooseAssignment(candidates: readonly Candidate[], workspace: string | undefined): Assignment | RefusalReason {
  const matching = workspace === undefined ? candidates : candidates.filter(([claimValue]) => claimValue === workspace);
  const [first, ...others] = matching;
  if (!first) return 'NO_KEY_ASSIGNED';
  return others.length > 0 ? 'AMBIGUOUS_KEY' : first[1];
}

type MaybeRefusal = RefusalReason | undefined;

/**
 * Exchanges access tokens for API keys. The graph verifies tokens of one issuer, and never sends them upstream. Requests without a credential are admitted,
 * because they get only what needs none.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** By verified token, so that a request with a known one computes no hash but that of the token. */
  readonly #accounts = new WeakMap<VerifiedToken, KnownAccount>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Discards cached assignments of API keys. */
  forgetAssignments(): void {
    this.#options.store.clear();
  }

  /** Sets the credential of a request, or returns why the request is refused. Synchronous unless something has to be verified or looked up. */
  authenticate(current: CurrentRequest, request: IncomingMessage, isTool: boolean): MaybeRefusal | Promise<MaybeRefusal> {
    const { verifiers, acceptsKeys } = this.#options;
    const refusal = this.#checkHeaders(current, request);
    const keyRefusal = current.credential && !acceptsKeys ? 'API_KEYS_DISABLED' : undefined;
    if (refusal ?? keyRefusal) {
      current.credential = null;
      return refusal ?? keyRefusal;
    }
    if (current.token === null) return undefined;
    const verification = (isTool ? verifiers.tools : verifiers.graphql).verify(current.token);
    const header = request.headers[WORKSPACE_HEADER];
    const workspace = typeof header === 'string' ? header : undefined;
    const finish = (verified: Verification): MaybeRefusal | Promise<MaybeRefusal> => {
      if ('refusal' in verified) return verified.refusal;
      const assignment = this.#findAssignment(verified, workspace);
      const assign = (found: Assignment | RefusalReason) => this.#assign(current, verified, found);
      return assignment instanceof Promise ? assignment.then(assign) : assign(assignment);
    };
    return verification instanceof Promise ? verification.then(finish) : finish(verification);
  }

  /** A token must be the only credential, so that it's clear who sends the request. */
  #checkHeaders({ token }: CurrentRequest, { headers: { authorization, 'x-api-key': key } }: IncomingMessage): RefusalReason | undefined {
    const isKeyToken = key !== undefined && isTokenLike(String(key));
    const isBearerToken = authorization !== undefined && isTokenLike(authorization);
    if ((isKeyToken || isBearerToken) && authorization !== undefined && key !== undefined) return 'TWO_CREDENTIALS';
    if (isKeyToken) return 'TOKEN_AS_KEY';
    // Such as a token that contains a space, which isn't a bearer token.
    return isBearerToken && token === null ? 'TOKEN_INVALID' : undefined;
  }

  #getAccount(verified: VerifiedToken): KnownAccount {
    const known = this.#accounts.get(verified);
    if (known) return known;
    const account: KnownAccount = { claimValues: readClaim(verified.payload, this.#options.claim) };
    this.#accounts.set(verified, account);
    return account;
  }

  #findAssignment(
    verified: VerifiedToken,
    workspace: string | undefined,
  ): Assignment | RefusalReason | Promise<Assignment | RefusalReason> {
    const { store } = this.#options;
    const { claimValues: values } = this.#getAccount(verified);
    const [first] = values;
    const known = first !== undefined && values.length === 1 ? store.getKnown(first) : undefined;
    if (first !== undefined && known) return chooseAssignment([[first, known]], workspace);
    return Promise.all(values.map(async (value) => [value, await store.find(value)] as const)).then(
      (found) =>
        chooseAssignment(
          found.filter((each): each is Candidate => each[1] !== undefined),
          workspace,
        ),
      (): RefusalReason => 'SIGN_IN_UNAVAILABLE',
    );
  }

  #assign(current: CurrentRequest, verified: VerifiedToken, found: Assignment | RefusalReason): MaybeRefusal {
    if (typeof found === 'string') return found;
    const { sub, iat } = verified.payload;
    if (iat < found.issuedAfter) return 'TOKEN_REVOKED';
    const account = this.#getAccount(verified);
    const isKnown = account.assignment === found;
    const credential = (isKnown && account.credential) || createAccountCredential(found.apiKey, this.#options.issuer, sub, found.scopes);
    account.assignment = found;
    account.credential = credential;
    current.credential = credential;
    current.log.account = credential.account.subjectHash.slice(0, LOGGED_HASH);
    return undefined;
  }
}
