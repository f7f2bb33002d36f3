import { expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const PROBLEMS = `{ customers(first: 100) { nodes {
  open: problems(first: 100, filter: { status: OPEN }) { nodes { rawId status } }
  resolved: problems(first: 100, filter: { status: RESOLVED }) { nodes { rawId status } }
} } }`;

interface Lists {
  readonly open: { readonly nodes: readonly object[] };
  readonly resolved: { readonly nodes: readonly object[] };
}

const batching = useTestGraph();
const plain = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

it('applies the filter of each list in a batched read of many customers’ lists', async () => {
  const { data: expected } = await plain.execute(PROBLEMS);
  const customers: readonly Lists[] = expected.customers.nodes;
  expect(customers.flatMap(({ open }) => open.nodes)).not.toEqual([]);
  expect(customers.flatMap(({ resolved }) => resolved.nodes)).not.toEqual([]);
  const [{ data }, calls] = await batching.recordCalls(() => batching.execute(PROBLEMS));
  expect(data).toEqual(expected);
  // Without batching, each customer costs two calls.
  expect(calls.length).toBeLessThan(customers.length);
});
