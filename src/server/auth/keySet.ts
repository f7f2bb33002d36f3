import { hash } from 'node:crypto';
import { createLocalJWKSet, errors, flattenedVerify, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type Dispatcher, request } from 'undici';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock, type TimeRange } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';
import { createProxyAgent, type HttpProxy } from '../../lib/proxy.ts';
import { isTrustedUrl } from '../../lib/trustedUrl.ts';
import { decodeUtf8 } from '../../lib/utf8.ts';

/** The provider's configuration or its keys can't be read. */
export class KeySetUnavailableError extends Error {
  override readonly name: string = 'KeySetUnavailableError';
}

/** The key of a token is unknown, and may be newer than the key set, which isn't read again yet. */
export class KeyPendingError extends KeySetUnavailableError {
  override readonly name = 'KeyPendingError';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('The key of the token is unknown, and the provider’s keys haven’t been read since it was first seen.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The provider at the issuer's address identifies itself as another issuer, so its keys must not be used. */
export class IssuerMismatchError extends KeySetUnavailableError {
  override readonly name = 'IssuerMismatchError';
}

/** Timeout of reading from the provider, in milliseconds. Chosen: providers respond within a second, and a request waits for it. */
const TIMEOUT_MS = 5_000;
/** How long the last key set is used while the provider is unreachable, in milliseconds. Chosen: longer than an outage, shorter than a lost key must be trusted. */
const LAST_GOOD_MS = 24 * 60 * 60 * 1000;
/** Interval between attempts to read from the provider while it's unreachable, in milliseconds. Chosen: requests get 503 with the same Retry-After. */
const ATTEMPT_INTERVAL_MS = 2_000;
/** How long a key set is used before it is read again, and how soon an unknown key can cause another read, in milliseconds. Both are jose's defaults. */
const MAX_AGE_MS = 10 * 60 * 1000;
const COOLDOWN_MS = 30_000;
/** Maximum number of unknown keys that are remembered. Chosen: a provider has a few new ones. If a forged one displaces another, that token gets 503 again. */
const MAX_UNKNOWN = 1_000;

/** Maximum size of a document of the provider, in bytes. Chosen: ten times that of large providers, about 500 keys. */
const MAX_BYTES = 256 * 1024;

/** Creates the function that finds the key of a token in a key set. If several keys match, tries them, because key IDs are optional and need not be unique. */
function createKeyFinder(json: unknown): JWTVerifyGetKey {
  const keys = createLocalJWKSet(json as JSONWebKeySet);
  if (keys.jwks().keys.length === 0) throw new Error('The provider’s key set has no keys.');
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      for await (const key of error) if (await flattenedVerify(token, key).catch(() => null)) return key;
      throw new errors.JWSSignatureVerificationFailed();
    }
  };
}

export interface KeySetOptions {
  readonly issuer: string;
  /** Called when reading from the provider fails. */
  readonly onFailure: (error: unknown) => void;
  readonly proxy?: HttpProxy | undefined;
  readonly clock?: Clock;
}

/**
 * The signing keys of an OpenID Connect provider. While the provider can't be read, its last keys are used for a day. jose's remote key set would reject every
 * token then, and never notices that its URL has changed.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  readonly #clock: Clock;
  readonly #dispatcher: Dispatcher | undefined;
  #lastGood: { readonly keys: JWTVerifyGetKey; readonly read: number; readonly fresh: TimeRange; readonly usable: TimeRange } | undefined;
  /** Number of reads that have been started. */
  reads = 0;
  /** The number of reads that had been started when an unknown key was first seen, by a hash of the key's ID. */
  readonly #unknown = new BoundedCache<number>({ entries: MAX_UNKNOWN });
  /** The latest attempt to read, and the time in which there's no other. */
  #attempt: Promise<JWTVerifyGetKey> | undefined;
  #pause: TimeRange = EXPIRED;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#dispatcher = options.proxy && createProxyAgent(options.proxy);
  }

  /** Resolves to the function that finds the key of a token. Rejects with KeySetUnavailableError or IssuerMismatchError. */
  async getKeys(): Promise<JWTVerifyGetKey> {
    const { keys, fresh = EXPIRED, usable = EXPIRED } = this.#lastGood ?? {};
    if (keys && this.#isWithin(fresh)) return keys;
    try {
      return await this.readKeys();
    } catch (error) {
      if (keys && this.#isWithin(usable)) return keys;
      throw error;
    }
  }

  /** Reads the keys from the provider, unless that was attempted recently or is in progress. Resolves to the result of the latest attempt. */
  readKeys(): Promise<JWTVerifyGetKey> {
    if (this.#attempt && this.#isWithin(this.#pause)) return this.#attempt;
    this.#startPause(Number.POSITIVE_INFINITY);
    this.#attempt = this.#attemptToRead();
    return this.#attempt;
  }

  /** Records that the key of a token isn't in the key set. `id` identifies the key, and `seenAfter` is the number of reads when the token arrived. */
  recordUnknown(id: string, seenAfter: number): void {
    const name = hash('sha256', id, 'base64url');
    if (this.#unknown.get(name) === undefined) this.#unknown.set(name, seenAfter);
  }

  /** Throws KeyPendingError unless the keys were read successfully after this key was first recorded as unknown. */
  requireReadSince(id: string): void {
    const seenAfter = this.#unknown.get(hash('sha256', id, 'base64url')) ?? this.reads;
    if ((this.#lastGood?.read ?? 0) > seenAfter) return;
    const waitMs = getRemainingMs(this.#pause, this.#clock.monotonicMs());
    throw new KeyPendingError(Math.max(1, Math.ceil(Math.min(waitMs, COOLDOWN_MS) / 1000)));
  }

  async #attemptToRead(): Promise<JWTVerifyGetKey> {
    this.reads += 1;
    const read = this.reads;
    try {
      const keys = createKeyFinder(await this.#readKeySet());
      const now = this.#clock.monotonicMs();
      this.#lastGood = { keys, read, fresh: createTimeRange(now, MAX_AGE_MS), usable: createTimeRange(now, LAST_GOOD_MS) };
      this.#startPause(COOLDOWN_MS);
      return keys;
    } catch (error) {
      this.#startPause(ATTEMPT_INTERVAL_MS);
      this.#options.onFailure(error);
      throw error instanceof IssuerMismatchError ? error : new KeySetUnavailableError('The provider can’t be used.', { cause: error });
    }
  }

  /** Reads the configuration each time, because the URL of the key set can change. */
  async #readKeySet(): Promise<unknown> {
    const { issuer } = this.#options;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const configuration = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal, this.#dispatcher);
    if (!isJsonObject(configuration)) throw new Error('The provider’s configuration isn’t a JSON object.');
    const { issuer: named, jwks_uri: keysUrl } = configuration;
    if (named !== issuer) throw new IssuerMismatchError(`The provider’s configuration names the issuer ${String(named)}, not ${issuer}.`);
    if (typeof keysUrl !== 'string' || !isTrustedUrl(keysUrl)) throw new Error('The provider’s configuration has no jwks_uri with https.');
    return readJson(keysUrl, signal, this.#dispatcher);
  }

  #isWithin(range: TimeRange): boolean {
    return getRemainingMs(range, this.#clock.monotonicMs()) > 0;
  }

  #startPause(ms: number): void {
    this.#pause = createTimeRange(this.#clock.monotonicMs(), ms);
  }
}

/** Reads a document of the provider. Redirects aren't followed, because they could lead to another host's keys. */
async function readJson(url: string, signal: AbortSignal, dispatcher: Dispatcher | undefined): Promise<unknown> {
  const options = { headers: { accept: 'application/json' }, signal, ...(dispatcher && { dispatcher }) };
  const { statusCode, body } = await request(url, options);
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`${url} responded with status ${statusCode}, expected 200.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} responded with more than ${MAX_BYTES} bytes, which is the maximum.`);
    chunks.push(chunk);
  }
  return JSON.parse(decodeUtf8(Buffer.concat(chunks)) ?? '');
}
