import { FULL, openWorld, SMALL } from '../../sandbox/demo.ts';
import type { Snapshot } from '../../sandbox/kernel/snapshot.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { createGraph, type Graph } from '../graph.ts';
import type { SubgraphOptions } from '../subgraph/options.ts';

/** Creates the value for a key. Caches only the last one, because tests rarely alternate and each value takes megabytes. */
function cacheLast<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return (key) => {
    const name = JSON.stringify(key);
    if (last?.key !== name) last = { key: name, value: create(key) };
    return last.value;
  };
}

interface DemoData {
  readonly seed: number;
  readonly data: 'small' | 'full';
}

const SIZES = { small: SMALL, full: FULL };

const createDemoData = cacheLast(({ seed, data }: DemoData): Snapshot => {
  const world = openWorld({ data: ':memory:', seed, clock: Date.now }, SIZES[data]);
  const snapshot = world.store.takeSnapshot();
  world.close();
  return snapshot;
});

/** Opens a copy of the demo data. Creating it takes most of the start of a test graph, so the next world with the same seed copies it again. */
export const openDemoWorld = ({ seed, data }: DemoData): World =>
  openWorld({ data: createDemoData({ seed, data }), seed, clock: Date.now }, SIZES[data]);

/** The graph for these options, which test graphs can share. */
export const getGraph: (options: SubgraphOptions) => Graph = cacheLast(createGraph);
