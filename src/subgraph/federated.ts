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
import type { ByteExtensions } from '../schema/kit/costExtensions.ts';
import { resolveReferences } from '../schema/kit/references.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';

const ANY = new GraphQLScalarType({ name: '_Any' });

/**
 * Adds federation's fields of Query: `_entities`, and `_service`, whose SDL is set later. Pothos could add them too, but it sorts the schema by name, and
 * readers need the declaration order.
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

/** Sets the SDL that `_service` returns, and its size: aliases can request it many times. `sdl` is called when it's first requested. */
export function setServiceSdl(schema: GraphQLSchema, sdl: () => string): void {
  const service = schema.getQueryType()?.getFields()._service;
  const type = schema.getType('_Service');
  const field = isObjectType(type) ? type.getFields().sdl : undefined;
  if (!service || !field) throw new Error('The graph is no subgraph.');
  service.resolve = () => ({ sdl: sdl() });
  const size: ByteExtensions = {
    get bytes() {
      return sdl().length;
    },
  };
  field.extensions = Object.assign(size, field.extensions);
}
