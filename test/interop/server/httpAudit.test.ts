import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

/** https://graphql.github.io/graphql-over-http/draft as the suite of graphql-http reads it: all that it must and should do, and may do. */
describe('GraphQL over HTTP', () => {
  it.each(serverAudits({ url: () => `${world.url}/graphql`, fetchFn: fetch }))('$id: $name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});
