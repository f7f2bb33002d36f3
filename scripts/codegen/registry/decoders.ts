import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { GeneratedFile, Printable, Schema } from '@bufbuild/protoplugin';
import { collectMessages } from './messages.ts';
import { getInnerMessage, isContractType } from './options.ts';

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
const listResponseMessages = ({ files }: Schema): readonly DescMessage[] =>
  collectMessages(files.flatMap(({ services }) => services.flatMap(({ methods }) => methods.map(({ output }) => output))));

const throwUnsupported = ({ parent, name }: DescField): never => {
  throw new Error(`${parent.name}.${name} has a type that the decoders don’t support. Add it to scripts/codegen/registry/decoders.ts.`);
};

const isOptional = ({ fieldKind, presence }: DescField): boolean =>
  fieldKind !== 'list' && fieldKind !== 'map' && presence !== Presence.IMPLICIT;

const getScalar = ({ scalar }: DescField): Scalar | undefined => (scalar === undefined ? undefined : SCALARS[scalar]);

const isInt64 = ({ scalar }: DescField): boolean => scalar === ScalarType.INT64;

/** Prints records.ts and decoders.ts: the types of complete records, and the functions that decode them from proto3 JSON. */
export class Decoders {
  readonly #messages: readonly DescMessage[];
  readonly #records: GeneratedFile;
  readonly #decoders: GeneratedFile;

  constructor(schema: Schema, records: GeneratedFile, decoders: GeneratedFile) {
    this.#messages = listResponseMessages(schema);
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
      file.print('  readonly ', field.jsonName, ': ', this.#printType(field), isOptional(field) ? ' | undefined;' : ';');
    file.print('}');
  }

  #printType(field: DescField): Printable {
    const { parent, fieldKind, jsonName } = field;
    if (fieldKind === 'map') return ['Readonly<NonNullable<', this.#records.importJson(parent), "['", jsonName, "']>>"];
    const value = this.#printValueType(field);
    return fieldKind === 'list' ? ['readonly ', value, '[]'] : value;
  }

  #printValueType(field: DescField): Printable {
    const { enum: enumType } = field;
    if (enumType && isContractType(enumType)) return this.#records.importJson(enumType);
    return getInnerMessage(field)?.name ?? getScalar(field)?.type ?? throwUnsupported(field);
  }

  #printDecoder(message: DescMessage): void {
    const file = this.#decoders;
    const record = file.import(message.name, './records.ts', true);
    file.print();
    file.print('export function ', getDecoderName(message), '(json: ', file.importJson(message), '): ', record, ' {');
    file.print('  return {');
    for (const field of message.fields) file.print('    ', field.jsonName, ': ', this.#printValue(field), ',');
    file.print('  };');
    file.print('}');
  }

  #printValue(field: DescField): Printable {
    const { fieldKind, jsonName, enum: enumType } = field;
    const value = `json.${jsonName}`;
    const inner = getInnerMessage(field);
    if (inner) return [this.#importHelper(fieldKind === 'list' ? 'list' : 'message'), '(', value, ', ', getDecoderName(inner), ')'];
    if (fieldKind === 'map') return [value, ' ?? ', this.#importHelper('NO_ENTRIES')];
    if (fieldKind === 'list') return isInt64(field) ? throwUnsupported(field) : [value, ' ?? ', this.#importHelper('NO_ITEMS')];
    if (isInt64(field)) return [this.#importHelper(isOptional(field) ? 'optionalInt64' : 'int64'), '(', value, ')'];
    if (isOptional(field)) return `${value} ?? undefined`;
    if (enumType && isContractType(enumType)) return `${value} ?? '${enumType.values[0]?.name}'`;
    return `${value} ?? ${getScalar(field)?.zero ?? throwUnsupported(field)}`;
  }

  #importHelper(name: string): Printable {
    return this.#decoders.import(name, '../decoding.ts');
  }
}

/** The name of the function that decodes a message. */
export const getDecoderName = ({ name }: DescMessage): string => `decode${name}`;
