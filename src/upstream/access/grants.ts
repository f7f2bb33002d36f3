import { ForbiddenError, UnauthenticatedError, UpstreamInvalidError } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, msLeftOf, spanOf, systemClock } from '../../lib/clock.ts';
import { isJsonObject } from '../../lib/json.ts';

/** Scopes and workspace of a key, as the upstream tells them. */
interface Told {
  /** Null when the upstream does not tell: then only it can decide. */
  readonly scopes: ReadonlySet<string> | null;
  readonly workspaceId: string | null;
  /** Whether the key may ask: without the scope for it, it is refused. */
  readonly mayAsk: boolean;
}

/** Scopes and workspace of a key, as they are known. */
export interface Grants extends Told {
  /** Whether the workspace was left out by an upstream that tells other keys theirs: nothing may be kept, or looked up, as if there were none. */
  readonly lacksWorkspace: boolean;
}

/** Milliseconds for which the grants of a key are held. Ours: a scope that is given or taken is seen within half a minute. */
export const GRANTS_MS = 30_000;
/** A denial on grants older than this asks the upstream once more: the scope may have been given since. */
const RECHECK_MS = 5_000;
/** How long a refused key is remembered, so that a wrong key does not cost a call per request. */
const REFUSED_MS = 5_000;
/** Keys held at a time. */
const MAX_KEYS = 10_000;

interface Entry {
  readonly grants: Promise<Grants>;
  /** Grants, once they are there. */
  known: Grants | undefined;
  /** Whether the answer is yet to come. */
  isUnderWay: boolean;
  /** A newer question that is under way. */
  renewal?: Promise<Grants>;
  /** By the monotonic clock. */
  readonly askedAt: number;
  ttlMs: number;
}

/** Whether a value, with all that it holds, is what proto-JSON may leave out. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return !value;
}

/**
 * Reads an answer of `Me`. Its shape is not documented, so the scopes are looked for where such answers have them. Fails with UpstreamInvalidError when the
 * answer tells nothing at all.
 */
export function grantsIn(answer: object): Told {
  if (isEmpty(answer)) throw new UpstreamInvalidError('it contains nothing about the key or its workspace');
  const { apiKey, key, workspace } = answer as Readonly<Record<string, unknown>>;
  const lists = [apiKey, key, answer].filter(isJsonObject).map(({ scopes }) => scopes);
  const found = lists.find((list): list is string[] => Array.isArray(list) && list.every((scope) => typeof scope === 'string'));
  const workspaceId = isJsonObject(workspace) ? workspace.id : undefined;
  return {
    scopes: found ? new Set(found) : null,
    workspaceId: typeof workspaceId === 'string' && workspaceId ? workspaceId : null,
    mayAsk: true,
  };
}

/** Stands for the answer to a key that may not ask. */
export const UNTOLD: Told = { scopes: null, workspaceId: null, mayAsk: false };

/** Scopes that no wildcard stands for. Source: the upstream's description of its analytics. */
const EXACT_ONLY = new Set(['analytics:read']);

/** Whether a key with these scopes may hold another one. How the upstream spells wildcards is not documented, so one that could fit counts. */
export function mayHold(scopes: ReadonlySet<string> | null, scope: string): boolean {
  if (!scopes || scopes.has(scope)) return true;
  const [domain] = scope.split(':');
  return !EXACT_ONLY.has(scope) && (scopes.has('*') || scopes.has(`${domain}:*`));
}

/**
 * Cache of the grants of each key, by its hash. A key is asked for once at a time. The workspace of a key, once it was told, does not become
 * unknown by a later answer that leaves it out, since what is kept under the workspace would be overlooked; nor do its scopes.
 */
export class GrantCache {
  readonly #ask: (apiKey: string) => Promise<Told>;
  readonly #clock: Clock;
  /** Without a time of the cache's own: that of an entry changes with what its answer turns out to be. */
  readonly #entries = new BoundedCache<Entry>({ entries: MAX_KEYS });
  /** The last that was told of each key, however old it is. */
  readonly #told = new BoundedCache<Told>({ entries: MAX_KEYS });
  /** Whether this upstream has ever told a workspace. */
  #tellsWorkspaces = false;

  /** `ask` sends the question. */
  constructor(ask: (apiKey: string) => Promise<Told>, clock: Clock = systemClock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /** The grants of a key, at most 30 seconds old. */
  get(keyHash: string, apiKey: string): Promise<Grants> {
    return this.#young(keyHash)?.grants ?? this.#refresh(keyHash, apiKey);
  }

  /** The same, where they need not be waited for. */
  known(keyHash: string): Grants | undefined {
    return this.#young(keyHash)?.known;
  }

  #young(keyHash: string): Entry | undefined {
    const entry = this.#entries.get(keyHash);
    return entry && this.#isYounger(entry, entry.ttlMs) ? entry : undefined;
  }

  /** The grants of a key, asked for anew when they are more than 5 seconds old: for use before a denial. */
  recheck(keyHash: string, apiKey: string): Promise<Grants> {
    const entry = this.#entries.get(keyHash);
    return entry && this.#isYounger(entry, Math.min(RECHECK_MS, entry.ttlMs)) ? entry.grants : this.#refresh(keyHash, apiKey);
  }

  /**
   * The grants of a key, asked for anew unless the question is under way: for use before anything is told that the upstream is not asked for. Others go by
   * what is remembered until the answer is there.
   */
  renew(keyHash: string, apiKey: string): Promise<Grants> {
    const entry = this.#young(keyHash);
    if (!entry) return this.#refresh(keyHash, apiKey);
    // A key that was refused seconds ago does not cost a call per request.
    if (entry.isUnderWay || !entry.known) return entry.grants;
    entry.renewal ??= this.#renewalOf(entry, keyHash, apiKey);
    return entry.renewal;
  }

  #renewalOf(entry: Entry, keyHash: string, apiKey: string): Promise<Grants> {
    const next = this.#question(keyHash, apiKey);
    const end = () => {
      // Unless it was forgotten meanwhile.
      if (next.known && this.#entries.get(keyHash) === entry) this.#entries.set(keyHash, next);
      delete entry.renewal;
    };
    next.grants.then(end, end);
    return next.grants;
  }

  /** The upstream does not take this key any more, as another call was told: what is remembered of it ends, and an answer that is under way is not kept. */
  forget(keyHash: string): void {
    this.#told.delete(keyHash);
    const entry = this.#entries.get(keyHash);
    // A question that finds the key refused remembers that.
    if (entry?.isUnderWay) entry.ttlMs = 0;
    else if (entry?.known) this.#entries.delete(keyHash);
  }

  #isYounger({ askedAt }: Entry, ms: number): boolean {
    return msLeftOf(spanOf(askedAt, ms), this.#clock.monotonicMs()) > 0;
  }

  #refresh(keyHash: string, apiKey: string): Promise<Grants> {
    const entry = this.#question(keyHash, apiKey);
    this.#entries.set(keyHash, entry);
    return entry.grants;
  }

  /** The answer to the question, whether or not it is remembered. */
  #question(keyHash: string, apiKey: string): Entry {
    const grants = this.#asked(keyHash, apiKey);
    const entry: Entry = { grants, known: undefined, isUnderWay: true, askedAt: this.#clock.monotonicMs(), ttlMs: GRANTS_MS };
    const keep = (known: Grants) => {
      Object.assign(entry, { known, isUnderWay: false });
    };
    entry.grants.then(keep, (error: unknown) => {
      entry.isUnderWay = false;
      if (isRefusalOfKey(error)) entry.ttlMs = REFUSED_MS;
      else if (this.#entries.get(keyHash) === entry) this.#entries.delete(keyHash);
    });
    return entry;
  }

  async #asked(keyHash: string, apiKey: string): Promise<Grants> {
    const before = this.#told.get(keyHash);
    let told = withWhatWasTold(await this.#ask(apiKey), before);
    // A single answer without a workspace may be a slip, one more is how the upstream is.
    if (isWithoutWorkspace(told) && !(before && isWithoutWorkspace(before))) told = withWhatWasTold(await this.#ask(apiKey), before);
    this.#told.set(keyHash, told);
    this.#tellsWorkspaces ||= told.workspaceId !== null;
    return { ...told, lacksWorkspace: isWithoutWorkspace(told) && this.#tellsWorkspaces };
  }
}

/** Whether the upstream takes no call with this key, at least not from here. */
const isRefusalOfKey = (error: unknown) =>
  error instanceof UnauthenticatedError || (error instanceof ForbiddenError && error.reason === 'ADDRESS');

const isWithoutWorkspace = ({ mayAsk, workspaceId }: Told) => mayAsk && workspaceId === null;

/** The newest answer, with what earlier ones told where it leaves that out. A key that may not ask any more may have been given other scopes meanwhile. */
const withWhatWasTold = ({ mayAsk, scopes, workspaceId }: Told, before: Told = UNTOLD): Told => ({
  mayAsk,
  scopes: scopes ?? (mayAsk ? before.scopes : null),
  workspaceId: workspaceId ?? before.workspaceId,
});
