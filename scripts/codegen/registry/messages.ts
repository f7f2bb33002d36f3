import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { GeneratedFile, Schema } from '@bufbuild/protoplugin';
import type { Kind } from '../../../src/upstream/contract/fields.ts';
import { readCombinations } from './combinations.ts';
import { isRequired, listStatedLimits, readLimits } from './limits.ts';
import { getInnerMessage, getJsonName, isContractType, type OptionReader } from './options.ts';
import { References } from './references.ts';
import { listSensitivePaths } from './sensitive.ts';
import { getUnit } from './units.ts';

const KINDS: Readonly<Partial<Record<ScalarType, Kind>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.INT32]: 'int',
  [ScalarType.INT64]: 'int64',
};

function getKind(field: DescField): Kind {
  if (field.fieldKind === 'map') return 'map';
  if (field.message) return getInnerMessage(field) ? 'message' : 'json';
  // Such as google.protobuf.NullValue.
  if (field.enum) return isContractType(field.enum) ? 'enum' : 'json';
  const kind = field.scalar !== undefined && KINDS[field.scalar];
  if (!kind)
    throw new Error(`The type of ${field.parent.name}.${field.name} isn’t supported. Add it to scripts/codegen/registry/messages.ts.`);
  return kind;
}

/** Messages and all nested messages, without duplicates. Inner messages come first unless they are recursive. */
export function collectMessages(roots: readonly DescMessage[]): readonly DescMessage[] {
  const found = new Set<DescMessage>();
  const entered = new Set<DescMessage>();
  const add = (message: DescMessage): void => {
    if (entered.has(message)) return;
    entered.add(message);
    for (const field of message.fields) {
      const inner = getInnerMessage(field);
      if (inner) add(inner);
    }
    found.add(message);
  };
  for (const message of roots) add(message);
  return [...found];
}

/** Every message of a request, response, or record. Inner messages come first unless they are recursive. */
const listMessages = ({ files }: Schema, options: OptionReader): readonly DescMessage[] =>
  collectMessages(
    files.flatMap(({ messages, services }) => [
      ...messages.filter((message) => options.isRecord(message)),
      ...services.flatMap(({ methods }) => methods.flatMap(({ input, output }) => [input, output])),
    ]),
  );

/** Prints messages.ts: the fields of every message in a request or response. */
export class Messages {
  readonly #options: OptionReader;
  readonly #references: References;
  readonly #printed = new Set<DescMessage>();

  constructor(schema: Schema, options: OptionReader) {
    this.#options = options;
    this.#references = new References(schema, options);
  }

  print(schema: Schema, file: GeneratedFile): void {
    const type = file.import('MessageFields', '../fields.ts', true);
    const messages = listMessages(schema, this.#options);
    for (const message of messages) {
      file.print();
      file.print('export const ', message.name, ' = ', this.#printMessage(message), ' as const satisfies ', type, ';');
      this.#printed.add(message);
    }
    file.print();
    file.print('/** Every record of the contract, by its name. */');
    file.print('export const records: Readonly<Record<string, ', type, '>> = {');
    for (const message of messages) if (this.#options.isRecord(message)) file.print('  ', message.name, ',');
    file.print('};');
    this.#printIndexes(file, messages);
    this.#printEnums(file, messages);
  }

  /** The roots of the analytics catalog, with their columns by the names of the records' fields. */
  #printIndexes(file: GeneratedFile, messages: readonly DescMessage[]): void {
    file.print();
    file.print('/** Roots of the analytics catalog that contain records, by their names. */');
    file.print('export const indexes = {');
    for (const message of messages) {
      const index = this.#options.getIndex(message);
      if (!index) continue;
      const columns = index.columns.map((name) => [getJsonName(message, name), name.replace(/_minor$/, '')]);
      const { root, relationships } = index;
      const related = Object.fromEntries(relationships.map((each) => [each.name, each.root]));
      const entry = { root, columns: Object.fromEntries(columns), relationships: related };
      file.print('  ', root, ': ', JSON.stringify(entry).slice(0, -1), ',"record":', message.name, '},');
    }
    file.print('} as const satisfies Readonly<Record<string, ', file.import('Index', '../fields.ts', true), '>>;');
  }

  /** The values of every enum that the messages contain. */
  #printEnums(file: GeneratedFile, messages: readonly DescMessage[]): void {
    const enums = new Set(
      messages.flatMap(({ fields }) => fields.flatMap((field) => (field.enum && isContractType(field.enum) ? field.enum : []))),
    );
    file.print();
    file.print('/** The values of every enum in a request or response. */');
    file.print('export const enums: Readonly<Record<string, readonly ', file.import('EnumValue', '../fields.ts', true), '[]>> = {');
    for (const each of enums) {
      const values = each.values.map((value) => ({ name: value.name, assumed: this.#options.isValueAssumed(value) || undefined }));
      file.print('  ', each.name, ': ', JSON.stringify(values), ',');
    }
    file.print('};');
    file.print();
    file.print('/** JSON values of every enum in a request or response, by the name of the enum. */');
    file.print('export interface EnumValues {');
    for (const each of enums) file.print('  readonly ', each.name, ': ', file.importJson(each), ';');
    file.print('}');
  }

  #printMessage(message: DescMessage): string {
    const combinations = readCombinations(message);
    const isStated = Object.keys(combinations).length > 0 && this.#options.isCombinationStated(message);
    const head = {
      name: message.name,
      entity: this.#options.getEntity(message)?.type,
      ...combinations,
      combinationStated: isStated || undefined,
      sensitive: listSensitivePaths(message, this.#options).length > 0 || undefined,
    };
    const fields = message.fields.map((field) => `${JSON.stringify(field.jsonName)}:${this.#printField(field)}`);
    return `${JSON.stringify(head).slice(0, -1)},"fields":{${fields.join(',')}}}`;
  }

  #printField(field: DescField): string {
    const limits = readLimits(field);
    const stated = listStatedLimits(field, limits, this.#options.getStatedRules(field));
    const isPlural = field.fieldKind === 'list' || field.fieldKind === 'map';
    const isExclusive = readCombinations(field.parent).exactlyOne?.includes(field.jsonName);
    const entry = {
      kind: getKind(field),
      type: field.enum && isContractType(field.enum) ? field.enum.name : undefined,
      list: field.fieldKind === 'list' || undefined,
      presence: isPlural || field.presence === Presence.IMPLICIT ? 'implicit' : 'optional',
      required: (!isExclusive && isRequired(field, limits)) || undefined,
      refers: this.#references.getType(field),
      unit: getUnit(field, this.#options.getUnit(field)),
      assumed: this.#options.isAssumed(field) || undefined,
      sensitive: this.#options.isSensitive(field) || undefined,
      ...limits,
      stated: stated.length > 0 ? stated : undefined,
    };
    const inner = getInnerMessage(field);
    return inner ? `${JSON.stringify(entry).slice(0, -1)},${this.#printReference(inner)}}` : JSON.stringify(entry);
  }

  /** A reference to a message. A recursive message isn't defined yet, so a getter resolves it lazily, and TypeScript doesn't infer its type any deeper. */
  #printReference(message: DescMessage): string {
    return this.#printed.has(message) ? `"message":${message.name}` : `get message(): MessageFields { return ${message.name}; }`;
  }
}
