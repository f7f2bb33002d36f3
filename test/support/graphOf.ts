import { createGraph, type Graph } from '../../src/graph.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from '../../src/subgraph/options.ts';

let cached: { readonly key: string; readonly graph: Graph } | undefined;
const usual = createGraph(DEFAULT_SUBGRAPH);
const usualKey = JSON.stringify(DEFAULT_SUBGRAPH);

/**
 * The graph for these options: building it takes most of the time that a server needs to start. The one for the default options is built once per worker. Of the
 * others, only the last one is kept, because each takes 20 MB.
 */
export function graphOf(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const key = JSON.stringify(options);
  if (key === usualKey) return usual;
  if (cached?.key !== key) cached = { key, graph: createGraph(options) };
  return cached.graph;
}
