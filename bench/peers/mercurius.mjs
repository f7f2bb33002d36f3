// Mercurius with its JIT. Its own loaders are not used: they tell records apart by the JSON of the whole parent, and know one field each.
import fastify from 'fastify';
import mercurius from 'mercurius';
import { schema } from './resolvers.mjs';
import { operationsFor } from './upstream.mjs';

const app = fastify({ logger: false, keepAliveTimeout: 60_000 });

app.register(mercurius, {
  schema,
  jit: 1,
  graphiql: false,
  context: ({ headers }) => ({ operations: operationsFor(headers.authorization) }),
});

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
