import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { compareMessage, type Drift, matchesField, redactName } from '../../src/upstream/contract/comparison.ts';
import type { EnumValue, MessageField, MessageFields } from '../../src/upstream/contract/fields.ts';
import { enums } from '../../src/upstream/contract/generated/messages.ts';
import { getEnumPrefix } from '../../src/upstream/contract/overlay.ts';
import type { DriftKind, Finding } from './finding.ts';
import { findSharedRenames, normalizeName, type SharedRename } from './sharedRenames.ts';

/** How the values of an enum differ from the contract, as far as the returned values show it: another prefix, or another letter case. */
interface EnumHint {
  /** Prefix that replaces the common prefix of the contract's values. Null if there are several, or if it's unknown. */
  readonly prefix: string | null;
  /** Wire values by the values of the contract, if they differ only in letter case. */
  readonly words: Readonly<Record<string, string>>;
  /** Description of the difference. */
  readonly difference: string;
}

/** A prefix that a report can contain: uppercase letters and underscores, like the prefixes of enum values. */
const PREFIX = /^([A-Z][A-Z_]{0,63})?$/;

const UNKNOWN_DIFFERENCE: EnumHint = { prefix: null, words: {}, difference: 'values that aren’t in the contract' };

/** Derives the hint from a value that the enum doesn't have and the hint so far. Contains only parts of values that occur in the contract. */
function deriveEnumHint(name: string, known: readonly EnumValue[], value: string, before?: EnumHint): EnumHint {
  if (before === UNKNOWN_DIFFERENCE) return before;
  const own = getEnumPrefix(name);
  const suffixes = known.map((each) => each.name.slice(own.length)).sort((one, other) => other.length - one.length);
  const suffix = suffixes.find((each) => value.endsWith(each));
  if (suffix !== undefined) {
    const prefix = value.slice(0, value.length - suffix.length);
    if (!PREFIX.test(prefix) || (before && before.prefix !== prefix)) return UNKNOWN_DIFFERENCE;
    return { prefix, words: {}, difference: prefix === '' ? 'values without their prefix' : `values that start with ${prefix}` };
  }
  const same = known.find(
    (each) => each.name.slice(own.length).toLowerCase() === value.toLowerCase() || each.name.toLowerCase() === value.toLowerCase(),
  );
  if (!same || (before && before.prefix !== null)) return UNKNOWN_DIFFERENCE;
  return {
    prefix: null,
    words: { ...before?.words, ...respellValues(own, known, same, value) },
    difference: 'values in another letter case',
  };
}

/** All values in the letter case of one, because values that weren't returned must be sent in it too. Only the one value if its case follows no known rule. */
function respellValues(own: string, known: readonly EnumValue[], { name }: EnumValue, value: string): Readonly<Record<string, string>> {
  const rules = [(each: string) => each.toLowerCase(), (each: string) => each.slice(own.length).toLowerCase()];
  const rule = rules.find((write) => write(name) === value);
  return rule ? Object.fromEntries(known.map((each) => [each.name, rule(each.name)])) : { [name]: value };
}

/** Unknown fields of one message above which it's treated as a map, whose keys are data. */
const MAX_UNKNOWN = 20;
/** Replaces names that can be data. */
const REDACTED_NAME = redactName('');
/** Messages without a field before it's reported as missing. Chosen: in fewer, it can be missing by chance. */
const MIN_MESSAGES = 3;

interface EvidenceMember {
  count: number;
  readonly drifts: Map<Drift, number>;
  /** Forms of drifting values, such as `string`. */
  readonly forms: Set<string>;
}

interface UnknownMember {
  count: number;
  /** Fields of the contract that fit all values so far. */
  readonly fitting: Set<string>;
}

interface MessageEvidence {
  readonly message: MessageFields;
  count: number;
  readonly members: Map<string, EvidenceMember>;
  /** Fields that were null, which means the same as a default. */
  readonly nulls: Set<string>;
  readonly unknown: Map<string, UnknownMember>;
}

const DATE = /^\d{4}-\d\d-\d\d([T ]|$)/;
const DECIMAL = /^-?\d+[.,]\d+$/;

const describeForm = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string' && DATE.test(value)) return 'date string';
  if (typeof value === 'string' && DECIMAL.test(value)) return 'decimal string';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'non-integer number';
  return { string: 'string', number: 'number', boolean: 'boolean', object: 'object' }[typeof value as string] ?? 'unknown type';
};

const EXPECTED_FORMS: Readonly<Record<MessageField['kind'], string>> = {
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

/** The form of a field in the contract, for messages. */
function describeExpected({ kind, unit }: MessageField): string {
  if (unit === 'MOMENT') return 'Unix timestamp in seconds';
  return unit === 'MINOR' ? 'integer in minor units' : EXPECTED_FORMS[kind];
}

/** Whether a value is the default of its field, which proto-JSON servers can omit. */
const isDefault = (value: unknown, { kind }: MessageField) =>
  kind === 'enum'
    ? typeof value === 'string' && /(^|_)UNSPECIFIED$/.test(value)
    : value === '' || value === 0 || value === '0' || value === false;

/** Kind of a field's default. A server that includes the empty string of one field includes it for all. */
const getDefaultKind = ({ kind, list }: MessageField) => (list ? 'list' : kind);

/** Evidence on the fields of messages: counts of the returned forms. Doesn't store values. */
export class Evidence {
  readonly #messages = new Map<string, MessageEvidence>();
  /** Kinds of fields whose defaults were returned, with their number. */
  readonly #defaults = new Map<string, number>();
  readonly #hints = new Map<string, EnumHint>();
  /** Returned enum values, by enum. */
  readonly enumValues = new Map<string, Set<string>>();

  /** Adds a response with all its messages. */
  add(message: MessageFields, json: object): void {
    this.#countMessages(message, json);
    compareMessage(message, json, (inner, name, verdict, value) => {
      const entry = this.#getMessage(inner);
      if (verdict === 'UNKNOWN') {
        this.#addUnknown(entry, name, value);
        return;
      }
      const field = inner.fields[name] as MessageField;
      const member = this.#getMember(entry, name);
      member.count += 1;
      if (verdict !== 'CONFIRMED') {
        member.drifts.set(verdict, (member.drifts.get(verdict) ?? 0) + 1);
        member.forms.add(describeForm(value));
      }
      if (field.kind === 'enum') this.#addEnumValue(field, verdict, value);
      if (field.presence === 'implicit' && (field.list ? Array.isArray(value) && value.length === 0 : isDefault(value, field))) {
        const kind = getDefaultKind(field);
        this.#defaults.set(kind, (this.#defaults.get(kind) ?? 0) + 1);
      }
    });
  }

  /** Whether the upstream includes default values. Null if unknown. */
  get sendsDefaults(): boolean | null {
    if (this.#defaults.size > 0) return true;
    return [...this.#messages.values()].some(({ count }) => count >= MIN_MESSAGES) ? false : null;
  }

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  getCount(message: MessageFields): number {
    return this.#messages.get(message.name)?.count ?? 0;
  }

  /** Other prefixes and spellings of drifting enums, as far as they can be derived from the returned values. */
  get enumHints(): ReadonlyMap<string, EnumHint> {
    return this.#hints;
  }

  /** Enums with returned values that the contract doesn't contain. */
  get driftingEnums(): ReadonlySet<string> {
    const types = [...this.#messages.values()].flatMap(({ message, members }) =>
      [...members].flatMap(([name, { drifts }]) => (drifts.size > 0 ? (message.fields[name]?.type ?? []) : [])),
    );
    return new Set(types);
  }

  /** The other name of a field, if it's known yet. */
  findOtherName(message: MessageFields, name: string): string | undefined {
    return this.#findRenames(this.#getMessage(message)).get(name);
  }

  /** Whether a field was returned, always in the form of the contract. */
  isConfirmed(message: MessageFields, name: string): boolean {
    return this.#getMessage(message).members.get(name)?.drifts.size === 0;
  }

  /** Whether each message of its type contains a field: it was returned, and the upstream writes empty fields of its type too. */
  isAlwaysWritten(message: MessageFields, name: string): boolean {
    const field = message.fields[name];
    return field?.presence === 'implicit' && this.#defaults.has(getDefaultKind(field)) && this.#getMessage(message).members.has(name);
  }

  /** Fields that have one other name in all messages that contain them. */
  get sharedRenames(): readonly SharedRename[] {
    const all = [...this.#messages.values()].filter(({ count }) => count > 0);
    const kinds = new Map(all.flatMap(({ message }) => Object.entries(message.fields)));
    return findSharedRenames(
      all.map(({ message, members, nulls, unknown }) => ({
        message,
        returned: new Set([...members.keys(), ...nulls]),
        unknown: new Map([...unknown].flatMap(([name, { fitting }]) => (redactName(name) === name ? [[name, fitting] as const] : []))),
      })),
      (name) => {
        const field = kinds.get(name);
        return field?.presence === 'implicit' && this.#defaults.has(getDefaultKind(field));
      },
    );
  }

  /**
   * Findings on the fields of a message that was returned at least once, and the other names of its fields. Excludes renames that all messages share, because
   * they are one finding.
   */
  createFindings(
    message: MessageFields,
    shared: readonly SharedRename[],
  ): { readonly findings: Finding[]; readonly renames: ReadonlyMap<string, string> } {
    const entry = this.#getMessage(message);
    const sharedNames = new Map(shared.filter(({ field }) => Object.hasOwn(message.fields, field)).map(({ field, wire }) => [field, wire]));
    const renames = new Map([...this.#findRenames(entry)].filter(([name, wire]) => sharedNames.get(name) !== wire));
    const findings = Object.entries(message.fields)
      .filter(([name]) => !sharedNames.has(name))
      .map(([name, field]) => this.#createFinding(entry, name, field, renames.get(name)));
    const renamed = new Set([...renames.values(), ...sharedNames.values()]);
    const unknown = [...entry.unknown].filter(([name]) => !renamed.has(name));
    const isMap = unknown.length > MAX_UNKNOWN;
    const byName = Map.groupBy(unknown, ([name]) => (isMap ? REDACTED_NAME : redactName(name)));
    for (const [name, each] of byName) {
      const count = each.reduce((sum, [, member]) => sum + member.count, 0);
      findings.push({ coordinate: `${message.name}.${name}`, verdict: 'UNKNOWN', count });
    }
    return { findings, renames };
  }

  #getMessage(message: MessageFields): MessageEvidence {
    let entry = this.#messages.get(message.name);
    if (!entry) {
      entry = { message, count: 0, members: new Map(), nulls: new Set(), unknown: new Map() };
      this.#messages.set(message.name, entry);
    }
    return entry;
  }

  #getMember({ members }: MessageEvidence, name: string): EvidenceMember {
    let member = members.get(name);
    if (!member) {
      member = { count: 0, drifts: new Map(), forms: new Set() };
      members.set(name, member);
    }
    return member;
  }

  /** Counts a message and all nested ones. */
  #countMessages(message: MessageFields, json: object): void {
    const entry = this.#getMessage(message);
    entry.count += 1;
    for (const [name, { message: inner, list = false }] of Object.entries(message.fields)) {
      const value = (json as JsonObject)[name];
      if (value === null) entry.nulls.add(name);
      // `compareMessage` doesn't descend into a list where none was expected, or the reverse.
      if (!inner || Array.isArray(value) !== list) continue;
      for (const each of Array.isArray(value) ? value : [value]) if (isJsonObject(each)) this.#countMessages(inner, each);
    }
  }

  #addUnknown({ message, unknown }: MessageEvidence, name: string, value: unknown): void {
    const known = unknown.get(name);
    const candidates = known ? [...known.fitting] : Object.keys(message.fields);
    const fitting = new Set(candidates.filter((each) => matchesField(value, message.fields[each] as MessageField)));
    unknown.set(name, { count: (known?.count ?? 0) + 1, fitting });
  }

  #addEnumValue({ type = '' }: MessageField, verdict: string, value: unknown): void {
    if (typeof value !== 'string' || value === '') return;
    if (verdict === 'CONFIRMED') {
      const enumValues = this.enumValues.get(type) ?? new Set();
      this.enumValues.set(type, enumValues.add(value));
      return;
    }
    const hint = deriveEnumHint(type, enums[type] ?? [], value, this.#hints.get(type));
    if (hint) this.#hints.set(type, hint);
  }

  /** Pairs of a field that is never returned and the only unknown field that fits it. */
  #findRenames(entry: MessageEvidence): Map<string, string> {
    const { message, members, nulls, unknown } = entry;
    const absent = Object.keys(message.fields).filter((name) => !members.has(name) && !nulls.has(name));
    const renames = new Map<string, string>();
    const addRename = (name: string, wire: string) => void (redactName(wire) === wire && renames.set(name, wire));
    for (const name of absent) {
      const same = [...unknown.keys()].find((other) => normalizeName(other) === normalizeName(name));
      if (same !== undefined) addRename(name, same);
    }
    const assigned = new Set(renames.values());
    const missing = absent.filter((name) => !renames.has(name) && this.#isMissing(entry, name));
    const unassigned = [...unknown].filter(([name]) => !assigned.has(name));
    for (const name of missing) {
      const fitting = unassigned.filter(([, { fitting: fields }]) => fields.has(name));
      const [only] = fitting;
      if (only && fitting.length === 1 && missing.filter((each) => only[1].fitting.has(each)).length === 1) addRename(name, only[0]);
    }
    return renames;
  }

  #isMissing({ message, members, nulls, count }: MessageEvidence, name: string): boolean {
    const field = message.fields[name];
    return (
      !!field &&
      field.presence === 'implicit' &&
      !members.has(name) &&
      !nulls.has(name) &&
      count >= MIN_MESSAGES &&
      this.#defaults.has(getDefaultKind(field))
    );
  }

  #createFinding(entry: MessageEvidence, name: string, field: MessageField, wire: string | undefined): Finding {
    const coordinate = `${entry.message.name}.${name}`;
    const drift = (kind: DriftKind, detail: string, count: number): Finding => ({ coordinate, verdict: 'DRIFT', kind, detail, count });
    const member = entry.members.get(name);
    if (!member) {
      if (wire !== undefined) return drift('RENAMED', `named ${wire}`, entry.unknown.get(wire)?.count ?? 0);
      if (this.#isMissing(entry, name)) return drift('MISSING', 'never present, although other empty fields of its type are', entry.count);
      return { coordinate, verdict: 'NEVER_SEEN' };
    }
    const [first] = [...member.drifts].sort(([, one], [, other]) => other - one);
    if (!first) return { coordinate, verdict: 'CONFIRMED', count: member.count };
    const [kind, count] = first;
    return drift(kind, this.#describeDrift(kind, field, member), count);
  }

  #describeDrift(kind: Drift, field: MessageField, { forms }: EvidenceMember): string {
    const received = [...forms].join(' or ');
    if (kind === 'TYPE') return `got ${received}, expected ${field.list ? 'array of ' : ''}${describeExpected(field)}`;
    if (kind === 'MILLISECONDS') return 'got timestamps in milliseconds, expected seconds';
    if (kind === 'FORMAT') return `text that isn’t a ${field.unit === 'COUNTRY' ? 'country' : 'currency'} code`;
    return this.#hints.get(field.type ?? '')?.difference ?? `got ${received}, expected a value of ${field.type}`;
  }
}
