import { PEERS } from './servers.ts';

/** A load profile. */
export interface Load {
  readonly name: string;
  readonly description: string;
  readonly connections: number;
  /** Number of API keys. Callers with different keys don't share reads. */
  readonly keys: number;
  readonly latencyMs: number;
  /** Whether the sandbox itself serves every call, instead of the stub's memory. */
  readonly isSandbox?: true;
  /** Whether upstream calls use TLS. */
  readonly isTls?: true;
  /** Work of one additional, concurrent connection. */
  readonly background?: string;
  /** Default work and servers. All if undefined. */
  readonly work?: readonly string[];
  readonly servers?: readonly string[];
  /** Whether this measures the startup of servers instead of load. */
  readonly isStart?: true;
  /** Whether it only runs if it's selected. */
  readonly isExtra?: true;
  /** Whether it's one of a series with more and more clients or keys, which only runs if it's selected, or if tables are written. */
  readonly isGrowth?: true;
}

const CLOSEST = ['floor', 'graph', 'mercurius', 'mercurius-dispatch'];
const NEAR = { connections: 32, keys: 64, latencyMs: 0 };
const ONE = { connections: 1, keys: 1, latencyMs: 0 };
const GROWTH = { latencyMs: 0, work: ['a'], servers: ['floor', 'graph', ...PEERS.map(({ name }) => name)], isGrowth: true } as const;

/** For `--short`: enough concurrent callers to detect mixed-up responses. */
export const SHORT: Load = { name: 'short', description: '4 connections, separate keys', connections: 4, keys: 8, latencyMs: 0 };

export const LOADS: readonly Load[] = [
  {
    name: 'apart',
    description: '32 connections, separate keys',
    ...NEAR,
    work: ['a', 'b', 'c', 'd', 'e', 'f', 'n100', 'n1000'],
  },
  {
    name: 'together',
    description: '32 connections, one key',
    ...NEAR,
    keys: 1,
    work: ['b', 'c', 'e', 'f'],
    servers: [...CLOSEST, 'tailcall'],
  },
  { name: 'alone', description: '1 connection', ...ONE, work: ['a', 'n100', 'n1000'], servers: ['floor', 'graph'] },
  {
    name: 'board',
    description: '1 connection, an order board',
    ...ONE,
    work: ['board'],
    servers: ['floor', 'graph'],
  },
  { name: 'far', description: '1 connection, upstream latency 10 ms', ...ONE, latencyMs: 10, work: ['a', 'b', 'd'], servers: CLOSEST },
  {
    name: 'tls',
    description: '32 connections, separate keys, upstream over TLS',
    ...NEAR,
    isTls: true,
    work: ['b', 'd'],
    servers: CLOSEST,
  },
  {
    name: 'ledger',
    description: '32 connections with mutations, and one with a plain query',
    ...NEAR,
    background: 'a',
    work: ['g', 'g-unkeyed'],
    servers: ['floor', 'graph'],
  },
  {
    name: 'crowded',
    description: '150 connections with large queries of one key, and one with a plain query of another, upstream latency 10 ms',
    connections: 150,
    keys: 1,
    latencyMs: 10,
    background: 'a',
    work: ['h'],
    servers: ['graph'],
  },
  { name: 'start', description: 'from process start to the first response', ...ONE, isStart: true },
  {
    name: 'watched',
    description: '32 connections, separate keys; graphs with metrics, and with traces',
    ...NEAR,
    work: ['a', 'b', 'd'],
    servers: ['graph', 'graph-metrics', 'graph-traced-tenth', 'graph-traced'],
    isExtra: true,
  },
  { name: 'far together', description: '32 connections, one key, upstream latency 10 ms', ...NEAR, keys: 1, latencyMs: 10, isExtra: true },
  { name: 'sandbox', description: '1 connection, the sandbox itself', ...ONE, isSandbox: true, isExtra: true },
  ...[32, 256, 1_000].map((connections) => ({
    name: `connections-${connections}`,
    description: `${connections} connections, separate keys`,
    connections,
    keys: 2 * connections,
    ...GROWTH,
  })),
  ...[1, 100, 10_000].map((keys) => ({
    name: `keys-${keys}`,
    description: `32 connections, API keys: ${keys}`,
    connections: 32,
    keys,
    ...GROWTH,
  })),
];
