import { parseDocument } from 'yaml';
import { isJsonObject } from '../../lib/json.ts';
import type { MessageFields } from './fields.ts';
import { enums } from './generated/messages.ts';
import { operations } from './generated/operations.ts';
import { type AnyOperation, isRead } from './operation.ts';

/** The sizes of a list's pages, where they differ from the contract's. */
export interface PageOverlay {
  readonly defaultSize?: number;
  readonly maxSize?: number;
  readonly maxPage?: number;
}

/** An operation, where it differs from the contract. */
export interface OperationOverlay {
  /** Its name in the path. */
  readonly name?: string;
  /** The name on the wire of the field that holds the idempotency key; null when the upstream does not de-duplicate by it. */
  readonly keyField?: string | null;
  /** The name on the wire of the field that holds the expected version. */
  readonly versionField?: string;
  readonly page?: PageOverlay;
  /** The list that shows whole all records that this operation gets; null when none does, or when a list of all owners shows other rows than those of each. */
  readonly cover?: string | null;
}

/** An enum, where its words differ from the contract's. */
export interface EnumOverlay {
  /** In place of the words' common beginning in the contract. */
  readonly prefix?: string;
  /** The words on the wire, by those of the contract; they go over the prefix. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Corrections of the contract for an upstream that has other names. They go by the contract's names, and nothing of them shows in the schema. */
export interface Overlay {
  /** Names of services in paths. */
  readonly services: Readonly<Record<string, string>>;
  /** By name: `Quote/ConfirmQuote`. */
  readonly operations: Readonly<Record<string, OperationOverlay>>;
  /** Names of fields on the wire, by message; those under `*` are those of every message that has such a field. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, EnumOverlay>>;
}

export const NO_OVERLAY: Overlay = { services: {}, operations: {}, fields: {}, enums: {} };

/** The key of `fields` that stands for every message. */
export const EVERY_MESSAGE = '*';

/** An overlay, or everything that is wrong with it: each problem is a sentence that begins with its place. */
export type OverlayReading = { readonly overlay: Overlay } | { readonly problems: readonly string[] };

/** Every message that is sent or answered, by its name, with the operations that it belongs to. */
export const messages: ReadonlyMap<string, MessageFields> = (() => {
  const found = new Map<string, MessageFields>();
  const add = (message: MessageFields): void => {
    if (found.has(message.name)) return;
    found.set(message.name, message);
    for (const { message: inner } of Object.values(message.fields)) if (inner) add(inner);
  };
  for (const { request, response } of operations) {
    add(request);
    add(response);
  }
  return found;
})();

const byName: ReadonlyMap<string, AnyOperation> = new Map(operations.map((operation) => [operation.name, operation]));
const services: ReadonlySet<string> = new Set(operations.map(({ name }) => serviceOf(name)));

/** The service of an operation, by the operation's name. */
export function serviceOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

/** The common beginning of an enum's words, up to and with its last underscore. */
export function prefixOf(name: string): string {
  const [first = '', ...others] = (enums[name] ?? []).map((word) => word.name);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, first.lastIndexOf('_', length - 1) + 1);
}

type Json = Readonly<Record<string, unknown>>;

/** The place of problems that are about the whole file. */
const WHOLE = 'the overlay';

/** The part of a path between two slashes. */
const SEGMENT = /^[A-Za-z][\w.]*$/;
/** Names of fields and words, in any of the usual spellings. */
const NAME = /^[A-Za-z_][\w-]*$/;
/** A prefix may be empty: then the words have none. */
const PREFIX = /^([A-Za-z_][\w-]*)?$/;

/** Maximum number of known names that an error suggests. */
const MAX_SUGGESTIONS = 12;

/** The known names beside one that is not: those that are spelt alike, or all where they are few. Of operations the name behind the service counts. */
function knownNear(name: string, known: Iterable<string>): string {
  const all = [...known];
  const plain = (text: string) =>
    text
      .slice(text.indexOf('/') + 1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  const near = all.filter((each) => plain(each).includes(wanted) || (plain(each).length > 3 && wanted.includes(plain(each))));
  const names = near.length > 0 && near.length <= MAX_SUGGESTIONS ? near : all.length <= MAX_SUGGESTIONS ? all : [];
  return names.length > 0 ? `. Known names include ${names.join(', ')}.` : '.';
}

/** Collects what is wrong, while it reads. */
class Reader {
  readonly problems: string[] = [];

  problem(place: string, words: string): void {
    this.problems.push(`${place} ${words}`);
  }

  /** The entries of an object; none, and a problem, for anything else. */
  entries(place: string, value: unknown): [string, unknown][] {
    if (value === undefined || value === null) return [];
    if (isJsonObject(value)) return Object.entries(value);
    this.problem(place, `must be an object, but is ${JSON.stringify(value)}.`);
    return [];
  }

  /** The entries of an object whose keys must be known. */
  known(place: string, value: unknown, known: { has(name: string): boolean; keys(): Iterable<string> }, noun: string): [string, unknown][] {
    return this.entries(place, value).filter(([name]) => {
      if (known.has(name)) return true;
      this.problem(place === WHOLE ? name : `${place}.${name}`, `isn’t a known ${noun}${knownNear(name, known.keys())}`);
      return false;
    });
  }

  text(place: string, value: unknown, form: RegExp, noun: string): string | undefined {
    if (typeof value === 'string' && form.test(value)) return value;
    this.problem(place, `must be ${noun}, but is ${JSON.stringify(value)}.`);
    return undefined;
  }

  size(place: string, value: unknown): number | undefined {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    this.problem(place, `must be a positive integer, but is ${JSON.stringify(value)}.`);
    return undefined;
  }

  /** Names by the contract's names, each of the same form. */
  names(place: string, entries: readonly [string, unknown][], form: RegExp, noun: string): Record<string, string> {
    const read = entries.map(([name, value]) => [name, this.text(`${place}.${name}`, value, form, noun)] as const);
    return Object.fromEntries(read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  }
}

/** Reads the sizes of a list's pages. What the schema tells of a list stays as it is: an overlay may not give a list a last page that has none. */
function readPage(reader: Reader, place: string, value: unknown, { page }: AnyOperation): PageOverlay {
  if (!page || page.kind === 'WHOLE') {
    reader.problem(place, 'applies only to lists that have a page size.');
    return {};
  }
  const members = new Map<keyof PageOverlay, true>([
    ['defaultSize', true],
    ['maxSize', true],
    ...(page.maxPage ? [['maxPage', true] as const] : []),
  ]);
  const read = reader
    .known(place, value, members, 'page limit of this list')
    .map(([name, size]) => [name, reader.size(`${place}.${name}`, size)]);
  return Object.fromEntries(read.filter(([, size]) => size !== undefined));
}

/** Whether a list shows the records that another operation gets: it is read by page or from its beginning, and without a filter. */
const canCover = (list: AnyOperation, { answers }: AnyOperation): boolean => {
  const [shown, got] = [list.answers[list.page?.items ?? ''], Object.values(answers)[0]];
  const isWhole = !Object.values(list.request.fields).some(({ required }) => required);
  return (list.page?.kind === 'PAGE' || list.page?.kind === 'PREFIX') && isWhole && shown !== undefined && shown.record === got?.record;
};

function readCover(reader: Reader, place: string, value: unknown, operation: AnyOperation): string | null {
  if (value === null) return null;
  const able = operations.filter((list) => canCover(list, operation)).map(({ name }) => name);
  if (able.includes(String(value))) return String(value);
  const wanted = able.length === 0 ? 'null, because no list contains its records' : `null or one of ${able.join(', ')}`;
  reader.problem(place, `must be ${wanted}, but is ${JSON.stringify(value)}.`);
  return null;
}

const OPERATION_MEMBERS = new Map(['name', 'keyField', 'versionField', 'page', 'cover'].map((name) => [name, true]));

function readOperation(reader: Reader, place: string, value: unknown, operation: AnyOperation): OperationOverlay {
  const read: { -readonly [Member in keyof OperationOverlay]: OperationOverlay[Member] } = {};
  for (const [member, given] of reader.known(place, value, OPERATION_MEMBERS, 'property of an operation')) {
    const at = `${place}.${member}`;
    if (member === 'page') read.page = readPage(reader, at, given, operation);
    else if (member === 'cover') read.cover = readCover(reader, at, given, operation);
    else if (member === 'keyField' && given === null && operation.keyField) read.keyField = null;
    else if (member === 'keyField' && isRead(operation)) reader.problem(at, 'can’t be set for a read operation.');
    else if (member === 'versionField' && !operation.versionField)
      reader.problem(
        at,
        'can’t be set, because the operation has no version field in the contract and its mutation has no `expectedVersion`.',
      );
    else {
      const text = reader.text(at, given, member === 'name' ? SEGMENT : NAME, 'a name');
      if (text !== undefined) read[member as 'name'] = text;
    }
  }
  return read;
}

function readEnum(reader: Reader, place: string, value: unknown, name: string): EnumOverlay {
  const members = new Map([
    ['prefix', true],
    ['words', true],
  ]);
  const words = new Map((enums[name] ?? []).map((word) => [word.name, true]));
  const read: { -readonly [Member in keyof EnumOverlay]: EnumOverlay[Member] } = {};
  for (const [member, given] of reader.known(place, value, members, 'property of an enum')) {
    const at = `${place}.${member}`;
    if (member === 'words')
      read.words = reader.names(at, reader.known(at, given, words, `value of ${name}`), NAME, 'the name of an enum value');
    else {
      const prefix = reader.text(at, given, PREFIX, 'a prefix of enum values, such as STATUS_');
      if (prefix !== undefined) read.prefix = prefix;
    }
  }
  return read;
}

/** The value on the wire of each value of an enum. */
function wireWords(name: string, { enums: overlays }: Overlay): readonly (readonly [string, string])[] {
  const own = prefixOf(name);
  const { prefix = own, words = {} } = overlays[name] ?? {};
  return (enums[name] ?? []).map((word) => [word.name, words[word.name] ?? prefix + word.name.slice(own.length)]);
}

/** The path of an operation on the wire. */
export function wirePath({ name, path }: AnyOperation, { services: renamed, operations: overlays }: Overlay): string {
  const [service, method] = [serviceOf(name), name.slice(serviceOf(name).length + 1)];
  return path.replace(`.${service}/${method}`, `.${renamed[service] ?? service}/${overlays[name]?.name ?? method}`);
}

/** The name on the wire of each field of a message. */
export function wireNames({ name, fields }: MessageFields, { fields: renames }: Overlay): ReadonlyMap<string, string> {
  const of = (field: string) => renames[name]?.[field] ?? renames[EVERY_MESSAGE]?.[field] ?? field;
  return new Map(Object.keys(fields).map((field) => [field, of(field)]));
}

/** Reports names of the contract that one scope maps to the same wire name: a response could then be decoded as either. */
function reportShared(reader: Reader, place: string, wireNames: Iterable<readonly [string, string]>, noun: string): void {
  for (const [wire, sharers] of Map.groupBy(wireNames, ([, wire]) => wire)) {
    if (sharers.length > 1)
      reader.problem(place, `maps ${sharers.map(([name]) => name).join(' and ')} to the same ${noun}, ${wire}. Map each to its own.`);
  }
}

/** Reports fields of a message, values of an enum, and operations that an overlay makes indistinguishable on the wire. */
function reportClashes(reader: Reader, overlay: Overlay): void {
  for (const message of messages.values()) reportShared(reader, `fields.${message.name}`, wireNames(message, overlay), 'wire name');
  for (const name of Object.keys(overlay.enums)) reportShared(reader, `enums.${name}`, wireWords(name, overlay), 'wire value');
  const paths = operations.map((operation) => [operation.name, wirePath(operation, overlay)] as const);
  reportShared(reader, WHOLE, paths, 'path');
  for (const [name, { keyField }] of Object.entries(overlay.operations)) {
    const operation = byName.get(name);
    // A key field of the contract is one of the message's fields, which are compared above.
    if (!operation || !keyField || operation.keyField) continue;
    const [field] = [...wireNames(operation.request, overlay)].find(([, wire]) => wire === keyField) ?? [];
    if (field !== undefined)
      reader.problem(
        `operations.${name}.keyField`,
        `maps the idempotency key and ${field} of ${operation.request.name} to the same wire name, ${keyField}. Map each to its own.`,
      );
  }
}

const PARTS = new Map(['services', 'operations', 'fields', 'enums'].map((name) => [name, true]));

function readParts(reader: Reader, json: unknown): Overlay {
  const parts: Json = Object.fromEntries(reader.known(WHOLE, json, PARTS, 'section of an overlay'));
  const named = reader.known('services', parts.services, new Map([...services].map((name) => [name, true])), 'service');
  const fieldsOf = (name: string) =>
    name === EVERY_MESSAGE
      ? new Map([...messages.values()].flatMap(({ fields }) => Object.entries(fields)))
      : new Map(Object.entries(messages.get(name)?.fields ?? {}));
  const renamed = reader.known('fields', parts.fields, new Map([...messages, [EVERY_MESSAGE, null]]), 'message');
  const overlay: Overlay = {
    services: reader.names('services', named, SEGMENT, 'a name'),
    operations: Object.fromEntries(
      reader
        .known('operations', parts.operations, byName, 'operation')
        .map(([name, value]) => [name, readOperation(reader, `operations.${name}`, value, byName.get(name) as AnyOperation)]),
    ),
    fields: Object.fromEntries(
      renamed.map(([name, value]) => {
        const place = `fields.${name}`;
        return [name, reader.names(place, reader.known(place, value, fieldsOf(name), 'field'), NAME, 'a name')];
      }),
    ),
    enums: Object.fromEntries(
      reader
        .known('enums', parts.enums, new Map(Object.entries(enums)), 'enum')
        .map(([name, value]) => [name, readEnum(reader, `enums.${name}`, value, name)]),
    ),
  };
  const moved = withGuards(overlay);
  reportClashes(reader, moved);
  return moved;
}

/** The overlay with the names of key and version fields among those of the other fields, where the request has such a field. */
function withGuards(overlay: Overlay): Overlay {
  const fields = { ...overlay.fields };
  for (const [name, { keyField, versionField }] of Object.entries(overlay.operations)) {
    const operation = byName.get(name);
    if (!operation) continue;
    const guards = {
      ...(keyField && operation.keyField && { [operation.keyField]: keyField }),
      ...(versionField && operation.versionField && { [operation.versionField]: versionField }),
    };
    if (Object.keys(guards).length > 0) fields[operation.request.name] = { ...fields[operation.request.name], ...guards };
  }
  return { ...overlay, fields };
}

/** Reads an overlay from YAML, of which JSON is a part. Everything that is wrong with it is told at once. */
export function readOverlay(text: string): OverlayReading {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    return { problems: document.errors.map(({ message }) => `isn’t valid YAML or JSON: ${message.split('\n')[0]}`) };
  let json: unknown;
  try {
    // No aliases: an overlay has no use for them, and a few can stand for gigabytes.
    json = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { problems: ['must not contain aliases (`*name`). Write out their values.'] };
  }
  const reader = new Reader();
  const overlay = readParts(reader, json);
  return reader.problems.length > 0 ? { problems: reader.problems } : { overlay };
}
