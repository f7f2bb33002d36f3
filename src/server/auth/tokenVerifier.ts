import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { KeyPendingError, type KeySet, KeySetUnavailableError } from './keySet.ts';
import type { RefusalReason } from './refusal.ts';

/** Signature algorithms of access tokens. None is symmetric: a server that can verify such a token could also issue one. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Maximum length of a token, in characters. Chosen: providers’ tokens are below 4 kB, and Node.js limits all headers to 16 kB. */
const MAX_LENGTH = 8_192;
/** By how much the clocks of the provider and this host can differ, in seconds. */
const CLOCK_TOLERANCE_S = 5;
/** Maximum age of a token, in seconds, regardless of when it expires. */
const MAX_AGE_S = 24 * 60 * 60;
/** How long a verified token isn't verified again, in milliseconds, and how many are cached, if they have 1 kB. Verifying one takes 0.2 ms. */
const CACHE_MS = 60_000;
const MAX_CACHED = 10_000;
const MAX_CACHED_CHARACTERS = 10_000 * 1024;

/** Whether a claim is a time in Unix seconds, which can have decimal places. jose accepts Infinity, which is how 1e400 is parsed. */
const isTime = (seconds: number): boolean => seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER;

/** The claims of a verified token. */
export interface VerifiedToken {
  /** When the token isn't accepted anymore, in Unix milliseconds. */
  readonly expiresAt: number;
  readonly payload: JWTPayload & { readonly sub: string; readonly iat: number; readonly exp: number };
}

/** `retryAfterSeconds`: when the token may be accepted, if that is known. */
interface RefusedToken {
  readonly refusal: RefusalReason;
  readonly retryAfterSeconds?: number;
}

export type Verification = VerifiedToken | RefusedToken;

export interface TokenVerifierOptions {
  readonly issuer: string;
  /** A token must have one of these audiences. */
  readonly audience: readonly string[];
  readonly keySet: KeySet;
  /** `typ` of a token's header. Null for any. Source of `at+jwt`: RFC 9068, section 2.1. */
  readonly tokenType: 'at+jwt' | null;
  /** Called with the reason why a token is refused. It's for the log, not for clients. */
  readonly onRefused: (error: Error) => void;
  readonly clock?: Clock;
}

/** A JSON object in base64url starts like this, so that every JWT does, even a damaged one. */
const TOKEN_LIKE = /(?:^|[^\w-])eyJ/;

/** A signed JWT. jose also accepts padding, which the format doesn't have. Source: RFC 7515, section 2. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whether a credential is an access token, valid or not. */
export const isTokenLike = (credential: string): boolean => TOKEN_LIKE.test(credential);

/** Whether a token is signed with another key than those it was verified with. */
const hasOtherKey = (error: unknown) => error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey;

/** Verifies access tokens in the format of RFC 9068. Verified tokens are cached. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #clock: Clock;
  /** By token. Hashing it would take longer than looking it up. */
  readonly #verified: BoundedCache<VerifiedToken>;

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#verified = new BoundedCache({
      entries: MAX_CACHED,
      weight: { max: MAX_CACHED_CHARACTERS, weightOf: (token) => token.length },
      ttlMs: CACHE_MS,
      clock: this.#clock,
    });
  }

  /** Verifies a token. Synchronous if it's cached. */
  verify(token: string): Verification | Promise<Verification> {
    if (token.length > MAX_LENGTH)
      return this.#refuse(new Error(`The token has ${token.length} characters, the maximum is ${MAX_LENGTH}.`));
    const cached = this.#verified.get(token);
    if (!cached) return this.#verify(token);
    return cached.expiresAt <= this.#clock.unixMs() ? { refusal: 'TOKEN_EXPIRED' } : cached;
  }

  async #verify(token: string): Promise<Verification> {
    if (!COMPACT.test(token)) return this.#refuse(new Error('The token isn’t three parts in base64url without padding.'));
    try {
      const { sub, iat = 0, exp = 0, ...payload } = await this.#verifyPayload(token);
      // jose doesn't check its type.
      if (typeof sub !== 'string' || sub === '') return this.#refuse(new Error('The token has no subject.'));
      if (![iat, exp, payload.nbf ?? 0].every(isTime)) return this.#refuse(new Error('The token has an invalid time.'));
      const expiresAt = (Math.min(exp, iat + MAX_AGE_S) + CLOCK_TOLERANCE_S) * 1000;
      const verified = { expiresAt, payload: { ...payload, sub, iat, exp } };
      this.#verified.set(token, verified);
      return verified;
    } catch (error) {
      return this.#refuse(error as Error);
    }
  }

  /** Verifies a token with the known keys, and again with newer ones if the provider may have replaced its key. */
  async #verifyPayload(token: string): Promise<JWTPayload> {
    const { issuer, audience, keySet, tokenType } = this.#options;
    const verifyWith = async (keys: JWTVerifyGetKey) => {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
        maxTokenAge: MAX_AGE_S,
        currentDate: new Date(this.#clock.unixMs()),
        ...(tokenType && { typ: tokenType }),
      });
      return payload;
    };
    const seenAfter = keySet.reads;
    const keys = await keySet.getKeys();
    try {
      return await verifyWith(keys);
    } catch (error) {
      if (!hasOtherKey(error)) throw error;
      const { kid } = decodeProtectedHeader(token);
      // Whatever keys the provider has, it wouldn't reuse the ID of another one.
      const mayBeNew = kid === undefined || error instanceof errors.JWKSNoMatchingKey;
      const id = kid === undefined ? token : `kid ${kid}`;
      if (mayBeNew) keySet.recordUnknown(id, seenAfter);
      const newer = await keySet.readKeys().catch((unavailable: unknown) => {
        throw mayBeNew ? unavailable : error;
      });
      try {
        if (newer === keys) throw error;
        return await verifyWith(newer);
      } catch (failure) {
        if (mayBeNew && hasOtherKey(failure)) keySet.requireReadSince(id);
        throw failure;
      }
    }
  }

  #refuse(error: Error): Verification {
    this.#options.onRefused(error);
    if (error instanceof KeyPendingError) return { refusal: 'SIGN_IN_UNAVAILABLE', retryAfterSeconds: error.retryAfterSeconds };
    if (error instanceof KeySetUnavailableError) return { refusal: 'SIGN_IN_UNAVAILABLE' };
    return { refusal: error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID' };
  }
}
