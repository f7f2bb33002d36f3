import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** https://graphql.github.io/graphql-over-http/draft as the suite of graphql-http reads it: all that it must and should do, and may do. */
describe('GraphQL over HTTP', () => {
  it.each(serverAudits({ url: () => `${testGraph.url}/graphql`, fetchFn: fetch }))('$id: $name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});
