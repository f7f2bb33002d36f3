import { expect, it } from 'vitest';
import { graphUrl } from '../../../examples/graphUrl.ts';

it.each([
  [undefined, 'http://127.0.0.1:4000/graphql'],
  ['', 'http://127.0.0.1:4000/graphql'],
  ['http://127.0.0.1:4001', 'http://127.0.0.1:4001/graphql'],
  ['http://127.0.0.1:4001/', 'http://127.0.0.1:4001/graphql'],
  ['http://127.0.0.1:4001/graphql', 'http://127.0.0.1:4001/graphql'],
  ['https://graph.example/desk/graphql?v=2', 'https://graph.example/desk/graphql?v=2'],
])('GRAPH_URL=%s resolves to %s', (given, url) => {
  expect(graphUrl({ GRAPH_URL: given }).href).toBe(url);
});

it.each(['127.0.0.1:4000', 'ftp://127.0.0.1', 'graph'])('GRAPH_URL=%s fails', (given) => {
  expect(() => graphUrl({ GRAPH_URL: given })).toThrow(
    `GRAPH_URL must be the http or https address of a graph, such as http://127.0.0.1:4000/graphql, but is ${given}.`,
  );
});
