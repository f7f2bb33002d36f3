import type { GraphQLSchema } from 'graphql';
import { invalidInput } from '../upstream/errors.ts';
import { entityNamed } from './entities.ts';
import { MAX_LOOKUPS } from './nodes.ts';

interface References {
  readonly representations: readonly { readonly __typename?: unknown }[];
}

/** The schema with an `_entities` that takes a bounded number of references, and lets one of no entity type fail alone. */
export function withCheckedReferences(schema: GraphQLSchema): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()._entities;
  const resolve = field?.resolve;
  if (!resolve) throw new Error('The graph has no entities.');
  field.resolve = (root, args: References, context, info) => {
    const { representations } = args;
    if (representations.length > MAX_LOOKUPS) {
      throw invalidInput(['representations'], `must have at most ${MAX_LOOKUPS} entries, but has ${representations.length}.`);
    }
    return representations.map((representation, index) => {
      const name = String(representation.__typename);
      if (!entityNamed(name)) return invalidInput(['representations', String(index)], `must be of an entity, but is of ${name}.`);
      return (resolve(root, { representations: [representation] }, context, info) as unknown[])[0];
    });
  };
  return schema;
}
