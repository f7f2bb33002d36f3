import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { GeneratedFile, Schema } from '@bufbuild/protoplugin';
import type { Kind } from '../../../src/upstream/contract/fields.ts';
import { combinationsOf } from './combinations.ts';
import { isRequired, limitsOf, statedLimits } from './limits.ts';
import { innerOf, isOwn, type Options } from './options.ts';
import { References } from './references.ts';
import { sensitivePaths } from './sensitive.ts';
import { unitOf } from './units.ts';

const KINDS: Readonly<Partial<Record<ScalarType, Kind>>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.INT32]: 'int',
  [ScalarType.INT64]: 'int64',
};

function kindOf(field: DescField): Kind {
  if (field.fieldKind === 'map') return 'map';
  if (field.message) return innerOf(field) ? 'message' : 'json';
  // google.protobuf.NullValue and its like.
  if (field.enum) return isOwn(field.enum) ? 'enum' : 'json';
  const kind = field.scalar !== undefined && KINDS[field.scalar];
  if (!kind)
    throw new Error(`The registry knows no kind for ${field.parent.name}.${field.name}; teach scripts/codegen/registry/messages.ts.`);
  return kind;
}

/** Messages and all that they contain, each once, inner messages first unless they are recursive. */
export function withInnerMessages(roots: readonly DescMessage[]): readonly DescMessage[] {
  const found = new Set<DescMessage>();
  const entered = new Set<DescMessage>();
  const add = (message: DescMessage): void => {
    if (entered.has(message)) return;
    entered.add(message);
    for (const field of message.fields) {
      const inner = innerOf(field);
      if (inner) add(inner);
    }
    found.add(message);
  };
  for (const message of roots) add(message);
  return [...found];
}

/** Every message of a request, a response, or a record, inner messages first unless they are recursive. */
const messagesIn = ({ files }: Schema, options: Options): readonly DescMessage[] =>
  withInnerMessages(
    files.flatMap(({ messages, services }) => [
      ...messages.filter((message) => options.isRecord(message)),
      ...services.flatMap(({ methods }) => methods.flatMap(({ input, output }) => [input, output])),
    ]),
  );

/** Prints messages.ts: the fields of every message that is sent or answered. */
export class Messages {
  readonly #options: Options;
  readonly #references: References;
  readonly #printed = new Set<DescMessage>();

  constructor(schema: Schema, options: Options) {
    this.#options = options;
    this.#references = new References(schema, options);
  }

  print(schema: Schema, file: GeneratedFile): void {
    const type = file.import('MessageFields', '../fields.ts', true);
    const messages = messagesIn(schema, this.#options);
    for (const message of messages) {
      file.print();
      file.print('export const ', message.name, ' = ', this.#textOf(message), ' as const satisfies ', type, ';');
      this.#printed.add(message);
    }
    file.print();
    file.print('/** Every record of the contract, by its name. */');
    file.print('export const records: Readonly<Record<string, ', type, '>> = {');
    for (const message of messages) if (this.#options.isRecord(message)) file.print('  ', message.name, ',');
    file.print('};');
    this.#printWords(file, messages);
  }

  /** The values of every enum that the messages contain. */
  #printWords(file: GeneratedFile, messages: readonly DescMessage[]): void {
    const enums = new Set(messages.flatMap(({ fields }) => fields.flatMap((field) => (field.enum && isOwn(field.enum) ? field.enum : []))));
    file.print();
    file.print('/** The words of every enum that is sent or answered. */');
    file.print('export const enums: Readonly<Record<string, readonly ', file.import('Word', '../fields.ts', true), '[]>> = {');
    for (const each of enums) {
      const words = each.values.map((word) => ({ name: word.name, assumed: this.#options.isWordAssumed(word) || undefined }));
      file.print('  ', each.name, ': ', JSON.stringify(words), ',');
    }
    file.print('};');
    file.print();
    file.print('/** JSON values of every enum in a request or response, by the name of the enum. */');
    file.print('export interface EnumValues {');
    for (const each of enums) file.print('  readonly ', each.name, ': ', file.importJson(each), ';');
    file.print('}');
  }

  #textOf(message: DescMessage): string {
    const combinations = combinationsOf(message);
    const isStated = Object.keys(combinations).length > 0 && this.#options.isCombinationStated(message);
    const head = {
      name: message.name,
      entity: this.#options.entity(message)?.type,
      ...combinations,
      combinationStated: isStated || undefined,
      sensitive: sensitivePaths(message, this.#options).length > 0 || undefined,
    };
    const fields = message.fields.map((field) => `${JSON.stringify(field.jsonName)}:${this.#fieldText(field)}`);
    return `${JSON.stringify(head).slice(0, -1)},"fields":{${fields.join(',')}}}`;
  }

  #fieldText(field: DescField): string {
    const limits = limitsOf(field);
    const stated = statedLimits(field, limits, this.#options.statedRules(field));
    const isPlural = field.fieldKind === 'list' || field.fieldKind === 'map';
    const isExclusive = combinationsOf(field.parent).exactlyOne?.includes(field.jsonName);
    const said = {
      kind: kindOf(field),
      type: field.enum && isOwn(field.enum) ? field.enum.name : undefined,
      list: field.fieldKind === 'list' || undefined,
      presence: isPlural || field.presence === Presence.IMPLICIT ? 'implicit' : 'optional',
      required: (!isExclusive && isRequired(field, limits)) || undefined,
      refers: this.#references.typeOf(field),
      unit: unitOf(field, this.#options.unit(field)),
      assumed: this.#options.isAssumed(field) || undefined,
      sensitive: this.#options.isSensitive(field) || undefined,
      ...limits,
      stated: stated.length > 0 ? stated : undefined,
    };
    const inner = innerOf(field);
    return inner ? `${JSON.stringify(said).slice(0, -1)},${this.#reference(inner)}}` : JSON.stringify(said);
  }

  /** A message by reference. A message that holds itself is not there yet: a getter finds it when it is asked for, and TypeScript sees no further into it. */
  #reference(message: DescMessage): string {
    return this.#printed.has(message) ? `"message":${message.name}` : `get message(): MessageFields { return ${message.name}; }`;
  }
}
