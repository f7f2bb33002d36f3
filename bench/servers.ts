import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTemporaryFolder } from './processes.ts';
import type { Work } from './work.ts';

/** A server to measure. */
export interface ServerConfig {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly kind: 'floor' | 'graph' | 'peer';
  /** Whether it sends exactly the required calls. A graph with covering lists sends fewer. */
  readonly isExact: boolean;
  /** Whether it supports the work. */
  readonly supports: (work: Work) => boolean;
  /** Whether it only runs if it's selected by name. */
  readonly isExtra?: true;
  /** Whether it exports traces. */
  readonly isTraced?: true;
  /** Whether its callers send access tokens instead of API keys. */
  readonly isSignedIn?: true;
  /** Accept-Encoding header of its requests. */
  readonly acceptEncoding?: string;
}

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The graph as deployed, with its own ledger, but without request logs, because peers have none. If `profiles` is set, it writes a profile when it exits. */
const createGraph = (
  name: string,
  profiles: string,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
  main = resolvePath('../src/main.ts'),
): ServerConfig => ({
  name,
  command: [process.execPath, ...nodeOptions, ...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []), main],
  env: { LOG_LEVEL: 'warn', NODE_ENV: 'production', LEDGER_URL: `file:${join(createTemporaryFolder(), 'ledger.sqlite')}`, ...env },
  kind: 'graph',
  isExact: env.LIST_BATCHING === 'off',
  supports: () => true,
});

/** A server of bench/peers. */
interface Peer {
  readonly name: string;
  /** Names of the work that it supports. Other work requires a ledger, which no peer has. */
  readonly supports: ReadonlySet<string>;
  /** Whether it's written in JavaScript, so that its upstream client can be replaced. */
  readonly isNode: boolean;
}

export const PEERS: readonly Peer[] = [
  { name: 'apollo', supports: new Set('abcdef'), isNode: true },
  { name: 'mercurius', supports: new Set('abcdef'), isNode: true },
  { name: 'grafserv', supports: new Set('abcdef'), isNode: true },
  // A gateway sends entity queries; it doesn't serve them.
  { name: 'hive', supports: new Set('abcde'), isNode: true },
  // It can't encode or decode global IDs.
  { name: 'tailcall', supports: new Set(['a', 'b', 'c', 'e', 'f']), isNode: false },
];

/** Work of which compressed responses are measured. */
export const COMPRESSED_WORK: readonly string[] = ['d', 'n100'];

/** Name of a peer's row with the fastest client. */
export const toBestClientName = (peer: string) => `${peer}-dispatch`;

const createPeer = ({ name, supports }: Peer, row: string, env: Readonly<Record<string, string>> = {}): ServerConfig => ({
  name: row,
  command: [process.execPath, resolvePath(`peers/${name}.mjs`)],
  env: { NODE_ENV: 'production', ...env },
  kind: 'peer',
  isExact: false,
  supports: (work) => supports.has(work.name),
});

/** Each peer as shipped, and JavaScript peers also with the fastest client. */
const createPeerConfigs = (each: Peer) =>
  each.isNode
    ? [createPeer(each, each.name), createPeer(each, toBestClientName(each.name), { CLIENT: 'dispatch' })]
    : [createPeer(each, each.name)];

/** Doesn't reject requests when the machine is busy, which would look like incorrect responses in runs without timing. */
const NO_LOAD_SHEDDING = { MAX_EVENT_LOOP_DELAY_MS: '60000' };

/** Graphs with telemetry. No client reads their metrics during the run. */
const createTelemetryGraphs = (profiles: string): ServerConfig[] => {
  const sdk = ['--import', resolvePath('../deploy/telemetry/start.mjs')];
  const tracing = { ADMIN_PORT: '0', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' };
  const tenth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  return [
    { ...createGraph('graph-metrics', profiles, { ADMIN_PORT: '0' }), isExtra: true },
    { ...createGraph('graph-traced-tenth', profiles, { ...tracing, ...tenth }, sdk), isExtra: true, isTraced: true },
    { ...createGraph('graph-traced', profiles, tracing, sdk), isExtra: true, isTraced: true },
  ];
};

/** Accept-Encoding header of browsers. */
const BROWSER_CODINGS = 'gzip, deflate, br, zstd';

/** The graph with requests of browsers, for work with large responses. */
const createCompressedGraph = (env: Readonly<Record<string, string>>): ServerConfig => ({
  ...createGraph('graph-compressed', '', env),
  supports: ({ name }) => COMPRESSED_WORK.includes(name),
  acceptEncoding: BROWSER_CODINGS,
});

/** Name of the graph of the npm package, which starts faster. It's measured if `npm run pack` has built it. */
export const PACKAGED = 'graph-package';
const PACKAGE_MAIN = resolvePath('../build/workspace-graph/dist/main.js');

/** All servers that can run here. Excludes peers whose packages aren't installed. `isTimed` runs them exactly as deployed. `before` is another checkout. */
export const listServers = (profiles = '', isTimed = true, before = ''): ServerConfig[] => [
  {
    name: 'floor',
    command: [process.execPath, resolvePath('floor.ts')],
    env: {},
    kind: 'floor',
    isExact: true,
    supports: ({ isGraphOnly }) => !isGraphOnly,
  },
  ...(before ? [createGraph('graph-before', '', {}, [], resolve(before, 'src/main.ts'))] : []),
  createGraph('graph', profiles, isTimed ? {} : NO_LOAD_SHEDDING),
  ...(existsSync(PACKAGE_MAIN) ? [{ ...createGraph(PACKAGED, profiles, {}, [], PACKAGE_MAIN), isExtra: true as const }] : []),
  {
    ...createGraph('graph-unbatched', profiles, { LIST_BATCHING: 'off', ...(isTimed ? {} : NO_LOAD_SHEDDING) }),
    ...(isTimed && { isExtra: true as const }),
  },
  {
    ...createGraph('graph-plain', profiles, { FAST_PATH: 'false', COMPILE_AFTER: '0', ...(isTimed ? {} : NO_LOAD_SHEDDING) }),
    ...(isTimed && { isExtra: true as const }),
  },
  createCompressedGraph(isTimed ? {} : NO_LOAD_SHEDDING),
  ...createTelemetryGraphs(profiles),
  { ...createGraph('graph-signed-in', profiles, isTimed ? {} : NO_LOAD_SHEDDING), isExtra: true, isSignedIn: true },
  ...(existsSync(resolvePath('peers/node_modules')) ? PEERS.flatMap(createPeerConfigs) : []),
];
