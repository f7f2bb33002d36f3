import { ForbiddenError, UnauthenticatedError, UpstreamInvalidError } from '../../failures/failures.ts';
import { type Clock, createTimeRange, getRemainingMs, systemClock } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';

/** Scopes and workspace of a key, as the upstream reports them. */
export interface ReportedGrants {
  /** Null if the upstream doesn't report them, so that only the upstream can decide. */
  readonly scopes: ReadonlySet<string> | null;
  readonly workspaceId: string | null;
  /** Whether the key can read its own grants, which requires a scope. */
  readonly canReadGrants: boolean;
}

/** Known scopes and workspace of a key. */
export interface Grants extends ReportedGrants {
  /**
   * Whether the upstream omitted the workspace although it reports those of other keys. Nothing must then be stored or looked up as if the key had no
   * workspace.
   */
  readonly lacksWorkspace: boolean;
}

/** How long the grants of a key are cached, in milliseconds. Chosen: a granted or revoked scope takes effect within half a minute. */
export const GRANTS_MS = 30_000;
/** Grants older than this are fetched again before a denial, because the scope may have been granted since. In milliseconds. */
const RECHECK_MS = 5_000;
/** How long a rejected key is cached, in milliseconds, so that an invalid key doesn't cost a call per request. */
const REJECTED_KEY_MS = 5_000;

/** The grants of a key in the cache. */
export interface GrantEntry {
  readonly grants: Promise<Grants>;
  /** Undefined until `grants` is resolved. */
  known: Grants | undefined;
  /** Whether the request for the grants is in flight. */
  isInFlight: boolean;
  /** A newer request for the grants that is in flight. */
  renewal?: Promise<Grants>;
  /** On the monotonic clock. */
  readonly requestedAt: number;
  ttlMs: number;
}

/** An API key, with its grants. */
export interface GrantKey {
  /** Null if they must be fetched. */
  grants: GrantEntry | null;
  /** The latest response, regardless of its age. */
  reportedGrants: ReportedGrants | null;
}

/** A caller, with its API key. */
export interface Grantee {
  readonly apiKey: string;
  readonly key: GrantKey;
}

/** Whether a value, including nested ones, is a default that proto-JSON can omit. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return !value;
}

/**
 * Parses a response of `Me`. Its shape isn't documented, so the scopes are searched for in likely places. Throws UpstreamInvalidError if the response is empty.
 */
export function parseGrants(response: object): ReportedGrants {
  if (isEmpty(response)) throw new UpstreamInvalidError('it contains nothing about the key or its workspace');
  const { apiKey, key, workspace } = response as Readonly<Record<string, unknown>>;
  const lists = [apiKey, key, response].filter(isJsonObject).map(({ scopes }) => scopes);
  const found = lists.find((list): list is string[] => Array.isArray(list) && list.every((scope) => typeof scope === 'string'));
  const workspaceId = isJsonObject(workspace) ? workspace.id : undefined;
  return {
    scopes: found ? new Set(found) : null,
    workspaceId: typeof workspaceId === 'string' && workspaceId ? workspaceId : null,
    canReadGrants: true,
  };
}

/** Grants of a key that can't read them. */
export const UNREADABLE_GRANTS: ReportedGrants = { scopes: null, workspaceId: null, canReadGrants: false };

/** Scopes that no wildcard includes. Source: the upstream's description of its analytics. */
const EXACT_ONLY = new Set(['analytics:read']);

/** Whether a key with these scopes may have another one. The syntax of wildcards isn't documented, so every wildcard that may include the scope counts. */
export function mayHaveScope(scopes: ReadonlySet<string> | null, scope: string): boolean {
  if (!scopes || scopes.has(scope)) return true;
  const [domain] = scope.split(':');
  return !EXACT_ONLY.has(scope) && (scopes.has('*') || scopes.has(`${domain}:*`));
}

/**
 * Cache of each key's grants. Sends one request per key at a time. A response that omits the workspace or the scopes doesn't discard those that
 * are known, because data that is stored by workspace would be missed.
 */
export class GrantCache {
  readonly #fetch: (apiKey: string) => Promise<ReportedGrants>;
  readonly #clock: Clock;
  /** Whether this upstream has ever reported a workspace. */
  #reportsWorkspaces = false;

  /** `fetch` requests the grants of a key. */
  constructor(fetch: (apiKey: string) => Promise<ReportedGrants>, clock: Clock = systemClock) {
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /** Returns the grants of a key, at most 30 seconds old. */
  get(grantee: Grantee): Promise<Grants> {
    return this.#findFresh(grantee.key)?.grants ?? this.#refresh(grantee);
  }

  /** Like `get`, but synchronous. Undefined if the grants must be fetched. */
  getKnown(key: GrantKey): Grants | undefined {
    return this.#findFresh(key)?.known;
  }

  #findFresh({ grants: entry }: GrantKey): GrantEntry | undefined {
    return entry && this.#isFresherThan(entry, entry.ttlMs) ? entry : undefined;
  }

  /** Returns the grants of a key. Fetches them again if they are more than 5 seconds old. For use before a denial. */
  recheck(grantee: Grantee): Promise<Grants> {
    const { grants: entry } = grantee.key;
    return entry && this.#isFresherThan(entry, Math.min(RECHECK_MS, entry.ttlMs)) ? entry.grants : this.#refresh(grantee);
  }

  /**
   * Fetches the grants of a key again, unless a request for them is in flight. For use before a response that isn't fetched from the upstream. Other requests
   * use the cached grants in the meantime.
   */
  renew(grantee: Grantee): Promise<Grants> {
    const entry = this.#findFresh(grantee.key);
    if (!entry) return this.#refresh(grantee);
    // A key that was rejected seconds ago must not cost a call per request.
    if (entry.isInFlight || !entry.known) return entry.grants;
    entry.renewal ??= this.#startRenewal(entry, grantee);
    return entry.renewal;
  }

  #startRenewal(entry: GrantEntry, grantee: Grantee): Promise<Grants> {
    const { key } = grantee;
    const next = this.#createEntry(grantee);
    const end = () => {
      // The entry may have been discarded in the meantime.
      if (next.known && key.grants === entry) key.grants = next;
      delete entry.renewal;
    };
    next.grants.then(end, end);
    return next.grants;
  }

  /** Discards what is known about a key that the upstream rejected in another call. A response in flight isn't cached. */
  forget(key: GrantKey): void {
    key.reportedGrants = null;
    const { grants: entry } = key;
    // If the request in flight finds the key rejected, it sets the TTL again.
    if (entry?.isInFlight) entry.ttlMs = 0;
    else if (entry?.known) key.grants = null;
  }

  #isFresherThan({ requestedAt }: GrantEntry, ms: number): boolean {
    return getRemainingMs(createTimeRange(requestedAt, ms), this.#clock.monotonicMs()) > 0;
  }

  #refresh(grantee: Grantee): Promise<Grants> {
    const entry = this.#createEntry(grantee);
    grantee.key.grants = entry;
    return entry.grants;
  }

  /** Fetches the grants. The caller decides whether to cache the entry. */
  #createEntry(grantee: Grantee): GrantEntry {
    const { key } = grantee;
    const grants = this.#fetchGrants(grantee);
    const entry: GrantEntry = { grants, known: undefined, isInFlight: true, requestedAt: this.#clock.monotonicMs(), ttlMs: GRANTS_MS };
    const keep = (known: Grants) => {
      Object.assign(entry, { known, isInFlight: false });
    };
    entry.grants.then(keep, (error: unknown) => {
      entry.isInFlight = false;
      if (isKeyRejection(error)) entry.ttlMs = REJECTED_KEY_MS;
      else if (key.grants === entry) key.grants = null;
    });
    return entry;
  }

  async #fetchGrants({ key, apiKey }: Grantee): Promise<Grants> {
    const previous = key.reportedGrants ?? undefined;
    let reported = mergeKnownGrants(await this.#fetch(apiKey), previous);
    // A single response without a workspace may be a glitch. A second one is trusted.
    if (isWorkspaceMissing(reported) && !(previous && isWorkspaceMissing(previous)))
      reported = mergeKnownGrants(await this.#fetch(apiKey), previous);
    key.reportedGrants = reported;
    this.#reportsWorkspaces ||= reported.workspaceId !== null;
    return { ...reported, lacksWorkspace: isWorkspaceMissing(reported) && this.#reportsWorkspaces };
  }
}

/** Whether the upstream rejects every call with this key, at least from this IP address. */
const isKeyRejection = (error: unknown) =>
  error instanceof UnauthenticatedError || (error instanceof ForbiddenError && error.reason === 'ADDRESS');

const isWorkspaceMissing = ({ canReadGrants, workspaceId }: ReportedGrants) => canReadGrants && workspaceId === null;

/**
 * Returns the newest response, with earlier values for those that it omits. The scopes of a key that can no longer read its grants may have changed, so they
 * are unknown.
 */
const mergeKnownGrants = (
  { canReadGrants, scopes, workspaceId }: ReportedGrants,
  previous: ReportedGrants = UNREADABLE_GRANTS,
): ReportedGrants => ({
  canReadGrants,
  scopes: scopes ?? (canReadGrants ? previous.scopes : null),
  workspaceId: workspaceId ?? previous.workspaceId,
});
