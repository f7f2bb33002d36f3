// Mercurius with its JIT. Doesn't use its loaders, because they identify records by the JSON of the whole parent, and each knows only one field.
import fastify from 'fastify';
import mercurius from 'mercurius';
import { schema } from './resolvers.mjs';
import { createRequestOperations } from './upstream.mjs';

const app = fastify({ logger: false, keepAliveTimeout: 60_000 });

app.register(mercurius, {
  schema,
  jit: 1,
  graphiql: false,
  context: ({ headers }) => ({ operations: createRequestOperations(headers.authorization) }),
});

await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
