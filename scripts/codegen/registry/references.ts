import { type DescField, type DescMessage, type DescMethod, ScalarType } from '@bufbuild/protobuf';
import type { Schema } from '@bufbuild/protoplugin';
import type { OptionReader } from './options.ts';

const toSnakeCase = (name: string) => name.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase();

const isId = ({ scalar, name }: DescField) => scalar === ScalarType.STRING && /(^|_)ids?$/.test(name);

/** Finds the type of the record that each ID refers to, from the field's option or otherwise its name. */
export class References {
  readonly #options: OptionReader;
  /** Entity types, by the names of fields that contain their IDs. */
  readonly #types = new Map<string, string>();
  /** The operation of each request message. */
  readonly #methods = new Map<DescMessage, DescMethod>();

  constructor({ files }: Pick<Schema, 'files'>, options: OptionReader) {
    this.#options = options;
    for (const { messages, services } of files) {
      for (const message of messages) this.#add(message);
      for (const method of services.flatMap(({ methods }) => methods)) this.#methods.set(method.input, method);
    }
  }

  #add(message: DescMessage): void {
    const entity = this.#options.getEntity(message);
    if (!entity) return;
    for (const name of [`${toSnakeCase(entity.type)}_id`, ...entity.idNames]) {
      const other = this.#types.get(name);
      if (other) throw new Error(`The ID field ${name} must belong to one entity, but ${other} and ${entity.type} both declare it.`);
      this.#types.set(name, entity.type);
    }
  }

  /** The entity type of the field's ID. Undefined if the field isn't an ID, or if it refers to a record without a type. */
  getType(field: DescField): string | undefined {
    const declared = this.#options.getReference(field);
    if (declared === '') return undefined;
    if (declared !== undefined) return this.#requireKnown(declared, field);
    if (!isId(field) || this.#isKey(field)) return undefined;
    if (field.name === 'id') return this.#findIdType(field.parent);
    return this.#types.get(field.name.replace(/s$/, '')) ?? this.#throwUnknown(field);
  }

  /** Idempotency keys aren't IDs, whatever their name. */
  #isKey({ parent, name }: DescField): boolean {
    const method = this.#methods.get(parent);
    return method !== undefined && this.#options.getOperation(method).keyField === name;
  }

  /** The entity type of a plain `id`: that of the record, or in a request, the one that the operation's name ends with. */
  #findIdType(message: DescMessage): string | undefined {
    const method = this.#methods.get(message);
    if (!method) return this.#options.getEntity(message)?.type;
    const types = [...this.#types.values()].filter((type) => method.name.endsWith(type));
    const [longest] = types.sort((one, other) => other.length - one.length);
    return longest ?? this.#throwUnknown(message.fields.find(({ name }) => name === 'id') as DescField);
  }

  #requireKnown(type: string, { parent, name }: DescField): string {
    if ([...this.#types.values()].includes(type)) return type;
    throw new Error(`${parent.name}.${name} refers to ${type}, but no record declares (publicapi.v1.entity) with that type.`);
  }

  #throwUnknown({ parent, name }: DescField): never {
    throw new Error(
      `${parent.name}.${name} must refer to a known record. Add it to the id_names of the record, or set (publicapi.v1.refers), which is "" if the ID refers to no record.`,
    );
  }
}
