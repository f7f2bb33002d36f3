import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { Field, MessageFields } from '../upstream/contract/fields.ts';
import { enums } from '../upstream/contract/generated/messages.ts';
import { type Drift, fits, judge, tellableName } from '../upstream/contract/judge.ts';
import type { DriftKind, Finding } from './finding.ts';
import { type SharedRename, sharedRenames } from './sharedRenames.ts';
import { type EnumHint, enumHintOf } from './words.ts';

/** Unknown fields of one message above which it's treated as a map, whose keys are data. */
const MAX_UNKNOWN = 20;
/** Replaces names that can be data. */
const UNTOLD = tellableName('');
/** Messages without a field before it's reported as missing. Chosen: fewer can lack it by chance. */
const MIN_MESSAGES = 3;

interface Member {
  seen: number;
  readonly drifts: Map<Drift, number>;
  /** Forms of drifting values, such as `string`. */
  readonly forms: Set<string>;
}

interface UnknownMember {
  seen: number;
  /** Fields of the contract that fit all values so far. */
  readonly fitting: Set<string>;
}

interface Seen {
  readonly message: MessageFields;
  count: number;
  readonly members: Map<string, Member>;
  /** Fields that were null, which means the same as a default. */
  readonly nulls: Set<string>;
  readonly unknown: Map<string, UnknownMember>;
}

const DATE = /^\d{4}-\d\d-\d\d([T ]|$)/;
const DECIMAL = /^-?\d+[.,]\d+$/;

const formOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string' && DATE.test(value)) return 'date string';
  if (typeof value === 'string' && DECIMAL.test(value)) return 'decimal string';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'non-integer number';
  return { string: 'string', number: 'number', boolean: 'boolean', object: 'object' }[typeof value as string] ?? 'unknown type';
};

const WANTED: Readonly<Record<Field['kind'], string>> = {
  string: 'string',
  int: 'integer',
  int64: 'integer',
  bool: 'boolean',
  double: 'number',
  enum: 'enum value',
  message: 'object',
  map: 'object',
  json: 'JSON',
};

/** The form of a field in the contract, for people. */
function wantedOf({ kind, unit }: Field): string {
  if (unit === 'MOMENT') return 'Unix timestamp in seconds';
  return unit === 'MINOR' ? 'integer in minor units' : WANTED[kind];
}

/** Whether a value is the default of its field, which proto-JSON servers can omit. */
const isDefault = (value: unknown, { kind }: Field) =>
  kind === 'enum'
    ? typeof value === 'string' && /(^|_)UNSPECIFIED$/.test(value)
    : value === '' || value === 0 || value === '0' || value === false;

/** Kind of a field's default. A server that writes the empty text of one field writes that of all. */
const defaultKindOf = ({ kind, list }: Field) => (list ? 'list' : kind);

const plain = (name: string) => name.toLowerCase().replaceAll('_', '');

/** Evidence on the fields of messages: counts of the returned forms. Stores no value. */
export class Evidence {
  readonly #seen = new Map<string, Seen>();
  /** Kinds of fields whose defaults were returned, with their number. */
  readonly #defaults = new Map<string, number>();
  readonly #hints = new Map<string, EnumHint>();
  /** Returned enum values, by enum. */
  readonly words = new Map<string, Set<string>>();

  /** Adds a response with all its messages. */
  add(message: MessageFields, json: object): void {
    this.#count(message, json);
    judge(message, json, (inner, name, verdict, value) => {
      const seen = this.#of(inner);
      if (verdict === 'UNKNOWN') {
        this.#addUnknown(seen, name, value);
        return;
      }
      const field = inner.fields[name] as Field;
      const member = this.#memberOf(seen, name);
      member.seen += 1;
      if (verdict !== 'CONFIRMED') {
        member.drifts.set(verdict, (member.drifts.get(verdict) ?? 0) + 1);
        member.forms.add(formOf(value));
      }
      if (field.kind === 'enum') this.#addWord(field, verdict, value);
      if (field.presence === 'implicit' && (field.list ? Array.isArray(value) && value.length === 0 : isDefault(value, field))) {
        const kind = defaultKindOf(field);
        this.#defaults.set(kind, (this.#defaults.get(kind) ?? 0) + 1);
      }
    });
  }

  /** Whether the upstream includes default values; null if unknown. */
  get sendsDefaults(): boolean | null {
    if (this.#defaults.size > 0) return true;
    return [...this.#seen.values()].some(({ count }) => count >= MIN_MESSAGES) ? false : null;
  }

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.#seen.size === 0;
  }

  countOf(message: MessageFields): number {
    return this.#seen.get(message.name)?.count ?? 0;
  }

  /** Other prefixes and spellings of drifting enums, as far as the returned values show them. */
  get enumHints(): ReadonlyMap<string, EnumHint> {
    return this.#hints;
  }

  /** Enums with returned values that the contract doesn't contain. */
  get driftingEnums(): ReadonlySet<string> {
    const types = [...this.#seen.values()].flatMap(({ message, members }) =>
      [...members].flatMap(([name, { drifts }]) => (drifts.size > 0 ? (message.fields[name]?.type ?? []) : [])),
    );
    return new Set(types);
  }

  /** The other name of a field, if it's known yet. */
  otherNameOf(message: MessageFields, name: string): string | undefined {
    return this.#renamesOf(this.#of(message)).get(name);
  }

  /** Whether each message of its type contains a field: it was returned, and the upstream writes empty fields of its type too. */
  isWritten(message: MessageFields, name: string): boolean {
    const field = message.fields[name];
    return field?.presence === 'implicit' && this.#defaults.has(defaultKindOf(field)) && this.#of(message).members.has(name);
  }

  /** Fields that go by one other name in all messages that have them. */
  get sharedRenames(): readonly SharedRename[] {
    const all = [...this.#seen.values()].filter(({ count }) => count > 0);
    const kinds = new Map(all.flatMap(({ message }) => Object.entries(message.fields)));
    return sharedRenames(
      all.map(({ message, members, nulls, unknown }) => ({
        message,
        returned: new Set([...members.keys(), ...nulls]),
        unknown: new Map([...unknown].flatMap(([name, { fitting }]) => (tellableName(name) === name ? [[name, fitting] as const] : []))),
      })),
      (name) => {
        const field = kinds.get(name);
        return field?.presence === 'implicit' && this.#defaults.has(defaultKindOf(field));
      },
    );
  }

  /**
   * Findings on the fields of a message that was returned at least once, and the names that some of them go by. Leaves out renames that all messages share:
   * they are one finding.
   */
  findingsOf(
    message: MessageFields,
    shared: readonly SharedRename[],
  ): { readonly findings: Finding[]; readonly renames: ReadonlyMap<string, string> } {
    const seen = this.#of(message);
    const elsewhere = new Map(shared.filter(({ field }) => Object.hasOwn(message.fields, field)).map(({ field, wire }) => [field, wire]));
    const renames = new Map([...this.#renamesOf(seen)].filter(([name, wire]) => elsewhere.get(name) !== wire));
    const findings = Object.entries(message.fields)
      .filter(([name]) => !elsewhere.has(name))
      .map(([name, field]) => this.#findingOf(seen, name, field, renames.get(name)));
    const renamed = new Set([...renames.values(), ...elsewhere.values()]);
    const unknown = [...seen.unknown].filter(([name]) => !renamed.has(name));
    const isMap = unknown.length > MAX_UNKNOWN;
    const told = Map.groupBy(unknown, ([name]) => (isMap ? UNTOLD : tellableName(name)));
    for (const [name, each] of told) {
      const count = each.reduce((sum, [, member]) => sum + member.seen, 0);
      findings.push({ coordinate: `${message.name}.${name}`, verdict: 'UNKNOWN', count });
    }
    return { findings, renames };
  }

  #of(message: MessageFields): Seen {
    let seen = this.#seen.get(message.name);
    if (!seen) {
      seen = { message, count: 0, members: new Map(), nulls: new Set(), unknown: new Map() };
      this.#seen.set(message.name, seen);
    }
    return seen;
  }

  #memberOf({ members }: Seen, name: string): Member {
    let member = members.get(name);
    if (!member) {
      member = { seen: 0, drifts: new Map(), forms: new Set() };
      members.set(name, member);
    }
    return member;
  }

  /** Counts a message and all nested ones. */
  #count(message: MessageFields, json: object): void {
    const seen = this.#of(message);
    seen.count += 1;
    for (const [name, { message: inner, list = false }] of Object.entries(message.fields)) {
      const value = (json as JsonObject)[name];
      if (value === null) seen.nulls.add(name);
      // The judge doesn't descend into a list where none was expected, or the reverse.
      if (!inner || Array.isArray(value) !== list) continue;
      for (const each of Array.isArray(value) ? value : [value]) if (isJsonObject(each)) this.#count(inner, each);
    }
  }

  #addUnknown({ message, unknown }: Seen, name: string, value: unknown): void {
    const known = unknown.get(name);
    const candidates = known ? [...known.fitting] : Object.keys(message.fields);
    const fitting = new Set(candidates.filter((each) => fits(value, message.fields[each] as Field)));
    unknown.set(name, { seen: (known?.seen ?? 0) + 1, fitting });
  }

  #addWord({ type = '' }: Field, verdict: string, value: unknown): void {
    if (typeof value !== 'string' || value === '') return;
    if (verdict === 'CONFIRMED') {
      const words = this.words.get(type) ?? new Set();
      this.words.set(type, words.add(value));
      return;
    }
    const hint = enumHintOf(type, enums[type] ?? [], value, this.#hints.get(type));
    if (hint) this.#hints.set(type, hint);
  }

  /** Pairs of a field that is never returned and the only unknown field that fits it. */
  #renamesOf(seen: Seen): Map<string, string> {
    const { message, members, nulls, unknown } = seen;
    const absent = Object.keys(message.fields).filter((name) => !members.has(name) && !nulls.has(name));
    const renames = new Map<string, string>();
    const take = (name: string, wire: string) => void (tellableName(wire) === wire && renames.set(name, wire));
    for (const name of absent) {
      const same = [...unknown.keys()].find((other) => plain(other) === plain(name));
      if (same !== undefined) take(name, same);
    }
    const taken = new Set(renames.values());
    const missing = absent.filter((name) => !renames.has(name) && this.#isMissing(seen, name));
    const open = [...unknown].filter(([name]) => !taken.has(name));
    for (const name of missing) {
      const fitting = open.filter(([, { fitting: fields }]) => fields.has(name));
      const [only] = fitting;
      if (only && fitting.length === 1 && missing.filter((each) => only[1].fitting.has(each)).length === 1) take(name, only[0]);
    }
    return renames;
  }

  #isMissing({ message, members, nulls, count }: Seen, name: string): boolean {
    const field = message.fields[name];
    return (
      !!field &&
      field.presence === 'implicit' &&
      !members.has(name) &&
      !nulls.has(name) &&
      count >= MIN_MESSAGES &&
      this.#defaults.has(defaultKindOf(field))
    );
  }

  #findingOf(seen: Seen, name: string, field: Field, wire: string | undefined): Finding {
    const coordinate = `${seen.message.name}.${name}`;
    const drift = (kind: DriftKind, detail: string, count: number): Finding => ({ coordinate, verdict: 'DRIFT', kind, detail, count });
    const member = seen.members.get(name);
    if (!member) {
      if (wire !== undefined) return drift('RENAMED', `named ${wire}`, seen.unknown.get(wire)?.seen ?? 0);
      if (this.#isMissing(seen, name)) return drift('MISSING', 'never present, although other empty fields of its type are', seen.count);
      return { coordinate, verdict: 'NEVER_SEEN' };
    }
    const [first] = [...member.drifts].sort(([, one], [, other]) => other - one);
    if (!first) return { coordinate, verdict: 'CONFIRMED', count: member.seen };
    const [kind, count] = first;
    return drift(kind, this.#detailOf(kind, field, member), count);
  }

  #detailOf(kind: Drift, field: Field, { forms }: Member): string {
    const came = [...forms].join(' or ');
    if (kind === 'TYPE') return `got ${came}, expected ${field.list ? 'array of ' : ''}${wantedOf(field)}`;
    if (kind === 'MILLISECONDS') return 'got timestamps in milliseconds, expected seconds';
    if (kind === 'FORMAT') return `text that isn’t a ${field.unit === 'COUNTRY' ? 'country' : 'currency'} code`;
    return this.#hints.get(field.type ?? '')?.told ?? `got ${came}, expected a value of ${field.type}`;
  }
}
