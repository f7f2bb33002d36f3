import { parseDocument } from 'yaml';
import type { JsonObject } from '../../lib/json.ts';
import type { MessageFields } from './fields.ts';
import { enums } from './generated/messages.ts';
import { ExecuteQuery, operations } from './generated/operations.ts';
import { type IndexOverlays, readIndexes } from './indexOverlay.ts';
import { type AnyOperation, isRead } from './operation.ts';
import { NAME, OverlayReader, reportShared, WHOLE_FILE } from './overlayReader.ts';

/** Page sizes of a list that differ from the contract's. */
export interface PageOverlay {
  readonly defaultSize?: number;
  readonly maxSize?: number;
  readonly maxPage?: number;
}

/** Differences of an operation from the contract. */
export interface OperationOverlay {
  /** Its name in the path. */
  readonly name?: string;
  /** Wire name of the field with the idempotency key. Null if the upstream doesn't deduplicate by it. */
  readonly keyField?: string | null;
  /** Wire name of the field with the expected version. */
  readonly versionField?: string;
  readonly page?: PageOverlay;
  /**
   * Covering list for the records that this operation gets. Null if there is none, or, for a list, if the list of all owners has other rows than the list of
   * each owner.
   */
  readonly cover?: string | null;
  /** How analytics queries can be sorted in descending order. */
  readonly sortDirection?: SortDirectionSupport;
}

/**
 * How analytics queries can be sorted in descending order.
 * - `TYPED`: by the direction in the typed query, which the upstream doesn't document.
 * - `SQL`: only in SQL. Typed queries have no direction and are sorted in ascending order.
 * - `ASCENDING`: not at all.
 */
export type SortDirectionSupport = (typeof SORT_DIRECTIONS)[number];
const SORT_DIRECTIONS = ['TYPED', 'SQL', 'ASCENDING'] as const;

/** Differences of an enum's values from the contract. */
export interface EnumOverlay {
  /** Replaces the common prefix of the values in the contract. */
  readonly prefix?: string;
  /** Values on the wire, by value in the contract. They take precedence over the prefix. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Corrections of the contract for an upstream with other names, by the contract's names. They don't affect the schema. */
export interface Overlay {
  /** Names of services in paths. */
  readonly services: Readonly<Record<string, string>>;
  /** By name, such as `Quote/ConfirmQuote`. */
  readonly operations: Readonly<Record<string, OperationOverlay>>;
  /** Wire names of fields, by message. Those under `*` apply to every message with such a field. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, EnumOverlay>>;
  readonly indexes: IndexOverlays;
}

export const NO_OVERLAY: Overlay = { services: {}, operations: {}, fields: {}, enums: {}, indexes: {} };

/** Key of `fields` that applies to every message. */
export const EVERY_MESSAGE = '*';

/** An overlay, or all of its problems. Each problem is a sentence that starts with its location. */
export type OverlayReading = { readonly overlay: Overlay } | { readonly problems: readonly string[] };

/** All messages of requests and responses, by name. */
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
const services: ReadonlySet<string> = new Set(operations.map(({ name }) => getServiceName(name)));

/** Returns the service of an operation. */
export function getServiceName(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

/** Returns the common prefix of an enum's values, up to and including its last underscore. */
export function getEnumPrefix(name: string): string {
  const [first = '', ...others] = (enums[name] ?? []).map((word) => word.name);
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, first.lastIndexOf('_', length - 1) + 1);
}

/** A path segment. */
const SEGMENT = /^[A-Za-z][\w.]*$/;
/** A prefix may be empty, for values without a prefix. */
const PREFIX = /^([A-Za-z_][\w-]*)?$/;

/** Reads the page sizes of a list. An overlay can't add a last page to a list that has none, because the schema's description of a list doesn't change. */
function readPage(reader: OverlayReader, place: string, value: unknown, { page }: AnyOperation): PageOverlay {
  if (!page || page.kind === 'WHOLE') {
    reader.report(place, 'applies only to lists that have a page size.');
    return {};
  }
  const members = new Map<keyof PageOverlay, true>([
    ['defaultSize', true],
    ['maxSize', true],
    ...(page.maxPage ? [['maxPage', true] as const] : []),
  ]);
  const read = reader
    .readKnown(place, value, members, 'page limit of this list')
    .map(([name, size]) => [name, reader.readSize(`${place}.${name}`, size)]);
  return Object.fromEntries(read.filter(([, size]) => size !== undefined));
}

/** Whether a list returns the records that another operation gets: it's read by page or as a prefix, and needs no filter. */
const canCover = (list: AnyOperation, { answers: records }: AnyOperation): boolean => {
  const [listed, fetched] = [list.answers[list.page?.items ?? ''], Object.values(records)[0]];
  const isUnfiltered = !Object.values(list.request.fields).some(({ required }) => required);
  return (
    (list.page?.kind === 'PAGE' || list.page?.kind === 'PREFIX') &&
    isUnfiltered &&
    listed !== undefined &&
    listed.record === fetched?.record
  );
};

function readCover(reader: OverlayReader, place: string, value: unknown, operation: AnyOperation): string | null {
  if (value === null) return null;
  const candidates = operations.filter((list) => canCover(list, operation)).map(({ name }) => name);
  if (candidates.includes(String(value))) return String(value);
  const wanted = candidates.length === 0 ? 'null, because no list contains its records' : `null or one of ${candidates.join(', ')}`;
  reader.report(place, `must be ${wanted}, but is ${JSON.stringify(value)}.`);
  return null;
}

function readSortDirection(reader: OverlayReader, place: string, value: unknown, { name }: AnyOperation): SortDirectionSupport | undefined {
  if (name !== ExecuteQuery.name) reader.report(place, `applies only to ${ExecuteQuery.name}.`);
  const direction = SORT_DIRECTIONS.find((each) => each === value);
  if (!direction) reader.report(place, `must be one of ${SORT_DIRECTIONS.join(', ')}, but is ${JSON.stringify(value)}.`);
  return direction;
}

const OPERATION_MEMBERS = new Map(['name', 'keyField', 'versionField', 'page', 'cover', 'sortDirection'].map((name) => [name, true]));

function readOperation(reader: OverlayReader, place: string, value: unknown, operation: AnyOperation): OperationOverlay {
  const read: { -readonly [Member in keyof OperationOverlay]: OperationOverlay[Member] } = {};
  for (const [member, input] of reader.readKnown(place, value, OPERATION_MEMBERS, 'property of an operation')) {
    const at = `${place}.${member}`;
    if (member === 'page') read.page = readPage(reader, at, input, operation);
    else if (member === 'cover') read.cover = readCover(reader, at, input, operation);
    else if (member === 'sortDirection') {
      const direction = readSortDirection(reader, at, input, operation);
      if (direction) read.sortDirection = direction;
    } else if (member === 'keyField' && input === null && operation.keyField) read.keyField = null;
    else if (member === 'keyField' && isRead(operation)) reader.report(at, 'can’t be set for a read operation.');
    else if (member === 'versionField' && !operation.versionField)
      reader.report(
        at,
        'can’t be set, because the operation has no version field in the contract and its mutation has no `expectedVersion`.',
      );
    else {
      const text = reader.readString(at, input, member === 'name' ? SEGMENT : NAME, 'a name');
      if (text !== undefined) read[member as 'name'] = text;
    }
  }
  return read;
}

function readEnum(reader: OverlayReader, place: string, value: unknown, name: string): EnumOverlay {
  const members = new Map([
    ['prefix', true],
    ['words', true],
  ]);
  const words = new Map((enums[name] ?? []).map((word) => [word.name, true]));
  const read: { -readonly [Member in keyof EnumOverlay]: EnumOverlay[Member] } = {};
  for (const [member, input] of reader.readKnown(place, value, members, 'property of an enum')) {
    const at = `${place}.${member}`;
    if (member === 'words')
      read.words = reader.readNames(at, reader.readKnown(at, input, words, `value of ${name}`), NAME, 'the name of an enum value');
    else {
      const prefix = reader.readString(at, input, PREFIX, 'a prefix of enum values, such as STATUS_');
      if (prefix !== undefined) read.prefix = prefix;
    }
  }
  return read;
}

/** Returns the wire value of each value of an enum. */
function getWireValues(name: string, { enums: overlays }: Overlay): readonly (readonly [string, string])[] {
  const own = getEnumPrefix(name);
  const { prefix = own, words = {} } = overlays[name] ?? {};
  return (enums[name] ?? []).map((word) => [word.name, words[word.name] ?? prefix + word.name.slice(own.length)]);
}

/** Returns the path of an operation on the wire. */
export function getWirePath({ name, path }: AnyOperation, { services: renamed, operations: overlays }: Overlay): string {
  const [service, method] = [getServiceName(name), name.slice(getServiceName(name).length + 1)];
  return path.replace(`.${service}/${method}`, `.${renamed[service] ?? service}/${overlays[name]?.name ?? method}`);
}

/** Returns the wire name of each field of a message. */
export function wireNames({ name, fields }: MessageFields, { fields: renames }: Overlay): ReadonlyMap<string, string> {
  const of = (field: string) => renames[name]?.[field] ?? renames[EVERY_MESSAGE]?.[field] ?? field;
  return new Map(Object.keys(fields).map((field) => [field, of(field)]));
}

/** Reports fields of a message, values of an enum, and operations that an overlay makes indistinguishable on the wire. */
function reportClashes(reader: OverlayReader, overlay: Overlay): void {
  for (const message of messages.values()) reportShared(reader, `fields.${message.name}`, wireNames(message, overlay), 'wire name');
  for (const name of Object.keys(overlay.enums)) reportShared(reader, `enums.${name}`, getWireValues(name, overlay), 'wire value');
  const paths = operations.map((operation) => [operation.name, getWirePath(operation, overlay)] as const);
  reportShared(reader, WHOLE_FILE, paths, 'path');
  for (const [name, { keyField }] of Object.entries(overlay.operations)) {
    const operation = byName.get(name);
    // A key field of the contract is one of the message's fields, which are compared above.
    if (!operation || !keyField || operation.keyField) continue;
    const [field] = [...wireNames(operation.request, overlay)].find(([, wire]) => wire === keyField) ?? [];
    if (field !== undefined)
      reader.report(
        `operations.${name}.keyField`,
        `maps the idempotency key and ${field} of ${operation.request.name} to the same wire name, ${keyField}. Map each to its own.`,
      );
  }
}

const SECTIONS = new Map(['services', 'operations', 'fields', 'enums', 'indexes'].map((name) => [name, true]));

function readSections(reader: OverlayReader, json: unknown): Overlay {
  const parts: JsonObject = Object.fromEntries(reader.readKnown(WHOLE_FILE, json, SECTIONS, 'section of an overlay'));
  const named = reader.readKnown('services', parts.services, new Map([...services].map((name) => [name, true])), 'service');
  const getFields = (name: string) =>
    name === EVERY_MESSAGE
      ? new Map([...messages.values()].flatMap(({ fields }) => Object.entries(fields)))
      : new Map(Object.entries(messages.get(name)?.fields ?? {}));
  const renamed = reader.readKnown('fields', parts.fields, new Map([...messages, [EVERY_MESSAGE, null]]), 'message');
  const overlay: Overlay = {
    services: reader.readNames('services', named, SEGMENT, 'a name'),
    operations: Object.fromEntries(
      reader
        .readKnown('operations', parts.operations, byName, 'operation')
        .map(([name, value]) => [name, readOperation(reader, `operations.${name}`, value, byName.get(name) as AnyOperation)]),
    ),
    fields: Object.fromEntries(
      renamed.map(([name, value]) => {
        const place = `fields.${name}`;
        return [name, reader.readNames(place, reader.readKnown(place, value, getFields(name), 'field'), NAME, 'a name')];
      }),
    ),
    enums: Object.fromEntries(
      reader
        .readKnown('enums', parts.enums, new Map(Object.entries(enums)), 'enum')
        .map(([name, value]) => [name, readEnum(reader, `enums.${name}`, value, name)]),
    ),
    indexes: readIndexes(reader, parts.indexes),
  };
  const moved = addGuardNames(overlay);
  reportClashes(reader, moved);
  return moved;
}

/** Adds the wire names of key and version fields to those of the other fields, if the request has such a field. */
function addGuardNames(overlay: Overlay): Overlay {
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

/** Reads an overlay from YAML, and therefore also from JSON. Reports all problems at once. */
export function readOverlay(text: string): OverlayReading {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    return { problems: document.errors.map(({ message }) => `isn’t valid YAML or JSON: ${message.split('\n')[0]}`) };
  let json: unknown;
  try {
    // No aliases: an overlay doesn't need them, and a few can expand to gigabytes.
    json = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { problems: ['must not contain aliases (`*name`). Write out their values.'] };
  }
  const reader = new OverlayReader();
  const overlay = readSections(reader, json);
  return reader.problems.length > 0 ? { problems: reader.problems } : { overlay };
}
