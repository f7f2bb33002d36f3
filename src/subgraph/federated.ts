import { GraphQLScalarType, type GraphQLSchema, isObjectType } from 'graphql';
import { builder } from '../schema/kit/builder.ts';
import type { ByteExtensions } from '../schema/kit/costExtensions.ts';
import { resolveReferences } from '../schema/kit/references.ts';
import { listEntities } from '../schema/kit/registry.ts';

builder.addScalarType('_Any', new GraphQLScalarType({ name: '_Any' }));

const Entity = builder.unionType('_Entity', { types: () => listEntities().map(({ ref }) => ref) });

const Service = builder.objectRef<{ readonly sdl: string }>('_Service').implement({ fields: (t) => ({ sdl: t.exposeString('sdl') }) });

// Pothos' federation plugin could add these fields, but it sorts the schema by name, and readers need the declaration order.
builder.queryFields((t) => ({
  _entities: t.field({
    type: [Entity],
    nullable: { list: false, items: true },
    args: { representations: t.arg({ type: ['_Any'], required: true }) },
    resolve: resolveReferences,
  }),
  // Each graph sets its own SDL.
  _service: t.field({ type: Service, nullable: false, resolve: () => ({ sdl: '' }) }),
}));

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
