import { getTypeBrand } from '@pothos/core';
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
} from 'graphql';
import type { Context } from '../context.ts';
import type { SizeExtensions } from '../schema/cost/responseSize.ts';
import { resolveReferences } from '../schema/kit/references.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';

const ANY = new GraphQLScalarType({ name: '_Any' });

/**
 * The schema with federation's own fields of Query: `_entities`, and `_service`, whose SDL is set later. Pothos would add them too, but sorts the
 * schema by name, and readers want it in the order of its declaration.
 */
export function withFederation(schema: GraphQLSchema): GraphQLSchema {
  const query = schema.getQueryType();
  if (!query) throw new Error('The graph has no queries.');
  const types = Object.values(schema.getTypeMap());
  const entities = types.filter(isObjectType).filter((type) => getEntityOfType(type) !== undefined);
  const Entity = new GraphQLUnionType({ name: '_Entity', types: entities, resolveType: (value) => String(getTypeBrand(value)) });
  const Service = new GraphQLObjectType({ name: '_Service', fields: { sdl: { type: GraphQLString } } });
  const representations = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ANY))) };
  const config = query.toConfig();
  const federated = new GraphQLObjectType<unknown, Context>({
    ...config,
    fields: {
      ...config.fields,
      _entities: {
        type: new GraphQLNonNull(new GraphQLList(Entity)),
        args: { representations },
        resolve: resolveReferences as never,
      },
      _service: { type: new GraphQLNonNull(Service) },
    },
  });
  return new GraphQLSchema({ ...schema.toConfig(), query: federated, types: types.filter((type) => type !== query) });
}

/** Sets what `_service` tells, and weighs it as long as it is: aliases may ask for it many times. `sdl` is called when it is first asked for. */
export function tellSdl(schema: GraphQLSchema, sdl: () => string): void {
  const service = schema.getQueryType()?.getFields()._service;
  const type = schema.getType('_Service');
  const field = isObjectType(type) ? type.getFields().sdl : undefined;
  if (!service || !field) throw new Error('The graph is no subgraph.');
  service.resolve = () => ({ sdl: sdl() });
  const size: SizeExtensions = {
    get bytes() {
      return sdl().length;
    },
  };
  field.extensions = Object.assign(size, field.extensions);
}
