import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './processes.ts';
import type { Work } from './work.ts';

/** A server to measure. */
export interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly kind: 'floor' | 'graph' | 'peer';
  /** Whether it sends exactly the required calls. A graph with covering lists sends fewer. */
  readonly isExact: boolean;
  /** Whether it supports the work. */
  readonly does: (work: Work) => boolean;
  /** Whether it only runs if it's selected by name. */
  readonly isExtra?: true;
  /** Whether it exports traces. */
  readonly isTraced?: true;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The graph as deployed, with its own ledger, but without request logs, because peers have none. If `profiles` is set, it writes a profile when it exits. */
const graph = (
  name: string,
  profiles: string,
  env: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
  main = here('../src/main.ts'),
): Contestant => ({
  name,
  command: [process.execPath, ...nodeOptions, ...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []), main],
  env: { LOG_LEVEL: 'warn', NODE_ENV: 'production', LEDGER_URL: `file:${join(temporaryFolder(), 'ledger.sqlite')}`, ...env },
  kind: 'graph',
  isExact: env.LIST_BATCHING === 'off',
  does: () => true,
});

/** A server of bench/peers. */
interface Peer {
  readonly name: string;
  /** Names of the work that it supports. Other work requires a ledger, which no peer has. */
  readonly does: ReadonlySet<string>;
  /** Whether it's written in JavaScript, so that its upstream client can be replaced. */
  readonly isNode: boolean;
}

export const PEERS: readonly Peer[] = [
  { name: 'apollo', does: new Set('abcdef'), isNode: true },
  { name: 'mercurius', does: new Set('abcdef'), isNode: true },
  { name: 'grafserv', does: new Set('abcdef'), isNode: true },
  // A gateway sends entity queries; it doesn't serve them.
  { name: 'hive', does: new Set('abcde'), isNode: true },
  // It can't encode or decode global IDs.
  { name: 'tailcall', does: new Set('abcef'), isNode: false },
];

/** Name of a peer's row with the fastest client. */
export const onBestClient = (peer: string) => `${peer}-dispatch`;

const peer = ({ name, does }: Peer, row: string, env: Readonly<Record<string, string>> = {}): Contestant => ({
  name: row,
  command: [process.execPath, here(`peers/${name}.mjs`)],
  env: { NODE_ENV: 'production', ...env },
  kind: 'peer',
  isExact: false,
  does: (work) => does.has(work.name),
});

/** Each peer as shipped, and JavaScript peers also with the fastest client. */
const rowsOf = (each: Peer) =>
  each.isNode ? [peer(each, each.name), peer(each, onBestClient(each.name), { CLIENT: 'dispatch' })] : [peer(each, each.name)];

/** Doesn't reject requests when the machine is busy, which would look like incorrect responses in runs without timing. */
const PATIENT = { MAX_EVENT_LOOP_DELAY_MS: '60000' };

/** Graphs with telemetry. No client reads their metrics during the run. */
const watched = (profiles: string): Contestant[] => {
  const sdk = ['--import', here('../deploy/telemetry/start.mjs')];
  const tracing = { ADMIN_PORT: '0', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' };
  const tenth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  return [
    { ...graph('graph-metrics', profiles, { ADMIN_PORT: '0' }), isExtra: true },
    { ...graph('graph-traced-tenth', profiles, { ...tracing, ...tenth }, sdk), isExtra: true, isTraced: true },
    { ...graph('graph-traced', profiles, tracing, sdk), isExtra: true, isTraced: true },
  ];
};

/** All servers that can run here. Excludes peers whose packages aren't installed. `isTimed` runs them exactly as deployed. `before` is another checkout. */
export const contestants = (profiles = '', isTimed = true, before = ''): Contestant[] => [
  {
    name: 'floor',
    command: [process.execPath, here('floor.ts')],
    env: {},
    kind: 'floor',
    isExact: true,
    does: ({ isOfGraphs }) => !isOfGraphs,
  },
  ...(before ? [graph('graph-before', '', {}, [], resolve(before, 'src/main.ts'))] : []),
  graph('graph', profiles, isTimed ? {} : PATIENT),
  graph('graph-unbatched', profiles, { LIST_BATCHING: 'off', ...(isTimed ? {} : PATIENT) }),
  graph('graph-plain', profiles, { FAST_PATH: 'false', COMPILE_AFTER: '0', ...(isTimed ? {} : PATIENT) }),
  ...watched(profiles),
  ...(existsSync(here('peers/node_modules')) ? PEERS.flatMap(rowsOf) : []),
];
