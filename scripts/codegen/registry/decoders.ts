import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { GeneratedFile, Printable, Schema } from '@bufbuild/protoplugin';
import { withInnerMessages } from './messages.ts';
import { innerOf, isOwn } from './options.ts';

interface Scalar {
  readonly type: string;
  /** JavaScript literal of the default value. */
  readonly zero: string;
}

const SCALARS: Readonly<Partial<Record<ScalarType, Scalar>>> = {
  [ScalarType.STRING]: { type: 'string', zero: "''" },
  [ScalarType.BOOL]: { type: 'boolean', zero: 'false' },
  [ScalarType.INT32]: { type: 'number', zero: '0' },
  [ScalarType.INT64]: { type: 'string', zero: "'0'" },
  [ScalarType.DOUBLE]: { type: "number | 'NaN' | 'Infinity' | '-Infinity'", zero: '0' },
};

/** Every message that a response contains, inner messages first unless they are recursive. */
const responseMessagesIn = ({ files }: Schema): readonly DescMessage[] =>
  withInnerMessages(files.flatMap(({ services }) => services.flatMap(({ methods }) => methods.map(({ output }) => output))));

const refuse = ({ parent, name }: DescField): never => {
  throw new Error(`${parent.name}.${name} has a type that the decoders don’t support. Add it to scripts/codegen/registry/decoders.ts.`);
};

const isOptional = ({ fieldKind, presence }: DescField): boolean =>
  fieldKind !== 'list' && fieldKind !== 'map' && presence !== Presence.IMPLICIT;

const scalarOf = ({ scalar }: DescField): Scalar | undefined => (scalar === undefined ? undefined : SCALARS[scalar]);

const isInt64 = ({ scalar }: DescField): boolean => scalar === ScalarType.INT64;

/** Prints records.ts and decoders.ts: the complete records, and the functions that make them of proto3 JSON. */
export class Decoders {
  readonly #messages: readonly DescMessage[];
  readonly #records: GeneratedFile;
  readonly #decoders: GeneratedFile;

  constructor(schema: Schema, records: GeneratedFile, decoders: GeneratedFile) {
    this.#messages = responseMessagesIn(schema);
    this.#records = records;
    this.#decoders = decoders;
  }

  print(): void {
    for (const message of this.#messages) {
      this.#printRecord(message);
      this.#printDecoder(message);
    }
  }

  #printRecord({ name, fields }: DescMessage): void {
    const file = this.#records;
    file.print();
    file.print('export interface ', name, ' {');
    for (const field of fields)
      file.print('  readonly ', field.jsonName, ': ', this.#typeOf(field), isOptional(field) ? ' | undefined;' : ';');
    file.print('}');
  }

  #typeOf(field: DescField): Printable {
    const { parent, fieldKind, jsonName } = field;
    if (fieldKind === 'map') return ['Readonly<NonNullable<', this.#records.importJson(parent), "['", jsonName, "']>>"];
    const value = this.#valueTypeOf(field);
    return fieldKind === 'list' ? ['readonly ', value, '[]'] : value;
  }

  #valueTypeOf(field: DescField): Printable {
    const { enum: words } = field;
    if (words && isOwn(words)) return this.#records.importJson(words);
    return innerOf(field)?.name ?? scalarOf(field)?.type ?? refuse(field);
  }

  #printDecoder(message: DescMessage): void {
    const file = this.#decoders;
    const record = file.import(message.name, './records.ts', true);
    file.print();
    file.print('export function ', decoderOf(message), '(json: ', file.importJson(message), '): ', record, ' {');
    file.print('  return {');
    for (const field of message.fields) file.print('    ', field.jsonName, ': ', this.#valueOf(field), ',');
    file.print('  };');
    file.print('}');
  }

  #valueOf(field: DescField): Printable {
    const { fieldKind, jsonName, enum: words } = field;
    const value = `json.${jsonName}`;
    const inner = innerOf(field);
    if (inner) return [this.#helper(fieldKind === 'list' ? 'list' : 'message'), '(', value, ', ', decoderOf(inner), ')'];
    if (fieldKind === 'map') return [value, ' ?? ', this.#helper('NO_ENTRIES')];
    if (fieldKind === 'list') return isInt64(field) ? refuse(field) : [value, ' ?? ', this.#helper('NO_ITEMS')];
    if (isInt64(field)) return [this.#helper(isOptional(field) ? 'optionalInt64' : 'int64'), '(', value, ')'];
    if (isOptional(field)) return `${value} ?? undefined`;
    if (words && isOwn(words)) return `${value} ?? '${words.values[0]?.name}'`;
    return `${value} ?? ${scalarOf(field)?.zero ?? refuse(field)}`;
  }

  #helper(name: string): Printable {
    return this.#decoders.import(name, '../decoding.ts');
  }
}

/** The name of the function that decodes a message. */
export const decoderOf = ({ name }: DescMessage): string => `decode${name}`;
