import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** The graphql-http audits for https://graphql.github.io/graphql-over-http/draft: all MUST, SHOULD, and MAY requirements. */
describe('GraphQL over HTTP', () => {
  it.each(serverAudits({ url: () => `${testGraph.url}/graphql`, fetchFn: fetch }))('$id: $name', async ({ fn }) => {
    expect(await fn()).toMatchObject({ status: 'ok' });
  });
});
