import { parse } from 'graphql';
import { systemClock } from '../../src/lib/clock.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import type { InProcessExecutor } from '../../src/tools/inProcess.ts';
import { readToolDocuments } from '../../src/tools/toolDocuments.ts';
import { Tools } from '../../src/tools/tools.ts';
import type { WriteMode } from '../../src/tools/writeMode.ts';
import { getGraph } from './getGraph.ts';

/** Creates the built-in tools without a graph that executes them, for their schemas. */
export function createToolDefinitions(writes: WriteMode): Tools {
  const unavailable = () => {
    throw new Error('These tools can’t be called.');
  };
  const graph: InProcessExecutor = {
    schema: getGraph().schema,
    parseAndValidate: (text) => parse(text),
    findCostProblem: () => undefined,
    execute: unavailable,
    rehearse: unavailable,
    findMissingScopes: unavailable,
  };
  const documents = readToolDocuments(graph);
  return new Tools({
    graph,
    documents,
    writes,
    confirmations: new Confirmations('', systemClock),
    maxResultBytes: 65_536,
    onCall: () => {},
  });
}
