import { createGraph, type Graph } from '../../src/graph.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from '../../src/subgraph/options.ts';

let cached: { readonly key: string; readonly graph: Graph } | undefined;
const usual = createGraph(DEFAULT_SUBGRAPH);
const usualKey = JSON.stringify(DEFAULT_SUBGRAPH);

/**
 * The graph for these options. Building it takes most of a server's startup time. Each worker builds the graph for the default options once, and caches only
 * the last of the others, because each needs 20 MB.
 */
export function getGraph(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const key = JSON.stringify(options);
  if (key === usualKey) return usual;
  if (cached?.key !== key) cached = { key, graph: createGraph(options) };
  return cached.graph;
}
