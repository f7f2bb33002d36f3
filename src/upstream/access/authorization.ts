import { ForbiddenError, UpstreamInvalidError } from '../../failures/failures.ts';
import { type AnyOperation, isRead } from '../contract/operation.ts';
import type { Credential } from './credential.ts';
import { type GrantCache, type Grantee, type Grants, mayHaveScope } from './grants.ts';
import { checkScopes, getRequirements, type ScopeCheck } from './scopeRequirements.ts';
import { findMissing, findMissingByName, getRequiredScopes } from './scopes.ts';

/** Whether an operation is a write without a documented scope, which a limited account can't send. */
const isUndocumentedWrite = (operation: AnyOperation) => operation.scopesUnknown === true && !isRead(operation);

/**
 * Permissions of the caller of one request: those of its API key, limited to the scopes that its account is allowed. Caches the decision for each operation,
 * unless its scopes depend on the input.
 */
export class Authorization {
  readonly #cache: GrantCache;
  readonly #grantee: Grantee;
  readonly credential: Credential;
  /** Scopes that the caller's account is limited to. Null if it isn't. */
  readonly allowedScopes: ReadonlySet<string> | null;
  /** Grants that were sufficient, by operation. */
  readonly #granted = new Map<AnyOperation, Grants>();
  #renewal: Promise<Grants> | undefined;

  constructor(cache: GrantCache, grantee: Grantee, credential: Credential) {
    this.#cache = cache;
    this.#grantee = grantee;
    this.credential = credential;
    this.allowedScopes = credential.account?.allowedScopes ?? null;
  }

  /** Returns the caller's grants, at most 30 seconds old. Throws UnauthenticatedError if the upstream rejects the key. */
  async getGrants(): Promise<Grants> {
    return this.#limit(await this.#cache.get(this.#grantee));
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
    const wanted = this.#getAllowed(operation, request);
    const known = this.#cache.getKnown(this.#grantee.key);
    if (!known || findMissing(known, wanted).length > 0) return this.#fetchFor(wanted);
    if (!operation.conditionalScopes) this.#granted.set(operation, known);
    return known;
  }

  /** Like `require`, but looks the scopes up again. For responses that aren't fetched from the upstream. Throws UnauthenticatedError if the key was revoked. */
  async requireCurrent(operation: AnyOperation, request: object = {}): Promise<void> {
    const wanted = this.#getAllowed(operation, request);
    this.#checkMissing(findMissing(await this.#renewGrants(), wanted), wanted);
  }

  /**
   * Returns the scopes that the caller doesn't have by name, after another lookup. Null if its scopes are unknown. Throws UnauthenticatedError if the key is
   * invalid.
   */
  async findMissingByName(wanted: readonly string[]): Promise<readonly string[] | null> {
    if (findMissingByName(await this.getGrants(), wanted)?.length === 0) return [];
    return findMissingByName(this.#limit(await this.#cache.recheck(this.#grantee)), wanted);
  }

  /** Whether the caller's scopes allow it to call all of these operations. */
  async check(operations: readonly AnyOperation[]): Promise<ScopeCheck> {
    const { scopes } = await this.getGrants();
    const check = checkScopes(getRequirements(operations), scopes);
    const { allowedScopes } = this;
    if (!allowedScopes) return check;
    const assumed = operations.flatMap(({ assumedScopes = [] }) => assumedScopes).filter((scope) => !allowedScopes.has(scope));
    const isDenied = assumed.length > 0 || operations.some(isUndocumentedWrite);
    return isDenied ? { can: 'NO', missingScopes: [...new Set([...check.missingScopes, ...assumed])] } : check;
  }

  /** Returns the scopes of the key that the caller can use. Null if the upstream doesn't report them and the caller isn't limited to any. */
  limitScopes(scopes: ReadonlySet<string> | null): ReadonlySet<string> | null {
    const { allowedScopes } = this;
    return allowedScopes ? new Set([...allowedScopes].filter((scope) => mayHaveScope(scopes, scope))) : scopes;
  }

  /** Discards the grants that this request has renewed. */
  forget(): void {
    this.#renewal = undefined;
  }

  /** Limits grants to the allowed scopes. If the upstream doesn't report the key's scopes, it decides which of the allowed ones the key has. */
  #limit(grants: Grants): Grants {
    return this.allowedScopes ? { ...grants, scopes: this.limitScopes(grants.scopes) } : grants;
  }

  /**
   * Returns the scopes that the key must have for a request. Throws ForbiddenError if the account isn't allowed one of them. Without documented scopes, a limited
   * account needs the assumed ones for a read, and can't send a write.
   */
  #getAllowed(operation: AnyOperation, request: object): readonly string[] {
    const wanted = getRequiredScopes(operation, request);
    const { allowedScopes } = this;
    if (!allowedScopes) return wanted;
    if (isUndocumentedWrite(operation)) throw new ForbiddenError('UNDOCUMENTED_SCOPE', wanted);
    const needed = operation.assumedScopes ?? wanted;
    this.#checkMissing(
      needed.filter((scope) => !allowedScopes.has(scope)),
      needed,
    );
    return wanted;
  }

  #checkMissing(missing: readonly string[], wanted: readonly string[]): void {
    if (missing.length === 0) return;
    throw new ForbiddenError(this.credential.account ? 'ACCOUNT_SCOPE' : 'MISSING_SCOPE', wanted, missing);
  }

  async #fetchFor(wanted: readonly string[]): Promise<Grants> {
    const grants = await this.#cache.get(this.#grantee);
    if (findMissing(grants, wanted).length === 0) return grants;
    const renewed = await this.#cache.recheck(this.#grantee);
    this.#checkMissing(findMissing(renewed, wanted), wanted);
    return renewed;
  }

  /** Renews the grants once per request, until `forget`. */
  async #renewGrants(): Promise<Grants> {
    this.#renewal ??= this.#cache.renew(this.#grantee);
    return this.#renewal;
  }
}
