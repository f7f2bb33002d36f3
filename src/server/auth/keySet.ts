import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock, type TimeRange } from '../../lib/clock.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { isTrustedUrl } from '../../lib/trustedUrl.ts';

/** Neither the provider's configuration nor its keys have ever been read, or not for a day. */
export class KeySetUnavailableError extends Error {
  override readonly name: string = 'KeySetUnavailableError';
}

/** The provider at the issuer's address identifies itself as another issuer, so its keys must not be used. */
export class IssuerMismatchError extends KeySetUnavailableError {
  override readonly name = 'IssuerMismatchError';
}

/** Timeout of a request to the provider, in milliseconds. Chosen: providers respond within a second, and a request waits for it. */
const TIMEOUT_MS = 5_000;
/** How long the last key set is used while the provider is unreachable, in milliseconds. Chosen: longer than an outage, shorter than a lost key must be trusted. */
const LAST_GOOD_MS = 24 * 60 * 60 * 1000;
/** Interval between attempts to read from the provider while it's unreachable, in milliseconds. Chosen: requests get 503 with the same Retry-After. */
const ATTEMPT_INTERVAL_MS = 2_000;
/** How long a key set is used before it is read again, and how soon an unknown key can cause another read, in milliseconds. Both are jose's defaults. */
const MAX_AGE_MS = 10 * 60 * 1000;
const COOLDOWN_MS = 30_000;

/** Throws the converted error if a text isn't a key set. */
function checkKeySet(text: string, convert: (error: unknown) => Error): void {
  try {
    createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
  } catch (error) {
    throw convert(error);
  }
}

export interface KeySetOptions {
  readonly issuer: string;
  /** Called when reading from the provider fails. */
  readonly onFailure: (error: unknown) => void;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

/**
 * The signing keys of an OpenID Connect provider. jose rejects every token once its key set is outdated and the provider is unreachable. This class then keeps
 * using the last key set for a day.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  readonly #fetch: typeof fetch;
  readonly #clock: Clock;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  /** The time after a failed attempt in which there's no other. */
  #pause: TimeRange = EXPIRED;
  #lastGood: { readonly text: string; readonly usable: TimeRange } | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? fetch;
    this.#clock = options.clock ?? systemClock;
  }

  /** Resolves to the function that finds the key of a token. Rejects with KeySetUnavailableError or IssuerMismatchError. */
  getKeys(): Promise<JWTVerifyGetKey> {
    if (this.#keys) return this.#keys;
    this.#keys = this.#discover();
    this.#keys.catch((error: unknown) => {
      this.#keys = undefined;
      if (error instanceof IssuerMismatchError) this.#startPause();
    });
    return this.#keys;
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const { issuer } = this.#options;
    const configuration = parseJson(await this.#read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
    if (!isJsonObject(configuration)) throw this.#fail(new Error('The provider’s configuration isn’t a JSON object.'));
    const { issuer: named, jwks_uri: keysUrl } = configuration;
    if (named !== issuer) throw new IssuerMismatchError(`The provider’s configuration names the issuer ${String(named)}, not ${issuer}.`);
    if (typeof keysUrl !== 'string' || !isTrustedUrl(keysUrl))
      throw this.#fail(new Error('The provider’s configuration has no jwks_uri with https.'));
    return createRemoteJWKSet(new URL(keysUrl), {
      cacheMaxAge: MAX_AGE_MS,
      cooldownDuration: COOLDOWN_MS,
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: () => this.#readKeys(keysUrl),
    });
  }

  /** Reads the key set, or returns the last one. */
  async #readKeys(url: string): Promise<Response> {
    try {
      const text = await this.#read(url);
      checkKeySet(text, (error) => this.#fail(error));
      this.#lastGood = { text, usable: createTimeRange(this.#clock.monotonicMs(), LAST_GOOD_MS) };
      return new Response(text);
    } catch (error) {
      if (this.#lastGood && getRemainingMs(this.#lastGood.usable, this.#clock.monotonicMs()) > 0) return new Response(this.#lastGood.text);
      throw error;
    }
  }

  /** Reads a document of the provider. Redirects aren't followed, because they could lead to another host's keys. */
  async #read(url: string): Promise<string> {
    if (getRemainingMs(this.#pause, this.#clock.monotonicMs()) > 0)
      throw new KeySetUnavailableError('The latest attempt to read from the provider failed.');
    try {
      const response = await this.#fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.status !== 200) throw new Error(`${url} responded with status ${response.status}, expected 200.`);
      return await response.text();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #startPause(): void {
    this.#pause = createTimeRange(this.#clock.monotonicMs(), ATTEMPT_INTERVAL_MS);
  }

  #fail(cause: unknown): KeySetUnavailableError {
    this.#startPause();
    this.#options.onFailure(cause);
    return new KeySetUnavailableError('The provider can’t be used.', { cause });
  }
}
