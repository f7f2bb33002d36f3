import { ForbiddenError, UpstreamInvalidError } from '../../failures/failures.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { GrantCache, Grants } from './grants.ts';
import { findMissing, findMissingByName, getRequiredScopes } from './scopes.ts';

/** Permissions of the API key of one request. Caches the decision for each operation, unless its scopes depend on the input. */
export class Authorization {
  readonly #cache: GrantCache;
  readonly #keyHash: string;
  readonly #apiKey: string;
  /** Grants that were sufficient, by operation. */
  readonly #granted = new Map<AnyOperation, Grants>();
  #renewal: Promise<Grants> | undefined;

  constructor(cache: GrantCache, keyHash: string, apiKey: string) {
    this.#cache = cache;
    this.#keyHash = keyHash;
    this.#apiKey = apiKey;
  }

  /** Returns the key's grants, at most 30 seconds old. Throws UnauthenticatedError if the upstream rejects the key. */
  getGrants(): Promise<Grants> {
    return this.#cache.get(this.#keyHash, this.#apiKey);
  }

  /**
   * Returns the workspace of the key. Null if the upstream reports none. Throws UpstreamInvalidError if the upstream omits it although it reports those of
   * other keys: entries that are stored by workspace would be missed.
   */
  async getWorkspaceId(): Promise<string | null> {
    const cached = await this.getGrants();
    const { workspaceId, lacksWorkspace } = cached.lacksWorkspace ? await this.#renewGrants() : cached;
    if (!lacksWorkspace) return workspaceId;
    throw new UpstreamInvalidError('it doesn’t include the workspace of the key, but does so for other keys');
  }

  /**
   * Returns grants with all scopes that the operation requires, synchronously if they are known. Throws or rejects with ForbiddenError, which lists every
   * missing scope.
   */
  require(operation: AnyOperation, request: object): Grants | Promise<Grants> {
    const granted = this.#granted.get(operation);
    if (granted) return granted;
    const wanted = getRequiredScopes(operation, request);
    const known = this.#cache.getKnown(this.#keyHash);
    if (!known || findMissing(known, wanted).length > 0) return this.#fetchFor(wanted);
    if (!operation.conditionalScopes) this.#granted.set(operation, known);
    return known;
  }

  /** Like `require`, but looks the scopes up again. For responses that aren't fetched from the upstream. Throws UnauthenticatedError if the key was revoked. */
  async requireCurrent(operation: AnyOperation, request: object = {}): Promise<void> {
    const wanted = getRequiredScopes(operation, request);
    const missing = findMissing(await this.#renewGrants(), wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
  }

  /**
   * Returns the scopes that the key doesn't have by name, after another lookup. Null if its scopes are unknown. Throws UnauthenticatedError if the key is
   * invalid.
   */
  async findMissingByName(wanted: readonly string[]): Promise<readonly string[] | null> {
    if (findMissingByName(await this.getGrants(), wanted)?.length === 0) return [];
    return findMissingByName(await this.#cache.recheck(this.#keyHash, this.#apiKey), wanted);
  }

  /** Discards the grants that this request has renewed. */
  forget(): void {
    this.#renewal = undefined;
  }

  async #fetchFor(wanted: readonly string[]): Promise<Grants> {
    const grants = await this.getGrants();
    if (findMissing(grants, wanted).length === 0) return grants;
    const renewed = await this.#cache.recheck(this.#keyHash, this.#apiKey);
    const missing = findMissing(renewed, wanted);
    if (missing.length > 0) throw new ForbiddenError('MISSING_SCOPE', wanted, missing);
    return renewed;
  }

  /** Renews the grants once per request, until `forget`. */
  async #renewGrants(): Promise<Grants> {
    this.#renewal ??= this.#cache.renew(this.#keyHash, this.#apiKey);
    return this.#renewal;
  }
}
