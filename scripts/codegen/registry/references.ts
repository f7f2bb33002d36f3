import { type DescField, type DescMessage, type DescMethod, ScalarType } from '@bufbuild/protobuf';
import type { Schema } from '@bufbuild/protoplugin';
import type { Options } from './options.ts';

const toSnakeCase = (name: string) => name.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase();

const isId = ({ scalar, name }: DescField) => scalar === ScalarType.STRING && /(^|_)ids?$/.test(name);

/** Finds the type of the record that each id names: by the field's name, or by what the field says where that does not tell. */
export class References {
  readonly #options: Options;
  /** The types, by the names of fields that hold their ids. */
  readonly #types = new Map<string, string>();
  /** The operations that each request belongs to. */
  readonly #methods = new Map<DescMessage, DescMethod>();

  constructor({ files }: Pick<Schema, 'files'>, options: Options) {
    this.#options = options;
    for (const { messages, services } of files) {
      for (const message of messages) this.#add(message);
      for (const method of services.flatMap(({ methods }) => methods)) this.#methods.set(method.input, method);
    }
  }

  #add(message: DescMessage): void {
    const entity = this.#options.entity(message);
    if (!entity) return;
    for (const name of [`${toSnakeCase(entity.type)}_id`, ...entity.idNames]) {
      const other = this.#types.get(name);
      if (other) throw new Error(`${name} must be an id of one type, but ${other} and ${entity.type} both claim it.`);
      this.#types.set(name, entity.type);
    }
  }

  /** The type that the field's id is of; undefined for what is no id, or names no record that has a type. */
  typeOf(field: DescField): string | undefined {
    const said = this.#options.refers(field);
    if (said === '') return undefined;
    if (said !== undefined) return this.#known(said, field);
    if (!isId(field) || this.#isKey(field)) return undefined;
    if (field.name === 'id') return this.#ownIdIn(field.parent);
    return this.#types.get(field.name.replace(/s$/, '')) ?? this.#refuse(field);
  }

  /** Keys of idempotency are no ids, whatever they are called. */
  #isKey({ parent, name }: DescField): boolean {
    const method = this.#methods.get(parent);
    return method !== undefined && this.#options.operation(method).keyField === name;
  }

  /** The type that a plain `id` is of: the record's own, or in a request the one that the operation's name ends with. */
  #ownIdIn(message: DescMessage): string | undefined {
    const method = this.#methods.get(message);
    if (!method) return this.#options.entity(message)?.type;
    const types = [...this.#types.values()].filter((type) => method.name.endsWith(type));
    const [longest] = types.sort((one, other) => other.length - one.length);
    return longest ?? this.#refuse(message.fields.find(({ name }) => name === 'id') as DescField);
  }

  #known(type: string, { parent, name }: DescField): string {
    if ([...this.#types.values()].includes(type)) return type;
    throw new Error(`${parent.name}.${name} refers to ${type}, but no record says (publicapi.v1.entity) of that type.`);
  }

  #refuse({ parent, name }: DescField): never {
    throw new Error(
      `${parent.name}.${name} must name a record that is known: add it to the id_names of that record, or say (publicapi.v1.refers), which is "" for an id of no record.`,
    );
  }
}
