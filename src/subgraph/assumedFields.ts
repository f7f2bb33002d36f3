import { type GraphQLField, type GraphQLNamedType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { ASSUMED } from '../schema/kit/fieldAnnotations.ts';
import { getDeclaredTags } from './directives.ts';

/**
 * The assumed fields of a schema: fields with the tag, and fields whose type has only assumed fields. Without the latter, a contract that excludes assumed
 * fields would retain fields whose type is empty.
 */
export class AssumedFields {
  readonly #types = new Set<GraphQLNamedType>();

  constructor(schema: GraphQLSchema) {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    const isFullyAssumed = (type: (typeof types)[number]) => Object.values(type.getFields()).every((field) => this.has(field));
    for (let before = -1; before !== this.#types.size; ) {
      before = this.#types.size;
      for (const type of types) if (isFullyAssumed(type)) this.#types.add(type);
    }
  }

  has(field: GraphQLField<unknown, unknown>): boolean {
    return getDeclaredTags(field).includes(ASSUMED) || this.#types.has(getNamedType(field.type));
  }
}
