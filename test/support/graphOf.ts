import { createGraph, type Graph } from '../../src/graph.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from '../../src/subgraph/options.ts';

const graphs = new Map<string, Graph>();

/** The graph for these options, built once per worker: building takes most of the time that a server needs to start. */
export function graphOf(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const key = JSON.stringify(options);
  const graph = graphs.get(key) ?? createGraph(options);
  graphs.set(key, graph);
  return graph;
}
