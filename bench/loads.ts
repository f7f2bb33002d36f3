/** How servers are loaded. */
export interface Load {
  readonly name: string;
  readonly description: string;
  readonly connections: number;
  /** How many API keys callers have: what one asks for is not shared with another. */
  readonly keys: number;
  readonly latencyMs: number;
  /** Whether every call is answered by the sandbox itself. */
  readonly isSandbox?: true;
  /** Whether the upstream is called over TLS. */
  readonly isTls?: true;
  /** The work that one connection more is given, beside. */
  readonly beside?: string;
  /** The work and the servers that it is for, unless others are asked for; all without. */
  readonly work?: readonly string[];
  readonly servers?: readonly string[];
  /** Whether the starts of servers are measured, and no load. */
  readonly isStart?: true;
  /** Whether it runs only when it is asked for. */
  readonly isExtra?: true;
}

const CLOSEST = ['floor', 'graph', 'graph-unbatched', 'mercurius', 'mercurius-dispatch'];
const NEAR = { connections: 32, keys: 64, latencyMs: 0 };
const ONE = { connections: 1, keys: 1, latencyMs: 0 };

/** For `--short`: enough callers at once for answers to be mixed up, if they can be. */
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
    beside: 'a',
    work: ['g', 'g-unkeyed'],
    servers: ['floor', 'graph'],
  },
  {
    name: 'crowded',
    description: '150 connections with large queries of one key, and one with a plain query of another, upstream latency 10 ms',
    connections: 150,
    keys: 1,
    latencyMs: 10,
    beside: 'a',
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
];
