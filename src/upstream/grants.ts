import { UnauthenticatedError } from './errors.ts';

/** What is known of a key. */
export interface Grants {
  /** Null when the upstream does not tell: then only it can decide. */
  readonly scopes: ReadonlySet<string> | null;
  readonly workspaceId: string | null;
}

/** What is held of a key's grants, and for how long, in milliseconds. Ours: a scope given or taken is seen within half a minute. */
const TTL_MS = 30_000;
/** A denial on grants older than this asks the upstream once more: the scope may have been given since. */
const RECHECK_MS = 5_000;
/** How long a refused key is remembered, so that a wrong key does not cost a call per request. */
const REFUSED_MS = 5_000;
/** Keys held at a time; the one unused for longest goes first. */
const MAX_KEYS = 10_000;

interface Entry {
  readonly grants: Promise<Grants>;
  /** What it was fulfilled with. */
  known: Grants | undefined;
  readonly askedAt: number;
  ttlMs: number;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Reads an answer of `Me`. Its shape is not documented, so the scopes are looked for where such answers have them. */
export function grantsOf(answer: unknown): Grants {
  const roots = isRecord(answer) ? [answer.apiKey, answer.key, answer] : [];
  const lists = roots.filter(isRecord).map(({ scopes }) => scopes);
  const found = lists.find((list): list is string[] => Array.isArray(list) && list.every((scope) => typeof scope === 'string'));
  const workspace = isRecord(answer) && isRecord(answer.workspace) ? answer.workspace.id : undefined;
  return { scopes: found ? new Set(found) : null, workspaceId: typeof workspace === 'string' && workspace ? workspace : null };
}

/** Scopes that no wildcard stands for. Source: the upstream's description of its analytics. */
const EXACT_ONLY = new Set(['analytics:read']);

/** Whether a key with these scopes may hold another one. How the upstream spells wildcards is not documented, so one that could fit counts. */
export function mayHold(scopes: ReadonlySet<string> | null, scope: string): boolean {
  if (!scopes || scopes.has(scope)) return true;
  const [domain] = scope.split(':');
  return !EXACT_ONLY.has(scope) && (scopes.has('*') || scopes.has(`${domain}:*`));
}

/** Remembers what each key may do, by its credential. One question per key at a time, whoever asks. */
export class GrantCache {
  readonly #ask: (apiKey: string) => Promise<Grants>;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(ask: (apiKey: string) => Promise<Grants>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  /** The grants of a key, at most 30 seconds old. */
  get(credential: string, apiKey: string): Promise<Grants> {
    return this.#young(credential)?.grants ?? this.#refresh(credential, apiKey);
  }

  /** The same, where they need not be waited for. */
  known(credential: string): Grants | undefined {
    return this.#young(credential)?.known;
  }

  #young(credential: string): Entry | undefined {
    const entry = this.#entries.get(credential);
    if (!entry || !this.#isYounger(entry, entry.ttlMs)) return undefined;
    this.#entries.delete(credential);
    this.#entries.set(credential, entry);
    return entry;
  }

  /** The grants of a key, asked for anew when they are more than 5 seconds old: for use before a denial. */
  recheck(credential: string, apiKey: string): Promise<Grants> {
    const entry = this.#entries.get(credential);
    return entry && this.#isYounger(entry, RECHECK_MS) ? entry.grants : this.#refresh(credential, apiKey);
  }

  /** Nothing is young after the clock was set back. */
  #isYounger({ askedAt }: Entry, ms: number): boolean {
    const age = this.#now() - askedAt;
    return age >= 0 && age < ms;
  }

  #refresh(credential: string, apiKey: string): Promise<Grants> {
    const entry: Entry = { grants: this.#ask(apiKey), known: undefined, askedAt: this.#now(), ttlMs: TTL_MS };
    this.#entries.set(credential, entry);
    const keep = (grants: Grants) => {
      entry.known = grants;
    };
    entry.grants.then(keep, (error: unknown) => {
      if (error instanceof UnauthenticatedError) entry.ttlMs = REFUSED_MS;
      else if (this.#entries.get(credential) === entry) this.#entries.delete(credential);
    });
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > MAX_KEYS && oldest !== undefined) this.#entries.delete(oldest);
    return entry.grants;
  }
}
