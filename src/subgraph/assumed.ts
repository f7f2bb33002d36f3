import { type GraphQLField, type GraphQLNamedType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { ASSUMED } from '../schema/kit/fieldAnnotations.ts';
import { RAW_RECORD_FIELD } from '../schema/kit/rawRecords.ts';
import { declaredTags } from './directives.ts';

/**
 * The fields of a schema that are assumed: those that say so, and those that lead to a type of which nothing else is known. A contract without
 * them would otherwise keep fields that lead nowhere.
 */
export class Assumed {
  readonly #types = new Set<GraphQLNamedType>();

  constructor(schema: GraphQLSchema) {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    // A raw record tells nothing that is promised.
    const isWholly = (type: (typeof types)[number]) =>
      Object.values(type.getFields()).every((field) => field.name === RAW_RECORD_FIELD || this.has(field));
    for (let before = -1; before !== this.#types.size; ) {
      before = this.#types.size;
      for (const type of types) if (isWholly(type)) this.#types.add(type);
    }
  }

  has(field: GraphQLField<unknown, unknown>): boolean {
    return declaredTags(field).includes(ASSUMED) || this.#types.has(getNamedType(field.type));
  }
}
