import { afterEach, expect } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { useTestGraph } from '../../support/testGraph.ts';

/** A test graph with functions to execute documents while the upstream fails. */
export function useFaultyUpstream() {
  const testGraph = useTestGraph();
  afterEach(() => testGraph.sandbox.faults.clear());

  /** Executes a document. Returns the result and its calls, and verifies that the response has no upstream internals. */
  async function run(query: string, variables: object = {}, key = 'demo-owner') {
    const before = testGraph.sandbox.received.length;
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    for (const secret of [key, new URL(testGraph.sandbox.url).host, '/public-api/', 'node_modules', '.ts:', 'ECONN', 'undici', 'sk_live']) {
      expect(text).not.toContain(secret);
    }
    const { data, errors = [] } = JSON.parse(text) as { data: never; errors?: { path?: string[]; extensions: Record<string, unknown> }[] };
    const received = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
    return {
      data: data as Record<string, Record<string, unknown> | null>,
      codes: errors.map(({ extensions }) => extensions.code),
      extensions: errors[0]?.extensions,
      calls: received.filter((operation) => operation !== 'Workspace/Me'),
    };
  }

  const addFault = (operation: string, fault: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation, ...fault });

  /** Like `run`, but the response of the operation times out. */
  async function runUntilTimeout(operation: string, query: string, variables: object) {
    const held = testGraph.gate.holdResponses(operation);
    const running = run(query, variables);
    await held.arrived;
    held.timeOut();
    return running;
  }

  return { testGraph, run, runUntilTimeout, addFault };
}
